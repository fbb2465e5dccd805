"""Start kernels of this very environment, free of the user's own notebook settings."""

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

_PAUSE = 0.005
# Each of these would make one user's outputs differ from another's.
_PERSONAL = ("COLUMNS", "LINES", "MPLBACKEND", "PYTHONSTARTUP", "PYTHONWARNINGS")
# Threads of several kernels wait for each other's cores, which made a lesson ten times slower.
_ONE_THREAD = {"OMP_NUM_THREADS": "1"}
_GROUPS = os.name != "nt"  # elsewhere a process and its children can be signalled as one


class NoKernelError(RuntimeError):
    """The kernel's process ended before it was ready; the message has its last line."""


@dataclass(frozen=True)
class KernelProcess:
    """A kernel's process.

    Attributes:
        folder: a private folder, gone when the process is.
        connection: the file in which the kernel says where it listens.
        largest_message: bytes of a message that it may send; -1 for any.
    """

    largest_message: ClassVar[int] = -1
    process: subprocess.Popen
    folder: Path
    connection: Path

    def is_alive(self) -> bool:
        """Return whether it runs."""
        return self.status() is None

    def status(self) -> int | None:
        """Return how it ended: an exit status; None while it runs."""
        return self.process.poll()

    def interrupt(self) -> None:
        """Do what Ctrl-C does; nothing where the system cannot."""
        if _GROUPS and self.is_alive():
            self.process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End it, and what it started."""
        with suppress(ProcessLookupError):
            if _GROUPS:
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()

    def cpu_seconds(self) -> float:
        """Return the CPU time of all its processes so far; inf, as it is not known."""
        return math.inf

    def ending(self) -> str:
        """Tell how it ended, such as `SIGSEGV` or `exit status 1`."""
        status = self.process.wait()
        return signal.Signals(-status).name if status < 0 else f"exit status {status}"

    def wait_until_listening(self, seconds: float) -> None:
        """Wait until the connection file is whole.

        Raises:
            NoKernelError: the process ended, or takes longer than that.
        """
        deadline = time.monotonic() + seconds
        while not self._is_listening():
            if not self.is_alive() or time.monotonic() > deadline:
                raise NoKernelError(
                    f"No kernel started ({self.last_words() or 'no reason given'})."
                )
            time.sleep(_PAUSE)

    def last_words(self) -> str:
        """Return the last line that it wrote, or an empty string."""
        log = (self.folder / "log").read_text(encoding="utf-8", errors="replace")
        return next((line.strip() for line in reversed(log.split("\n")) if line.strip()), "")

    def _is_listening(self) -> bool:
        try:
            return bool(json.loads(self.connection.read_bytes()))
        except (OSError, ValueError):
            return False


@contextmanager
def kernel_process(cwd: Path, *preload: str, **environment: str) -> Iterator[KernelProcess]:
    """Run a kernel of this very environment; it is gone when the block ends.

    Args:
        cwd: the folder that the code runs in.
        preload: modules that the kernel imports while it starts.
        environment: further variables.
    """
    with tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as private:
        folder = Path(private)
        connection = folder / "kernel.json"
        command = [sys.executable, "-m", "ipykernel_launcher", "-f", str(connection)]
        command += ["--HistoryManager.enabled=False"]
        command += [f'--IPKernelApp.exec_lines=__import__("{module}");' for module in preload]
        # With JPY_PARENT_PID the kernel ends by itself if this process is killed.
        general = {key: text for key, text in os.environ.items() if key not in _PERSONAL}
        own = {**_ONE_THREAD, "IPYTHONDIR": private, "JPY_PARENT_PID": str(os.getpid())}
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen(
                command,
                cwd=cwd,
                env={**general, **own, **environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=_GROUPS,  # so that Ctrl-C in the terminal is ours alone
            )
        kernel = KernelProcess(process, folder, connection)
        try:
            yield kernel
        finally:
            kernel.kill()
