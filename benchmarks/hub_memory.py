"""Measure the memory of one student on a hub: the server, and the kernel of each notebook.

`.venv/bin/python benchmarks/hub_memory.py`, on Linux; ten minutes. docs/jupyterhub.md has its
numbers. What processes share is counted once (PSS), so nothing else may run that uses the same
Python.
"""

import os
import platform
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress

import psutil
from memory import ROOT, most_memory

_FOLDERS = ("notebooks", "solutions")
_SECONDS_TO_START = 60
_MEGABYTE = 1e6  # bytes


def server_memory() -> int:
    """Return the bytes of a server that has shown JupyterLab, in which no notebook is open."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = ["--no-browser", "--allow-root", f"--port={port}", "--IdentityProvider.token=t"]
    command = [sys.executable, "-m", "jupyterlab", *settings]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL) as server,
    ):
        try:
            _wait_for(f"http://127.0.0.1:{port}/lab?token=t")
            return psutil.Process(server.pid).memory_full_info().pss
        finally:
            server.terminate()


def _wait_for(address: str) -> None:
    end = time.monotonic() + _SECONDS_TO_START
    while time.monotonic() < end:
        with suppress(OSError), urllib.request.urlopen(address):
            return
        time.sleep(0.1)
    raise TimeoutError(f"{address} is silent after {_SECONDS_TO_START} s")


def show(size: int, what: str) -> None:
    """Print a line of the table."""
    print(f"{size / _MEGABYTE:6.0f} MB  {what}", flush=True)


def main() -> int:
    print(f"{platform.system()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    server = server_memory()
    show(server, "the server, nothing open")
    paths = [path for one in _FOLDERS for path in sorted((ROOT / one).glob("[0-9]*.ipynb"))]
    most = {path: most_memory(path) for path in paths}
    for path in sorted(paths, key=most.get):
        show(most[path], f"the kernel of {path.relative_to(ROOT)}")
    show(server + max(most.values()), "a student who runs the heaviest, and has nothing else open")
    return 0


if __name__ == "__main__":
    sys.exit(main())
