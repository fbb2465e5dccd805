"""Run a script in two Python processes that can talk to each other, and print what they print."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Through this interface gloo connects the processes, without a network.
_LOOPBACK = {
    "linux": {"GLOO_SOCKET_IFNAME": "lo"},
    "darwin": {"GLOO_SOCKET_IFNAME": "lo0"},
}
# A thread of gloo that still runs while Python ends can abort it after the script has done its work
# ("terminate called without an active exception"). So Python is ended at once.
_RUN = """
import os, runpy, sys, traceback
status = 0
try:
    runpy.run_path(sys.argv[1], run_name="__main__")
except BaseException:
    traceback.print_exc()
    status = 1
sys.stdout.flush()
sys.stderr.flush()
os._exit(status)
"""


def two_processes(script: str, seconds: float = 240) -> None:
    """Start a script as process 0 and as process 1, and print what each of them printed.

    The script finds its number in the environment as RANK, and in MEETING_PLACE what
    `torch.distributed.init_process_group` takes as `init_method`. Both processes are ended after
    `seconds`.

    >>> two_processes("import os; print(int(os.environ['RANK']) + 10)")
    process 0: 10
    process 1: 11
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "script.py")
        file.write_text(script, encoding="utf-8")
        started = [_start(file, rank) for rank in range(2)]
        end = time.monotonic() + seconds
        for rank, process in enumerate(started):
            for line in _said(process, end).splitlines():
                print(f"process {rank}: {line}")


def _start(file: Path, rank: int) -> subprocess.Popen:
    environ = os.environ | {
        "RANK": str(rank),
        # An address has a slash before a drive's letter, too.
        "MEETING_PLACE": f"file:///{(file.parent / 'meeting').as_posix().lstrip('/')}",
        "PYTHONIOENCODING": "utf-8",
    }
    return subprocess.Popen(
        [sys.executable, "-c", _RUN, str(file)],
        env=environ | _LOOPBACK.get(sys.platform, {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def _said(process: subprocess.Popen, end: float) -> str:
    """Return what it printed, and the last line of its error, if it ended in one."""
    try:
        out, errors = process.communicate(timeout=max(end - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
        return f"{out}ended, because it took too long"
    last = errors.strip().rpartition("\n")[2]
    return f"{out}{last}" if process.returncode else out
