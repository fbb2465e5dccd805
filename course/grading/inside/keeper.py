"""Be process 1 of a notebook's own namespace: start its kernel, watch it, and end with it.

When process 1 ends, the system ends every process in its namespace: nothing outlives its notebook.
"""

import os
import signal
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path

from course.grading.inside import TOO_MUCH_MEMORY, cage

SHOWN_AS = "/run/kernel"  # the folder that holds `kernel.json`, which says where to listen
_TICK = 0.05
_PAGE = os.sysconf("SC_PAGE_SIZE")
_MOST_OPEN = 1024
_ENVIRONMENT = {
    "HOME": "/tmp/home",
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "COURSE_PROGRESS": "off",
    "MPLBACKEND": "agg",
    "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",
}


def keep(order: dict, as_root: bool) -> None:
    """Start a kernel and stay until it ends; never returns.

    Args:
        order: as the grader sent it: "folder", "memory" and "disk" in bytes, and "limits".
        as_root: whether the walls were built by root.
    """
    done = os.open(f"{order['folder']}/ready", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    cage.furnish(order["folder"], SHOWN_AS, order["disk"])
    reading, writing = os.pipe()
    kernel = os.fork()
    if not kernel:
        os.close(done)
        os.close(reading)
        _become_kernel(order, as_root, writing)
    os.close(writing)
    cage.hide()
    signal.signal(signal.SIGINT, lambda *_: _interrupt(kernel))
    if os.read(reading, 1):  # its sockets are there, and nobody's code has run
        cage.freeze(SHOWN_AS)
        os.write(done, b"yes")
    os.close(done)
    os.close(reading)
    _watch(kernel, order["memory"])


def _become_kernel(order: dict, as_root: bool, writing: int) -> None:
    try:
        cage.limit(order["limits"])
        cage.drop_privileges(as_root)
        _serve(writing)
    except BaseException:
        traceback.print_exc()  # goes to the walls' log, until the kernel has none
    finally:
        os._exit(1)


def _serve(to_keeper: int) -> None:
    """Run a kernel until it is told to shut down; the pipe gets a byte once its sockets exist."""
    os.environ.clear()
    os.environ.update(_ENVIRONMENT)
    for place in ("/tmp/home", "/tmp/work"):
        Path(place).mkdir(mode=0o700)
    os.chdir("/tmp/work")
    os.umask(0o022)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1):
        os.dup2(nothing, descriptor)
    os.closerange(3, to_keeper)
    os.closerange(to_keeper + 1, _MOST_OPEN)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from ipykernel.kernelapp import IPKernelApp

    app = IPKernelApp.instance()
    app.initialize(["-f", f"{SHOWN_AS}/kernel.json", "--HistoryManager.enabled=False"])
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115, nobody reads it
    os.dup2(0, 2)  # until here, a failure is written to the walls' log
    os.write(to_keeper, b"!")
    os.close(to_keeper)
    app.start()


def _interrupt(kernel: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(kernel, signal.SIGINT)


def _watch(kernel: int, memory: int) -> None:
    """Bury what ends, and end all if the kernel does or if it takes too much memory."""
    while True:
        with suppress(ChildProcessError):
            while True:
                found, status = os.waitpid(-1, os.WNOHANG)
                if found == kernel:
                    code = os.waitstatus_to_exitcode(status)
                    os._exit(code if code >= 0 else 128 - code)
                if not found:
                    break
        if _used() > memory:
            os._exit(TOO_MUCH_MEMORY)
        time.sleep(_TICK)


def _used() -> int:
    """Return the bytes that all processes of this namespace have for themselves."""
    pages = 0
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and process.name != "1":
            with suppress(OSError, ValueError):
                numbers = (process / "statm").read_bytes().split()
                pages += int(numbers[1]) - int(numbers[2])
    return pages * _PAGE
