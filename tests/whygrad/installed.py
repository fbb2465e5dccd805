"""whygrad's own distribution: built, and installed where nothing else of the course is."""

import re
import subprocess
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import whygrad
from course.setup import venv_python

PACKAGE = Path(whygrad.__file__).parent
NEEDED = {"torch", "numpy", "jinja2"}


def build(folder: Path, source: Path = PACKAGE) -> tuple[Path, Path]:
    """Build sdist and wheel into a folder, as `make dist` does; return their paths."""
    # -P: the folder that is built has modules called `testing` and `trial`.
    run([sys.executable, "-P", "-m", "hatchling", "build", "-d", folder], source)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


def install(wheel: Path, folder: Path) -> Path:
    """Install it into a new environment that has what it needs; return that one's Python.

    What it needs is linked, with its metadata. There is no index to get more from, so pip fails
    where the wheel asks for anything else.
    """
    run([getattr(sys, "_base_executable", sys.executable), "-m", "venv", "--without-pip", folder])
    python = venv_python(folder)
    paths = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    packages = Path(paths.stdout.strip())
    for distribution in distributions(NEEDED):
        for top in {file.parts[0] for file in distribution.files or [] if ".." not in file.parts}:
            source, link = Path(distribution.locate_file(top)), packages / top
            if source.exists() and not link.exists() and top != "__pycache__":
                link.symlink_to(source)
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    run([*pip, "install", "--quiet", "--no-index", "--no-compile", wheel])
    return python


def run(
    command: list, cwd: Path | None = None, status: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run a command without the paths and settings of these tests; fail with what it said."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == status, done.stdout[-3000:] + done.stderr[-3000:]
    return done


def distributions(names: Iterable[str]) -> Iterable[metadata.Distribution]:
    """Return the distributions of these names and all that these need on this machine."""
    found, left = {}, list(names)
    while left:
        name = re.sub(r"[-_.]+", "-", left.pop()).lower()
        if name in found:
            continue
        try:
            found[name] = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # an extra, or of another system
        required = [r for r in found[name].requires or [] if "extra ==" not in r]
        left += [re.match(r"[A-Za-z0-9._-]+", requirement)[0] for requirement in required]
    return found.values()
