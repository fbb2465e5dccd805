"""Start this project's own `course lab` on a copy of the notebooks, and stop it for certain."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from course.checkout import PACKAGE_ROOT

TOKEN = "browser-tests"
_SECONDS_TO_START = 60
_SECONDS_TO_STOP = 20
_SECONDS_TO_DIE = 5
_LINES_OF_LOG = 25


class Server:
    """A running JupyterLab.

    Attributes:
        url: the server's address, without a slash at its end.
        folder: the copy of the course that it shows, or that lies in what it shows.
        above: what JupyterLab puts before a path of the course, if it shows the folder above.
    """

    def __init__(self, folder: Path, *, above: bool = False) -> None:
        self.folder = folder / "course"
        self.above = "course/" if above else ""
        shown = [f"--ServerApp.root_dir={folder}"] if above else []
        self.url = f"http://127.0.0.1:{_free_port()}"
        self._log = folder / "jupyterlab.log"
        _copy_course(self.folder)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*_command(self.url.rpartition(":")[2]), *shown],
                cwd=self.folder,
                env=_environment(folder),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait(self) -> None:
        """Return when the server answers.

        Raises:
            RuntimeError: it ended, or it did not answer in time; shows the end of its log.
        """
        deadline = time.monotonic() + _SECONDS_TO_START
        while not _answers(f"{self.url}/api/status?token={TOKEN}"):
            ended = self._process.poll() is not None
            if ended or time.monotonic() > deadline:
                what = "ended at its start" if ended else f"is silent after {_SECONDS_TO_START} s"
                raise RuntimeError(f"JupyterLab {what}. The end of its log:\n{self.last_words()}")
            _pause(self._process)

    def restore(self, path: str) -> None:
        """Copy a notebook again, as it is stored in the checkout."""
        path = path.removeprefix(self.above)
        shutil.copy(PACKAGE_ROOT / path, self.folder / path)

    def last_words(self) -> str:
        """Return the last lines of the server's log."""
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(lines[-_LINES_OF_LOG:])

    def status(self) -> int | None:
        """Return the exit status of the server, or None while it runs."""
        return self._process.poll()

    def stop(self) -> None:
        """Stop the server and its kernels; nothing is running when this returns."""
        self._process.terminate()  # it ends its kernels first, which have sessions of their own
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=_SECONDS_TO_STOP)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        deadline = time.monotonic() + _SECONDS_TO_DIE
        while _group_exists(self._process.pid) and time.monotonic() < deadline:
            time.sleep(0.01)  # a signal is sent at once, and takes a moment to end a process


def _group_exists(number: int) -> bool:
    try:
        os.killpg(number, 0)
    except (ProcessLookupError, PermissionError):  # macOS has the latter for those that ended
        return False
    return True


def _copy_course(folder: Path) -> None:
    # What `course lab` knows a checkout by, and the notebooks with their pictures.
    for name in ("lessons", "notebooks", "exercises", "docs"):
        ignored = shutil.ignore_patterns(".*")
        shutil.copytree(PACKAGE_ROOT / name, folder / name, ignore=ignored)
    shutil.copy(PACKAGE_ROOT / "requirements.lock", folder)


def _command(port: str) -> list[str]:
    course = shutil.which("course", path=str(Path(sys.executable).parent))
    if course is None:
        raise RuntimeError("the command `course` is not installed here: run `make setup`.")
    arguments = ["--no-browser", "--ip=127.0.0.1", "--port", port, "--ServerApp.port_retries=0"]
    # Tests look at JupyterLab's own model of a notebook: it unloads cells that are off screen.
    return [course, "lab", *arguments, "--LabApp.expose_app_in_browser=True"]


def _environment(folder: Path) -> dict[str, str]:
    # A student's first start: none of this user's settings, and nothing written to them.
    names = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    private = {name: str(folder / name.lower()) for name in names}
    kept = {key: text for key, text in os.environ.items() if not key.startswith("JUPYTER")}
    progress = {"COURSE_PROGRESS": str(folder / "progress.db")}
    return {**kept, **private, **progress, "JUPYTER_TOKEN": TOKEN}


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def _answers(url: str) -> bool:
    # Whatever proxy the machine has is not for this address.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=5):
            return True
    except OSError:
        return False


def _pause(process: subprocess.Popen) -> None:
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=0.2)
