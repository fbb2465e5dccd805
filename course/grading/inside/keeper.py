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

import torch
from ipykernel.kernelapp import IPKernelApp

from course.grading.inside import TOO_MUCH_MEMORY, TOO_MUCH_TIME, cage, usage
from course.grading.inside.call_filter import CallFilter

SHOWN_AS = "/run/kernel"  # the folder that holds `kernel.json`, which says where to listen
_TICK, _LONGEST_PAUSE = 0.05, 0.25  # seconds between two looks
_ENVIRONMENT = {
    "HOME": "/tmp/home",
    "USER": "student",  # there is no list of users in which to look it up
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "COURSE_PROGRESS": "off",
    "MPLBACKEND": "agg",
    "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",
}


class PlainKernelApp(IPKernelApp):
    """IPython's own, without files of settings and without code that runs at the start."""

    def load_config_file(self, *_: object, **__: object) -> None:
        """Read no file."""

    def init_code(self) -> None:
        """Run no file."""

    def init_shell(self) -> None:
        """Let `!command` do without a terminal: there are none."""
        super().init_shell()
        self.shell.system = self.shell.system_raw


def keep(order: dict, call_filter: CallFilter) -> None:
    """Start a kernel and stay until it ends; never returns.

    Args:
        order: as the grader sent it: "folder", "user", "memory" and "disk" in bytes, "cpu" in
            seconds, and "limits".
        call_filter: what the kernel is held to.
    """
    ready = os.open(f"{order['folder']}/ready", os.O_WRONLY | os.O_CREAT, 0o600)
    cage.furnish(order["folder"], SHOWN_AS, order["disk"])
    reading, writing = os.pipe()
    cage.close_all_but({0, 1, 2, ready, reading, writing})
    kernel = os.fork()
    if not kernel:
        cage.close_all_but({writing})
        cage.silence()
        _become_kernel(order, call_filter, writing)
    os.close(writing)
    signal.signal(signal.SIGINT, lambda *_: _interrupt(kernel))
    with os.fdopen(reading, "rb") as pipe:
        if news := pipe.read():
            os.write(2, news)  # the walls' log
            os._exit(1)
    cage.silence()
    cage.freeze(SHOWN_AS)  # its sockets are there, and nobody's code has run
    _tell(ready, 0.0)
    _watch(kernel, order, ready)


def _become_kernel(order: dict, call_filter: CallFilter, writing: int) -> None:
    """Serve in a cage; the pipe is closed once sockets exist, or told why there are none."""
    try:
        cage.limit(order["limits"])
        cage.drop_privileges(order["user"])
        call_filter.load()
        app = _start()
        os.close(writing)
        app.start()
    except BaseException:
        with suppress(OSError):  # too late for that
            os.write(writing, traceback.format_exc().encode())
    finally:
        os._exit(1)


def _start() -> PlainKernelApp:
    os.environ.clear()
    os.environ.update(_ENVIRONMENT)
    # For PyTorch's program that keeps shared memory: without a /proc it does not find its own.
    os.environ["LD_LIBRARY_PATH"] = str(Path(torch.__file__).parent / "lib")
    for place in ("/tmp/home", "/tmp/work"):
        Path(place).mkdir(mode=0o700)
    os.chdir("/tmp/work")
    os.umask(0o022)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    app = PlainKernelApp.instance()
    app.initialize(["-f", f"{SHOWN_AS}/kernel.json", "--HistoryManager.enabled=False"])
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115, nobody reads it
    return app


def _interrupt(kernel: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(kernel, signal.SIGINT)


def _watch(kernel: int, order: dict, ready: int) -> None:
    """Bury what ends, and end all if the kernel does or if too much is used."""
    while True:
        began = time.monotonic()
        _bury(kernel)
        seconds = usage.processor_seconds()
        _tell(ready, seconds)
        if usage.is_above(order["memory"]):
            os._exit(TOO_MUCH_MEMORY)
        if seconds > order["cpu"]:
            os._exit(TOO_MUCH_TIME)
        # As long as the look took, during which all may have stood still.
        time.sleep(min(max(_TICK, time.monotonic() - began), _LONGEST_PAUSE))


def _bury(kernel: int) -> None:
    with suppress(ChildProcessError):
        while True:
            found, status = os.waitpid(-1, os.WNOHANG)
            if found == kernel:
                code = os.waitstatus_to_exitcode(status)
                os._exit(code if code >= 0 else 128 - code)
            if not found:
                return


def _tell(ready: int, seconds: float) -> None:
    """Tell the grader the processor time so far: `Fork.cpu_seconds` reads it."""
    os.pwrite(ready, f"{seconds:015.2f}\n".encode(), 0)
