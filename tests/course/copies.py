"""A copy of the course, for tests that add to it, and its commands there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from course.checkout import PACKAGE_ROOT

PARTS = ("conftest.py", "pyproject.toml", ".github", "CITATION.cff")
PARTS += tuple(path.name for path in PACKAGE_ROOT.glob("requirements*.lock"))
PARTS += (".gitattributes", ".gitignore", "postBuild")
PARTS += ("environment.yml", "Makefile", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE")
PARTS += ("docs", "lessons", "notebooks", "exercises", "solutions", "benchmarks")
PARTS += ("whygrad", "helpers", "course", "tests")


def copy_course(folder: Path) -> Path:
    """Copy the course into a folder, new or empty, and return it."""
    folder.mkdir(exist_ok=True)
    for source in (PACKAGE_ROOT / name for name in PARTS):
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, folder / source.name, ignore=ignored)
        else:
            shutil.copy(source, folder)
    for words in (["init", "--quiet"], ["add", "--all"]):  # git tells which files are tracked
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def run(root: Path, *arguments: str, status: int = 0) -> str:
    """Run a module on the course in `root`, with the packages there; return what it says."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == status, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stderr if status else done.stdout
