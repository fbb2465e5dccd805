"""whygrad's own distribution: built, and installed where nothing else of the course is."""

import subprocess
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

import whygrad
from course.setup import base_python, venv_python

PACKAGE = Path(whygrad.__file__).parent
NEEDED = {"torch", "numpy", "jinja2"}


def build(folder: Path, source: Path = PACKAGE) -> tuple[Path, Path]:
    """Build sdist and wheel into a folder, as `make dist` does; return their paths."""
    # -P: the folder that is built has modules called `testing` and `trial`.
    run([sys.executable, "-P", "-m", "hatchling", "build", "-d", folder], source)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


def install(wheel: Path, folder: Path) -> Path:
    """Install it into a new environment that has only what it needs; return that one's Python."""
    (whygrads,) = metadata.distributions(path=[str(wheel)])
    python = environment(needed(whygrads), folder)
    pip(python, "install", "--no-index", "--no-deps", "--no-compile", wheel)
    return python


def environment(distributions: Iterable[metadata.Distribution], folder: Path) -> Path:
    """Make an environment that finds these distributions where they are; return its Python.

    They are linked in a folder outside the environment: pip removes and replaces nothing there.
    """
    linked, made = folder / "linked", folder / "environment"
    linked.mkdir(parents=True)
    for distribution in distributions:
        for top in {file.parts[0] for file in distribution.files or [] if ".." not in file.parts}:
            source, link = Path(distribution.locate_file(top)), linked / top
            if source.exists() and not link.exists() and top != "__pycache__":
                link.symlink_to(source)
    run([base_python(), "-m", "venv", "--without-pip", made])
    python = venv_python(made)
    paths = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"])
    Path(paths.stdout.strip(), "linked.pth").write_text(str(linked))
    return python


def pip(python: Path, *arguments: str | Path) -> None:
    """Run pip on an environment, without the settings of the user who runs the tests."""
    run([sys.executable, "-m", "pip", "--python", python, "--isolated", "--quiet", *arguments])


def run(
    command: list, cwd: Path | None = None, status: int = 0
) -> subprocess.CompletedProcess[str]:
    """Run a command without the paths and settings of these tests; fail with what it said."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == status, done.stdout[-3000:] + done.stderr[-3000:]
    return done


def needed(by: metadata.Distribution) -> Iterable[metadata.Distribution]:
    """Return the distributions that one needs on this machine; fail if one is not installed."""
    found, left = {}, [(by, set())]
    while left:
        asking, extras = left.pop()
        for wanted in map(Requirement, asking.requires or []):
            tries = [{"extra": extra} for extra in ("", *extras)]
            if wanted.marker and not any(map(wanted.marker.evaluate, tries)):
                continue
            one = metadata.distribution(wanted.name)
            fits = wanted.specifier.contains(one.version, prereleases=True)
            assert fits, f"{asking.name} needs {wanted}, but {one.version} is installed"
            key = (one.name, frozenset(wanted.extras))
            if key not in found:
                found[key] = one
                left.append((one, wanted.extras))
    return found.values()
