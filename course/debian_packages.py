"""Install Debian packages where that needs no password: as root, or through sudo.

`python -m course.debian_packages NAME` gets one of `EXTRAS`, which the course does without.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass


@dataclass(frozen=True)
class Extra:
    """Debian packages, the programs and libraries in them, and what cannot be done without."""

    packages: tuple[str, ...]
    programs: tuple[str, ...]
    purpose: str
    without: str
    libraries: tuple[str, ...] = ()

    def is_there(self) -> bool:
        """Tell whether the machine has all of it."""
        return all(map(shutil.which, self.programs)) and all(map(_is_library, self.libraries))


EXTRAS = {
    "chromium": Extra(
        ("chromium", "chromium-driver"),
        ("chromium", "chromedriver"),
        purpose="the tests in a browser",
        without="the tests in a browser cannot run",
    ),
    "bubblewrap": Extra(
        ("bubblewrap", "libseccomp2"),
        ("bwrap",),
        libraries=("libseccomp.so.2",),
        purpose="`course grade`",
        without="`course grade` has no walls to grade behind",
    ),
}


def install(*packages: str) -> bool:
    """Install Debian packages; False where apt-get is missing, not allowed or fails."""
    rights = _rights()
    if rights is None:
        return False
    apt_get = [*rights, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-y"]
    apt_get += ["-o", "DPkg::Lock::Timeout=120"]
    # A fresh machine has no package lists, an old one outdated ones: then fetch them, try again.
    return _works([*apt_get, "install", *packages]) or (
        _works([*apt_get, "update"]) and _works([*apt_get, "install", *packages])
    )


def _rights() -> list[str] | None:
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and _works(["sudo", "-n", "true"]):
        return ["sudo", "-n"]
    return None


def _works(command: list[str]) -> bool:
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0


def _is_library(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def main(name: str) -> int:
    """Install an extra if it is missing on Linux; say so in one sentence where that fails."""
    extra = EXTRAS[name]
    if extra.is_there() or not sys.platform.startswith("linux"):
        return 0
    print(f"{name}: installing it for {extra.purpose}", flush=True)
    if not install(*extra.packages):
        packages = " and ".join(f"`{package}`" for package in extra.packages)
        print(
            f"{name}: not installed, so {extra.without}; with apt-get, as root or through sudo, "
            f"install {packages} and run this again."
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
