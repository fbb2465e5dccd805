"""Walls around the kernels: no network, no files but what Python needs, a warm parent inside."""

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import course
import helpers
import whygrad
from course.grading.bwrap_command import command
from course.grading.settings import Settings
from course.notebooks.kernels import KernelProcess

_PREFIX = "course-walls-"
_STARTUP = 120.0  # seconds; PyTorch takes long to load from a cold disk
_PAUSE = 0.003
# Of the package, what a notebook may import; no right answers, and nothing of the grader.
_LEFT_OUT = {"references", "measured", "__pycache__"}
_CHANNELS = ("shell", "iopub", "stdin", "control", "hb")
_FIRST_USER, _KERNELS = 2**30, 256  # as many as a grader's process may have at a time
_NOBODY = 65534


class WallsError(RuntimeError):
    """Walls cannot be had here, or broke down; the message says why."""


class Walls:
    """A warm parent behind walls, and the kernels that it forks.

    Args:
        settings: the limits of a notebook, and the folders that must not be seen from inside.

    Raises:
        WallsError: the walls cannot be built.
    """

    def __init__(self, settings: Settings) -> None:
        clean_up()
        # The path of a socket must be short.
        self._folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir="/tmp"))
        self._limits = settings.limits.as_order()
        self._count = 0
        self._news: dict[int, Any] = {}
        for name in ("ipc", "proc"):
            (self._folder / name).mkdir()
            (self._folder / name).chmod(0o755)
        shutil.copy("/proc/cpuinfo", self._folder / "proc")  # PyTorch complains without it
        _copy_packages(self._folder / "course")
        self._control, inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with inside, (self._folder / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [*command(self._folder, settings.hidden), str(inside.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                pass_fds=[inside.fileno()],
                start_new_session=True,
            )
        self._wait_until_warm()

    def fork(self) -> "Fork":
        """Start a kernel; it may still be starting."""
        self._count += 1
        return Fork(self, self._count, self._folder / "ipc" / str(self._count), self._limits)

    def send(self, order: dict[str, Any]) -> None:
        """Give an order to the warm parent.

        Raises:
            WallsError: it is gone.
        """
        try:
            self._control.send(json.dumps(order).encode())
        except OSError:
            raise self._broken() from None

    def ending(self, number: int) -> int | None:
        """Return how a kernel ended, or None while it runs.

        Raises:
            WallsError: the warm parent is gone.
        """
        self._listen()
        return self._news.get(number)

    def last_words(self) -> str:
        """Return the last line that was written inside before there was anything to run, or ""."""
        text = (self._folder / "log").read_text(errors="replace").strip()
        return text.rpartition("\n")[2][:300]

    def close(self) -> None:
        """End everything inside, and remove the traces."""
        self._control.close()
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _listen(self, seconds: float = 0.0) -> None:
        self._control.settimeout(seconds)
        try:
            received = self._control.recv(65536)
        except (TimeoutError, BlockingIOError):
            return
        except OSError:
            received = b""
        finally:
            self._control.settimeout(None)
        if not received:
            raise self._broken()
        message = json.loads(received)
        self._news[message.get("ended", 0)] = message.get("status", 0)

    def _broken(self) -> WallsError:
        return WallsError(f"the walls broke down; {self.last_words()}")

    def _wait_until_warm(self) -> None:
        try:
            self._listen(_STARTUP)
            if not self._news:
                raise WallsError("the walls took too long to build")
        except BaseException:
            self.close()
            raise


class Fork:
    """A kernel that the warm parent has forked: what nbval talks to, as `KernelProcess` elsewhere.

    It is gone when its block ends.

    Attributes:
        folder: its own in /ipc, where its sockets are; gone when the kernel is.
        connection: the file that says where the kernel listens, as seen from outside.
        last_words: returns why the last kernel that did not start could not; what one that runs
            writes is not kept.
        largest_message: bytes of a message; evidence has less than a thirtieth of that.
    """

    largest_message = 8 * 2**20

    def __init__(self, walls: Walls, number: int, folder: Path, limits: dict[str, Any]) -> None:
        self._walls, self._number, self.folder = walls, number, folder
        self.last_words = walls.last_words
        folder.mkdir()
        folder.chmod(0o777)  # the kernel is another user; nobody else gets here
        self.connection = folder / "outside.json"
        self._write_connections()
        walls.send({"start": number, "folder": f"/ipc/{number}", "user": _user(number), **limits})

    def __enter__(self) -> "Fork":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def is_alive(self) -> bool:
        """Return whether it runs."""
        return self.status() is None

    def interrupt(self) -> None:
        """Do what Ctrl-C does."""
        self._walls.send({"to": self._number, "signal": int(signal.SIGINT)})

    def kill(self) -> None:
        """End it and all that it started; its folder is removed."""
        if self.is_alive():
            self._walls.send({"to": self._number, "signal": int(signal.SIGKILL)})
        while self.is_alive():
            time.sleep(_PAUSE)
        shutil.rmtree(self.folder, ignore_errors=True)

    def status(self) -> int | None:
        """Return how it ended: an exit status; None while it runs."""
        return self._walls.ending(self._number)

    def cpu_seconds(self) -> float:
        """Return the processor time of all its processes so far; 0.0 before it is listening."""
        return float(self._told() or 0)

    wait_until_listening = KernelProcess.wait_until_listening

    def _is_listening(self) -> bool:
        return bool(self._told())

    def _told(self) -> bytes:
        with suppress(OSError):
            return (self.folder / "ready").read_bytes()
        return b""

    def _write_connections(self) -> None:
        """Say where the kernel listens, for both sides; `cage.freeze` lets it change nothing."""
        known = {f"{name}_port": place for place, name in enumerate(_CHANNELS, 1)}
        known |= {"transport": "ipc", "key": secrets.token_hex(16)}
        known |= {"signature_scheme": "hmac-sha256", "kernel_name": "python3"}
        inside = self.folder / "kernel.json"
        for path, place in ((self.connection, self.folder / "k"), (inside, "/run/kernel/k")):
            path.write_text(json.dumps({**known, "ip": str(place)}), encoding="utf-8")
            path.chmod(0o644)


def clean_up() -> None:
    """Remove what graders that were killed have left behind."""
    for place in Path("/tmp").glob(f"{_PREFIX}*"):
        owner = place.name.removeprefix(_PREFIX).partition("-")[0]
        if not Path("/proc", owner).exists():
            shutil.rmtree(place, ignore_errors=True)


def _user(number: int) -> int:
    """Return who a kernel is if the grader is root, whom limits do not hold.

    No other kernel on this machine is the same user, as what a user may have is limited. Where
    the system has not that many users, all kernels are nobody.
    """
    every = Path("/proc/self/uid_map").read_text().split() == ["0", "0", "4294967295"]
    return _FIRST_USER + os.getpid() * _KERNELS + number % _KERNELS if every else _NOBODY


def _copy_packages(target: Path) -> None:
    for package in (whygrad, helpers):
        shutil.copytree(
            Path(package.__file__).parent,
            target / package.__name__,
            ignore=lambda _, names: _LEFT_OUT.intersection(names),
        )
    # Of the command, only what runs inside, and the packages that it lies in.
    root = Path(course.__file__).parents[1]
    inside = Path("course", "grading", "inside")
    shutil.copytree(root / inside, target / inside)
    for folder in inside.parents[:-1]:
        shutil.copy(root / folder / "__init__.py", target / folder)
    for place in [target, *target.rglob("*")]:  # nobody, who the kernel is, reads them too
        place.chmod(0o755 if place.is_dir() else 0o644)
