"""Say to bubblewrap what the walls are to be: see bwrap(1)."""

import ctypes
import os
import shutil
import subprocess
import sys
import sysconfig
from itertools import pairwise
from pathlib import Path

import course
from course.grading.inside import LIBRARY

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ENVIRONMENT = "/environment"  # where Python's virtual environment is seen inside
_CONFIGURATION = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime")


def why_not() -> str:
    """Say why there can be no walls on this machine, or return an empty string."""
    if not sys.platform.startswith("linux"):
        return "the walls need Linux"
    if shutil.which("bwrap") is None:
        return "bubblewrap is missing: install it (Debian, Ubuntu: `apt-get install bubblewrap`)"
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        return "libseccomp is missing: install it (Debian, Ubuntu: `apt-get install libseccomp2`)"
    # A kernel builds namespaces inside of those that bubblewrap has built.
    inner = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--user", "--map-root-user"])]
    seen = [*_system_files(), "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    trial = subprocess.run(
        ["bwrap", *_namespaces(), *seen, *inner, "mount", "-t", "tmpfs", "none", "/tmp"],
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
        folder: holds "course", what is imported inside, "ipc", for the kernels' sockets, and
            "proc", what they see as /proc.
        hidden: folders that must not be seen from inside, wherever they lie, if they are on this
            machine; nor is this course, which may be another than that of the run.
    """
    base, own = Path(sys.base_prefix), Path(sys.prefix)
    bound = [*map(Path, _SYSTEM), base]
    secret = [*hidden, Path(course.__file__).parents[1], Path.home()]
    secret = [place.resolve() for place in secret if place.exists()]
    covered = [place for place in secret if any(map(place.is_relative_to, bound))]
    words = ["bwrap", *_namespaces(), *_system_files(), "--tmpfs", "/tmp"]
    words += [] if base.is_relative_to("/usr") else _bind(base)
    for place in covered:
        words += ["--perms", "0755", "--tmpfs", str(place)]
    # Again, as it may lie in a folder that has just been covered.
    words += _bind(base) if any(map(base.is_relative_to, covered)) else []
    words += [] if own == base else _environment(folder, secret)
    words += ["--proc", "/proc", "--dev", "/dev", "--dir", "/run/kernel"]
    words += ["--dev-bind", "/dev/null", "/dev/zero"]  # which is memory, if it is mapped
    words += ["--ro-bind", str(folder / "proc"), "/run/proc"]
    words += ["--ro-bind", str(folder / "course"), "/course"]
    words += ["--bind", str(folder / "ipc"), "/ipc", "--chdir", "/tmp", "--clearenv"]
    words += ["--setenv", "HOME", "/tmp", "--setenv", "OMP_NUM_THREADS", "1"]
    # Each kernel has a /tmp and a /dev/shm of its own. What they share, none may write to.
    shared = [place for option, place in pairwise(words) if option == "--tmpfs" and place != "/tmp"]
    words += [word for place in (*shared, "/dev", "/") for word in ("--remount-ro", place)]
    python = sys.executable if own == base else f"{_ENVIRONMENT}/bin/python"
    return [*words, python, "-I", "/course/course/grading/inside/warm.py"]


def _environment(folder: Path, secret: list[Path]) -> list[str]:
    """Show the virtual environment's packages, and not where it lies.

    Not in its own place: that may be in /tmp, which each kernel has anew.
    """
    own, program = Path(sys.prefix), Path(sys.executable).resolve()
    lines = (own / "pyvenv.cfg").read_text(encoding="utf-8").splitlines(keepends=True)
    told = [line for line in lines if line.startswith(("home", "include-system-site-packages"))]
    (folder / "pyvenv.cfg").write_text("".join(told), encoding="utf-8")
    words = [*_open_folder(_ENVIRONMENT), *_open_folder(f"{_ENVIRONMENT}/bin")]
    words += ["--ro-bind", str(folder / "pyvenv.cfg"), f"{_ENVIRONMENT}/pyvenv.cfg"]
    words += ["--symlink", str(program), f"{_ENVIRONMENT}/bin/python"]
    for library in ("lib", "lib64"):
        words += _as_it_is(own / library, f"{_ENVIRONMENT}/{library}")
    for place in secret:
        if place.is_relative_to(own):
            words += ["--tmpfs", f"{_ENVIRONMENT}/{place.relative_to(own)}"]
    # These say where packages lie that are imported from elsewhere, such as the course.
    for path in Path(sysconfig.get_path("purelib")).glob("*_editable_*.pth"):
        words += ["--ro-bind", os.devnull, f"{_ENVIRONMENT}/{path.relative_to(own)}"]
    return words


def _namespaces() -> list[str]:
    shared = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-cgroup-try"]
    shared += ["--unshare-uts", "--hostname", "course", "--die-with-parent", "--new-session"]
    return [*shared, *(["--cap-add", "ALL"] if os.getuid() == 0 else ["--unshare-user"])]


def _system_files() -> list[str]:
    words = _open_folder("/etc")
    for place in _SYSTEM:
        words += _as_it_is(Path(place), place)
    for place in _CONFIGURATION:
        words += ["--ro-bind-try", place, place]
    return words


def _as_it_is(place: Path, inside: str) -> list[str]:
    if place.is_symlink():
        return ["--symlink", str(place.readlink()), inside]
    return ["--ro-bind", str(place), inside] if place.is_dir() else []


def _open_folder(place: Path | str) -> list[str]:
    return ["--perms", "0755", "--dir", str(place)]


def _bind(place: Path) -> list[str]:
    """Show a folder, in parents that a kernel may pass through: bubblewrap would close those."""
    parents = [word for parent in reversed(place.parents[:-1]) for word in _open_folder(parent)]
    return [*parents, "--ro-bind", str(place), str(place)]
