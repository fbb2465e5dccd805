"""Walls around the kernels: no network, no files but what Python needs, a warm parent inside."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import course
import helpers
import whygrad
from course.grading.settings import Settings
from course.grading.walls.bwrap_command import command
from course.grading.walls.submission_kernel import Fork

_PREFIX = "course-walls-"
_STARTUP = 120.0  # seconds; PyTorch takes long to load from a cold disk
# Of the package, what a notebook may import; no right answers, and nothing of the grader.
_LEFT_OUT = {"references", "measured", "__pycache__"}


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
        # The path of a socket must be short.
        _clean_up()
        self._folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir="/tmp"))
        self._limits = settings.limits
        self._count = 0
        self._news: dict[int, Any] = {}
        self._received = b""
        for name in ("ipc", "proc"):
            (self._folder / name).mkdir()
            (self._folder / name).chmod(0o755)
        shutil.copy("/proc/cpuinfo", self._folder / "proc")  # PyTorch complains without it
        _copy_packages(self._folder / "course")
        self._control, inside = socket.socketpair()
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

    def fork(self) -> Fork:
        """Start a kernel; it may still be starting."""
        self._count += 1
        folder = self._folder / "ipc" / str(self._count)
        ways = {"send": self.send, "ending": self.ending, "last_words": self._last_words}
        return Fork(self._count, folder, self._limits, **ways)

    def send(self, order: dict[str, Any]) -> None:
        """Give an order to the warm parent.

        Raises:
            WallsError: it is gone.
        """
        try:
            self._control.sendall(json.dumps(order).encode() + b"\n")
        except OSError as error:
            raise WallsError(f"the walls broke down ({error}); {self._last_words()}") from None

    def ending(self, number: int) -> int | None:
        """Return how a kernel ended, or None while it runs.

        Raises:
            WallsError: the warm parent is gone.
        """
        self._listen()
        return self._news.get(number)

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
            raise WallsError(f"the walls broke down; {self._last_words()}")
        *lines, self._received = (self._received + received).split(b"\n")
        for line in lines:
            message = json.loads(line)
            self._news[message.get("ended", 0)] = message.get("status", 0)

    def _wait_until_warm(self) -> None:
        deadline = time.monotonic() + _STARTUP
        try:
            while 0 not in self._news:
                self._listen(1.0)
                if time.monotonic() > deadline:
                    raise WallsError("the walls took too long to build")
        except BaseException:
            self.close()
            raise

    def _last_words(self) -> str:
        try:
            text = (self._folder / "log").read_text(errors="replace").strip()
        except OSError:
            return "no reason given"
        return text.splitlines()[-1][:300] if text else "no reason given"


def _clean_up() -> None:
    """Remove what graders that were killed have left behind."""
    for place in Path("/tmp").glob(f"{_PREFIX}*"):
        owner = place.name.removeprefix(_PREFIX).partition("-")[0]
        if not Path("/proc", owner).exists():
            shutil.rmtree(place, ignore_errors=True)


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
