"""A copy of the working tree that takes the checkout's place for whatever runs in it.

bubblewrap shows the copy at the path of the checkout. So nothing imports the checkout: no kernel,
no grader, no `python -I`, which all follow .venv to that path.
"""

import hashlib
import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

from tests.faults.stored import ROOT, Fault, FaultError

PLACE = ROOT / ".build" / "faults"
LOG = PLACE / "last.log"
VENV = str(ROOT / ".venv")
PYTHON = f"{VENV}/bin/python"
_NO_TESTS = 5  # pytest's status if none was chosen
_READ = """
import pathlib, sys, importlib.util
(package,) = importlib.util.find_spec(sys.argv[1].partition("/")[0]).submodule_search_locations
print(pathlib.Path(package, "..", sys.argv[1]).read_text(encoding="utf-8"), end="")
"""


class TreeCopy:
    """A copy of all files that git tracks or does not ignore.

    Attributes:
        folder: where it is, and is left.
        digest: of the names and the bytes of its files.
    """

    def __init__(self) -> None:
        self.folder, self._originals = PLACE / "tree", PLACE / "originals"
        for place in (self.folder, self._originals):
            shutil.rmtree(place, ignore_errors=True)
        command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
        names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
        digest = hashlib.sha256()
        for name in sorted(filter(None, names.decode().split("\0"))):
            if (ROOT / name).is_file():  # a file that was removed may be tracked still
                _copy(ROOT / name, self.folder / name)
                digest.update(name.encode() + (self.folder / name).read_bytes())
        self.digest = digest.hexdigest()
        (self.folder / ".venv").mkdir()

    def apply(self, fault: Fault) -> None:
        """Put a fault into the copy.

        Raises:
            FaultError: its text does not fit, or the file is not the one that is imported.
        """
        _copy(self.folder / fault.file, self._originals / fault.file)
        text = fault.applied(self.folder)
        (self.folder / fault.file).write_text(text, encoding="utf-8")
        status = self._run([PYTHON, "-I", "-X", "utf8", "-c", _READ, fault.file], 60)
        if status != 0 or LOG.read_text(encoding="utf-8") != text:
            raise FaultError(f"{fault.file} is not the file that is imported: see {LOG}")

    def take_back(self, fault: Fault) -> None:
        """Take it out again. The file gets its old time, too, so no .pyc with the fault is used."""
        _copy(self._originals / fault.file, self.folder / fault.file)

    def failing(self, command: list[str], seconds: float) -> set[str] | None:
        """Run pytest, or another command, in the copy.

        Returns:
            The ids of the tests that failed; "" if the command itself did; None if it takes longer.
        """
        noted = self.folder / ".pytest_cache" / "v" / "cache" / "lastfailed"
        noted.unlink(missing_ok=True)
        status = self._run(command, seconds)
        if status in (None, 0, _NO_TESTS):
            return None if status is None else set()
        return set(json.loads(noted.read_text(encoding="utf-8"))) if noted.exists() else {""}

    def _run(self, command: list[str], seconds: float) -> int | None:
        words = ["bwrap", "--dev-bind", "/", "/", "--bind", str(self.folder), str(ROOT)]
        words += ["--ro-bind", VENV, VENV, "--chdir", str(ROOT), "--die-with-parent"]
        words += ["--cap-add", "ALL"] if os.getuid() == 0 else []  # for the walls of the grader
        with LOG.open("wb") as log:
            process = subprocess.Popen(
                [*words, *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            return process.wait(max(seconds, 0))
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
