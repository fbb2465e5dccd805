"""Check this machine for the course: one line for each thing, with what to do about it."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from course.checkout import PACKAGE_ROOT, find_root
from course.setup import OLDEST_PYTHON, OPEN, SET_UP, is_on_hub
from whygrad.dot_program import HOW_TO_GET_DOT


@dataclass(frozen=True)
class Health:
    """What a check found: `fine` or not, in one line that tells what to do if not."""

    fine: bool
    line: str


def check_python(root: Path) -> Health:
    """Check the version of the running Python."""
    text = f"{sys.version.split()[0]} ({sys.executable})"
    if sys.version_info[:2] >= OLDEST_PYTHON:
        return Health(True, text)
    need = ".".join(map(str, OLDEST_PYTHON))
    how = _mend(f"install Python {need} or newer and run `{SET_UP}`")
    return Health(False, f"{text}: {how}")


def check_torch(root: Path) -> Health:
    """Check that torch imports, in the version of requirements.lock."""
    try:
        torch = import_module("torch")
    except Exception as error:
        return Health(False, f"cannot be imported ({_reason(error)}): {_set_up()}")
    version = torch.__version__
    locked = re.search(r"(?m)^torch==(\S+)", (root / "requirements.lock").read_text("utf-8"))
    if locked and version.split("+")[0] != locked[1]:
        return Health(False, f"{version}, the course is made for {locked[1]}: {_set_up()}")
    device = torch.cuda.get_device_name() if torch.cuda.is_available() else "no GPU, none needed"
    build = f"CUDA {torch.version.cuda} build" if torch.version.cuda else "CPU build"
    return Health(True, f"{version} ({build}; {device})")


def check_dot(root: Path) -> Health:
    """Check that Graphviz's `dot` is there and runs."""
    place = shutil.which("dot")
    if place is None:
        return Health(False, _mend(HOW_TO_GET_DOT))
    result = subprocess.run(
        [place, "-V"], capture_output=True, text=True, errors="replace", timeout=60
    )
    version = re.search(r"version (\S+)", result.stderr + result.stdout)
    if result.returncode or not version:
        return Health(False, f"{place} does not run: {_mend('install Graphviz again')}")
    return Health(True, f"Graphviz {version[1]} ({place})")


def check_kernel(root: Path) -> Health:
    """Check that a notebook's kernel, `python3`, is the running Python."""
    specs = import_module("jupyter_client.kernelspec").KernelSpecManager()
    program = specs.get_kernel_spec("python3").argv[0]
    # A plain name means the Python that runs JupyterLab. Links are not followed: they all end at
    # the system's Python.
    if program in ("python", "python3") or Path(program) == Path(sys.executable):
        return Health(True, f"python3 runs {sys.executable}")
    how = _mend(f"start with `{OPEN}`, which takes this one")
    return Health(False, f"python3 runs {program}: {how}")


def check_packages(root: Path) -> Health:
    """Check that the course's packages are those of the checkout `root`, or of the hub."""
    for name in ("whygrad", "helpers", "course"):
        place = Path(import_module(name).__file__).resolve().parent
        if place != root / name and not is_on_hub():
            return Health(False, f"from {place}, not from {root}: run `{SET_UP}` in {root}")
        closed = [path for path in place.rglob("*.py") if not os.access(path, os.R_OK)]
        if closed:
            how = _mend("make it and the others like it readable")
            return Health(False, f"{closed[0]} cannot be read: {how}")
    return Health(True, f"from {place.parent}")


def check_write_access(root: Path) -> Health:
    """Check that notebooks in `root` can be saved."""
    try:
        for folder in (root, root / "notebooks"):
            tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        if is_on_hub() and root == PACKAGE_ROOT:
            return Health(False, "this is asked in your own folder of the course: `cd` there first")
        return Health(False, f"{_reason(error)}: make {root} writable, or clone it elsewhere")
    return Health(True, str(root))


def check_walls(root: Path) -> Health:
    """Tell whether `course grade` can build its walls; nothing else needs them."""
    from course.grading.bwrap_command import why_not  # which a release has not

    reason = why_not()
    if reason:
        return Health(True, f"none, and only `course grade` needs them: {reason}")
    return Health(True, "bubblewrap and a filter of system calls, for `course grade`")


CHECKS: dict[str, Callable[[Path], Health]] = {
    "Python": check_python,
    "torch": check_torch,
    "dot": check_dot,
    "kernel": check_kernel,
    "packages": check_packages,
    "write access": check_write_access,
}
if find_spec("course.grading"):
    CHECKS["walls"] = check_walls


def examine(check: Callable[[Path], Health], root: Path) -> Health:
    """Return what `check` finds; a check that cannot be made is told as well."""
    try:
        return check(root)
    except Exception as error:
        return Health(False, f"cannot be checked ({_reason(error)}): {_set_up()}")


def _set_up() -> str:
    return _mend(f"run `{SET_UP}`")


def _mend(what: str) -> str:
    return "tell the hub's admin" if is_on_hub() else what


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]


def run(args: argparse.Namespace) -> int:
    """Print every finding; return 1 if something is to be done, otherwise 0."""
    root = find_root()
    findings = {name: examine(check, root) for name, check in CHECKS.items()}
    for name, finding in findings.items():
        print(f"{'✓' if finding.fine else '✗'} {name:<12} {finding.line}")
    return 0 if all(finding.fine for finding in findings.values()) else 1
