"""The kernels that run submissions: one behind walls, seen from outside, and one without walls."""

import json
import os
import secrets
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from course.grading.settings import Limits
from course.notebooks.kernels import NoKernelError, kernel_process

_PAUSE = 0.003
_CHANNELS = ("shell", "iopub", "stdin", "control", "hb")
_FIRST_USER, _KERNELS = 2**30, 256  # as many as a grader's process may have at a time
_NOBODY = 65534
_PRELOAD = "course.grading.inside.answer_evidence"


def _user(number: int) -> int:
    """Return who a kernel is if the grader is root, whom limits do not hold.

    No other kernel on this machine is the same user, as what a user may have is limited. Where
    the system has not that many users, all kernels are nobody.
    """
    every = Path("/proc/self/uid_map").read_text().split() == ["0", "0", "4294967295"]
    return _FIRST_USER + os.getpid() * _KERNELS + number % _KERNELS if every else _NOBODY


class Fork:
    """A kernel that the warm parent has forked: what nbval talks to, as `KernelProcess` elsewhere.

    Attributes:
        folder: a private one outside of the walls, gone when the kernel is.
        connection: the file that says where the kernel listens, as seen from outside.
        last_words: returns why the last kernel that did not start could not; what one that runs
            writes is not kept.
        largest_message: bytes of a message; evidence has less than a thirtieth of that.
    """

    largest_message = 8 * 2**20

    def __init__(
        self,
        number: int,
        folder: Path,
        limits: Limits,
        *,
        send: Callable[[dict[str, Any]], None],
        ending: Callable[[int], int | None],
        last_words: Callable[[], str],
    ) -> None:
        self._sockets = folder
        self.folder = folder.parent.parent / str(number)  # nothing inside knows of it
        self.folder.mkdir()
        self.connection = self.folder / "kernel.json"
        self._number, self._send, self._ending = number, send, ending
        self.last_words = last_words
        self._cpu_seconds = 0.0
        folder.mkdir()
        folder.chmod(0o777)  # the kernel is another user; nobody else gets here
        self._write_connection()
        user = _user(number)
        send({"start": number, "folder": f"/ipc/{number}", "user": user, **limits.as_order()})

    def is_alive(self) -> bool:
        """Tell whether it runs."""
        return self.status() is None

    def interrupt(self) -> None:
        """Do what Ctrl-C does."""
        self._send({"to": self._number, "signal": int(signal.SIGINT)})

    def kill(self) -> None:
        """End it and all that it started; its folder is removed."""
        if self.is_alive():
            self._send({"to": self._number, "signal": int(signal.SIGKILL)})
        while self.is_alive():
            time.sleep(_PAUSE)
        self.cpu_seconds()  # for those who ask later
        for place in (self._sockets, self.folder):
            shutil.rmtree(place, ignore_errors=True)

    def status(self) -> int | None:
        """Return how it ended: an exit status; None while it runs."""
        return self._ending(self._number)

    def cpu_seconds(self) -> float:
        """Return the processor time of all its processes so far; 0.0 before it is listening."""
        with suppress(OSError, ValueError):
            seconds = float((self._sockets / "ready").read_bytes())
            self._cpu_seconds = max(self._cpu_seconds, seconds)
        return self._cpu_seconds

    def wait_until_listening(self, seconds: float) -> None:
        """Wait until its sockets are there.

        Raises:
            NoKernelError: it ended, or takes longer than that.
        """
        deadline = time.monotonic() + seconds
        ready = self._sockets / "ready"
        while not (ready.exists() and ready.stat().st_size):
            if not self.is_alive() or time.monotonic() > deadline:
                raise NoKernelError(f"No kernel started ({self.last_words()}).")
            time.sleep(_PAUSE)

    def _write_connection(self) -> None:
        # Made here: what a kernel wrote could lead us anywhere.
        ports = {f"{name}_port": place for place, name in enumerate(_CHANNELS, 1)}
        known = {
            **ports,
            "transport": "ipc",
            "signature_scheme": "hmac-sha256",
            "key": secrets.token_hex(16),
            "kernel_name": "python3",
        }
        inside = self._sockets / "kernel.json"
        places = {self.connection: self._sockets / "k", inside: "/run/kernel/k"}
        for path, prefix in places.items():
            path.write_text(json.dumps({**known, "ip": str(prefix)}), encoding="utf-8")
            path.chmod(0o644)


class OpenKernel:
    """A kernel without walls, with the user's own rights: only for people one trusts."""

    def __init__(self) -> None:
        self._cpu_seconds = float("inf")
        self._stack = ExitStack()
        private = TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True)
        cwd = Path(self._stack.enter_context(private))
        self._kernel = self._stack.enter_context(
            kernel_process(cwd, _PRELOAD, COURSE_PROGRESS="off")
        )

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def kill(self) -> None:
        """End it, and what it started."""
        self.cpu_seconds()  # for those who ask later
        self._stack.close()

    def cpu_seconds(self) -> float:
        """Return the processor time of its process so far; infinity where that is not known."""
        with suppress(OSError, ValueError):
            stat = Path("/proc", str(self._kernel.process.pid), "stat").read_text()
            ticks = sum(map(int, stat.rpartition(")")[2].split()[11:15]))
            self._cpu_seconds = ticks / os.sysconf("SC_CLK_TCK")
        return self._cpu_seconds

    def status(self) -> int | None:
        """Return its exit status."""
        return self._kernel.process.poll()
