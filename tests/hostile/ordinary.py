"""Run a command as an ordinary user, where root runs the tests."""

import stat
import sys
from pathlib import Path

from tests.hostile.make import ROOT

NOBODY = 65534


def as_nobody() -> list[str]:
    """Return the beginning of a command that root gives to run the rest of it as nobody."""
    return [*open_to_all(), "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def open_to_all() -> list[str]:
    """Return the beginning of a command that root gives, and that may go on as other users.

    They find this checkout and its Python in their places, though these be in a folder that is
    closed to others, as /root is: such a folder shows nothing else.
    """
    words = ["bwrap", "--dev-bind", "/", "/", "--cap-add", "ALL"]
    needed = {ROOT, Path(sys.prefix), Path(sys.base_prefix)}
    closed = {parent for path in needed for parent in path.parents if _is_closed(parent)}
    for place in sorted(closed):
        words += ["--perms", "0755", "--tmpfs", str(place)]
    for path in sorted(needed):
        if closed & set(path.parents):
            for parent in reversed(path.parents[:-1]):
                words += ["--perms", "0755", "--dir", str(parent)]
            words += ["--bind", str(path), str(path)]
    return words


def _is_closed(folder: Path) -> bool:
    return not folder.stat().st_mode & stat.S_IXOTH
