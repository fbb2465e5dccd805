"""Say what the last commit of a student's repository claims: its time, and whose it is.

Git reads the objects of that repository, and never its settings, which could name programs to run.
"""

import os
import re
import subprocess
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from course.grading.reading.untrusted_files import UnreadableError, at_most, open_regular

_LIMITS = ("prlimit", "--as=2000000000", "--cpu=5")
_SECONDS = 10
_LONGEST = 200  # characters
_OWN_SETTINGS = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}


@lru_cache(maxsize=1024)
def last_commit(folder: Path) -> str:
    """Return the time and the author of the last commit, as the student's computer wrote them.

    Args:
        folder: of a student, as it was cloned.

    Returns:
        Such as "2026-11-13 18:02 +0100 by Ada <ada@example.org>"; "" if there is no commit.
    """
    try:
        log = open_regular(folder / ".git" / "logs" / "HEAD")
        moves = at_most(log, "HEAD").decode("ascii", "replace")
    except UnreadableError:
        return ""
    last = re.match(r"[0-9a-f]{40} ([0-9a-f]{40}) ", moves.rstrip("\n").rpartition("\n")[2])
    return _described(folder / ".git" / "objects", last[1]) if last else ""


def _described(objects: Path, commit: str) -> str:
    log = "git", "log", "-1", "--date=format:%Y-%m-%d %H:%M %z", "--format=%ad by %an <%ae>", commit
    with TemporaryDirectory() as own:
        paths = {"GIT_DIR": own, "GIT_OBJECT_DIRECTORY": str(objects)}
        settings = os.environ | _OWN_SETTINGS | paths
        try:
            Path(own, "refs").mkdir()
            Path(own, "HEAD").write_text("ref: refs/heads/none\n")
            found = subprocess.run(
                (*_LIMITS, *log), cwd=own, env=settings, capture_output=True, timeout=_SECONDS
            )
        except (OSError, subprocess.SubprocessError):
            return ""
    return found.stdout.decode(errors="replace").strip()[:_LONGEST]
