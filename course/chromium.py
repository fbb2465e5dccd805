"""Install Chromium for the tests that drive a browser, where that is possible."""

from __future__ import annotations

import shutil
import sys

from course import apt

_PROGRAMS = ("chromium", "chromedriver")


def main() -> int:
    """Install Debian's Chromium if it is missing; say so in one sentence where that fails."""
    if all(shutil.which(program) for program in _PROGRAMS):
        return 0
    print("chromium: installing it for the tests in a browser", flush=True)
    if not apt.install("chromium", "chromium-driver"):
        print(
            "chromium: not installed, so the tests in a browser cannot run; with apt-get, as root "
            "or through sudo, install `chromium` and `chromium-driver` and run this again."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
