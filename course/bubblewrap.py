"""Install bubblewrap for `course grade`, where that is possible."""

from __future__ import annotations

import shutil
import sys

from course import apt


def main() -> int:
    """Install Debian's bubblewrap if it is missing; say so in one sentence where that fails."""
    if shutil.which("bwrap") or not sys.platform.startswith("linux"):
        return 0
    print("bubblewrap: installing it for `course grade`", flush=True)
    if not apt.install("bubblewrap"):
        print(
            "bubblewrap: not installed, so `course grade` has no walls to grade behind; with "
            "apt-get, as root or through sudo, install `bubblewrap` and run this again."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
