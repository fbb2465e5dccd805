"""Serve one notebook as a Jupyter kernel, in a process that is caged already."""

import os
import signal
import sys
from pathlib import Path

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


def serve(folder: str, to_keeper: int) -> None:
    """Run a kernel until it is told to shut down.

    Args:
        folder: holds `kernel.json`, which says where to listen.
        to_keeper: a pipe that gets a byte once all sockets are there, and is closed.
    """
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
    app.initialize(["-f", f"{folder}/kernel.json", "--HistoryManager.enabled=False"])
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115, nobody reads it
    os.dup2(0, 2)  # until here, a failure is written to the walls' log
    os.write(to_keeper, b"!")
    os.close(to_keeper)
    app.start()
