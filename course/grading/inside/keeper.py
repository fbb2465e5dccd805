"""Be process 1 of a notebook's own namespace: start its kernel, watch it, and end with it.

When process 1 ends, the system ends every process in its namespace: nothing outlives its notebook.
"""

import os
import signal
import time
import traceback
from contextlib import suppress
from pathlib import Path

from course.grading.inside import cage

SHOWN_AS = "/run/kernel"
TOO_MUCH_MEMORY = 99  # exit status
_TICK = 0.05
_PAGE = os.sysconf("SC_PAGE_SIZE")


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
    from course.grading.inside.kernel import serve

    try:
        cage.limit(order["limits"])
        cage.drop_privileges(as_root)
        serve(SHOWN_AS, writing)
    except BaseException:
        traceback.print_exc()  # goes to the walls' log, until the kernel has none
    finally:
        os._exit(1)


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
