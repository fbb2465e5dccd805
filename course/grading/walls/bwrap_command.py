"""Say to bubblewrap what the walls are to be: see bwrap(1)."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import course
import helpers
import whygrad

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ENVIRONMENT = "/environment"  # where Python's virtual environment is seen inside
_CONFIGURATION = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime")


def why_not() -> str:
    """Say why there can be no walls on this machine, or return an empty string."""
    if not sys.platform.startswith("linux"):
        return "the walls need Linux"
    if shutil.which("bwrap") is None:
        return "bubblewrap is missing: install it (Debian, Ubuntu: `apt-get install bubblewrap`)"
    trial = subprocess.run(
        ["bwrap", *_namespaces(), *_system_files(), "--proc", "/proc", "--dev", "/dev", "true"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if trial.returncode:
        return f"this system does not let bubblewrap build walls ({trial.stderr.strip()})"
    return ""


def command(folder: Path, hidden: tuple[Path, ...]) -> list[str]:
    """Return the command that runs the warm parent behind walls; it wants a descriptor's number.

    Args:
        folder: holds "course", what is imported inside, and "ipc", for the kernels' sockets.
        hidden: folders that must not be seen from inside, wherever they lie.
    """
    base, own = Path(sys.base_prefix), Path(sys.prefix)
    bound = [*map(Path, _SYSTEM), base]
    ours = [Path(package.__file__).parent for package in (whygrad, helpers, course)]
    secret = [*hidden, *ours, Path.home()]
    covered = [p for p in map(Path.resolve, secret) if any(p.is_relative_to(b) for b in bound)]
    words = ["bwrap", *_namespaces(), *_system_files(), "--tmpfs", "/tmp"]
    words += [] if base.is_relative_to("/usr") else _bind([base])
    for place in covered:
        words += ["--perms", "0755", "--tmpfs", str(place)]
    # Again, as it may lie in a folder that has just been covered.
    words += _bind([base] if any(base.is_relative_to(cover) for cover in covered) else [])
    python = sys.executable
    if own != base:
        # Not in its own place: that may be in /tmp, which each kernel has anew.
        words += ["--ro-bind", str(own), _ENVIRONMENT]
        inside = [place.relative_to(own) for place in secret if place.is_relative_to(own)]
        for place in inside:
            words += ["--tmpfs", f"{_ENVIRONMENT}/{place}"]
        python = f"{_ENVIRONMENT}/bin/python"
    words += ["--proc", "/proc", "--dev", "/dev", "--dir", "/run/kernel"]
    words += ["--ro-bind", str(folder / "course"), "/course"]
    words += ["--bind", str(folder / "ipc"), "/ipc", "--chdir", "/tmp", "--clearenv"]
    words += ["--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HOME", "/tmp"]
    words += ["--setenv", "LANG", "C.UTF-8", "--setenv", "OMP_NUM_THREADS", "1"]
    return [*words, python, "-I", "/course/course/grading/inside/warm.py"]


def _namespaces() -> list[str]:
    shared = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    shared += ["--unshare-cgroup-try", "--die-with-parent", "--new-session"]
    return [*shared, *(["--cap-add", "ALL"] if os.getuid() == 0 else ["--unshare-user"])]


def _system_files() -> list[str]:
    arguments = []
    for place in map(Path, _SYSTEM):
        if place.is_symlink():
            arguments += ["--symlink", str(place.readlink()), str(place)]
        elif place.is_dir():
            arguments += _each("--ro-bind", [place])
    return [*arguments, *_each("--ro-bind", [p for p in map(Path, _CONFIGURATION) if p.exists()])]


def _each(option: str, places: list[Path]) -> list[str]:
    return [word for place in places for word in (option, str(place), str(place))]


def _bind(places: list[Path]) -> list[str]:
    """Show folders, in parents that a kernel may pass through: bubblewrap would close those."""
    words = []
    for place in places:
        for parent in reversed(place.parents[:-1]):
            words += ["--perms", "0755", "--dir", str(parent)]
        words += ["--ro-bind", str(place), str(place)]
    return words
