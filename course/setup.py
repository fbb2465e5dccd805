"""Make the course's environment: .venv with all of requirements.lock, and Graphviz's `dot`.

Standard library only, since the system's Python runs this before anything is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from course import debian_packages, pip_packages
from course.pip_packages import SetupError
from course.set_up_lock import alone
from whygrad.dot_program import HOW_TO_GET_DOT

ROOT = Path(__file__).resolve().parents[1]
OLDEST_PYTHON = (3, 11)
HOW_TO_GET_PYTHON = (
    "Debian, Ubuntu: `sudo apt-get install python3 python3-venv`; macOS: `brew install python`; "
    "Windows: `winget install Python.Python.3.13`"
)
# How the course is set up and opened: Windows has no make.
SET_UP, OPEN = (
    ("py -m course setup", "py -m course lab") if os.name == "nt" else ("make setup", "make lab")
)
# What an environment was made from, in a small file inside it. An empty one means that the set-up
# began and did not end; none, that it did not make the environment at all.
STAMP = "course-setup.json"


def set_up(root: Path, torch: str = "") -> None:
    """Make or update `root/.venv`; do nothing when it is as it should be.

    Of several at once, one goes first, and the others find its work done.

    Args:
        root: the checkout of the course.
        torch: one of `pip_packages.CHOICES`; empty keeps the choice of the last time.

    Raises:
        SetupError: a step cannot be done; the message tells what to do.
    """
    check_python(sys.version_info[:2])
    leave_to_hub(root)
    if is_set_up(root, torch):
        return
    with alone(root):
        if not is_set_up(root, torch):
            make(root, torch)
    print(f"ready: `{OPEN}` opens the course")


def is_set_up(root: Path, torch: str) -> bool:
    """Tell whether `root/.venv` is as it should be."""
    done, wanted = state(root, torch)
    return done == wanted and is_there(root / ".venv")


def state(root: Path, torch: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return what `root/.venv` was made from, and what it is to be made from."""
    done = read_stamp(root / ".venv")
    return done, describe(root, torch or done.get("torch", "auto"))


def make(root: Path, torch: str) -> None:
    """Make or update `root/.venv`, as in `set_up`."""
    venv = root / ".venv"
    done, wanted = state(root, torch)
    python = venv_python(venv)
    refuse_foreign(venv)
    anew = not is_there(venv) or is_unusable(done, wanted)
    if anew:
        shutil.rmtree(venv, ignore_errors=True)
    write_stamp(venv, {})
    if anew:
        make_venv(venv)
    elif done["torch"] != wanted["torch"]:
        pip_packages.run(
            python, "uninstall", "--yes", "torch"
        )  # pip holds all builds for the same torch
    install_packages(root, python, wanted["torch"])
    find_dot()
    measure_known_mistakes(root, python)
    write_stamp(venv, wanted)


def check_python(version: tuple[int, ...]) -> None:
    """Raise SetupError for a Python that is too old for the course."""
    if version < OLDEST_PYTHON:
        have, need = (".".join(map(str, pair)) for pair in (version, OLDEST_PYTHON))
        raise SetupError(
            f"This is Python {have}, the course needs {need} or newer: install one "
            f"({HOW_TO_GET_PYTHON}), or name it: make PYTHON=/path/to/python3; "
            "on Windows py -3.13 -m course setup."
        )


def describe(root: Path, torch: str) -> dict[str, str]:
    """Return what the environment of `root` depends on, as the stamp keeps it."""
    if torch not in pip_packages.CHOICES:
        known = ", ".join(pip_packages.CHOICES)
        raise SetupError(f"TORCH={torch} is not known: use one of {known}.")
    files = [root / "requirements.lock", root / "pyproject.toml"]
    files += sorted((root / "course" / "jupyter").glob("*.json"))
    content = b"\0".join(file.read_bytes() for file in files)
    return {
        "python": ".".join(map(str, sys.version_info[:2])),
        "folder": str(root),  # an environment cannot be moved
        "files": hashlib.sha256(content).hexdigest(),
        "torch": torch,
    }


def read_stamp(venv: Path) -> dict[str, str]:
    """Return what the last finished set-up of `venv` wrote; empty if none finished."""
    try:
        stamp = json.loads((venv / STAMP).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def write_stamp(venv: Path, made_from: dict[str, str]) -> None:
    """Write the stamp of `venv`, whose folder is made if it is missing."""
    venv.mkdir(exist_ok=True)
    (venv / STAMP).write_text(json.dumps(made_from, indent=1), "utf-8")


def is_unusable(done: dict[str, str], wanted: dict[str, str]) -> bool:
    """Tell whether the environment is unfinished, moved, or of another Python."""
    return any(done.get(key) != wanted[key] for key in ("python", "folder"))


def is_on_hub() -> bool:
    """Tell whether this runs on a JupyterHub, whose admin installs the packages for all."""
    # Binder is one, too, but whoever comes there has nobody to ask.
    return "JUPYTERHUB_USER" in os.environ and "BINDER_LAUNCH_HOST" not in os.environ


def leave_to_hub(root: Path) -> None:
    """Raise SetupError for what students have on a JupyterHub: a release, which has no lessons/."""
    if is_on_hub() and not (root / "lessons").is_dir():
        raise SetupError(
            "On a JupyterHub the course's packages are the hub's, and nothing is set up here. Type "
            "`course status`, `course check` and `course doctor` as they stand, with nothing "
            "before them; if they are not found, tell the hub's admin."
        )


def is_there(venv: Path) -> bool:
    """Tell whether an environment is there, and not known to be another interpreter's."""
    if not venv_python(venv).is_file():
        return False
    try:
        made_by = re.search(r"(?m)^executable = (.+)$", (venv / "pyvenv.cfg").read_text("utf-8"))
        return made_by is None or Path(made_by[1]).samefile(base_python())
    except OSError:
        return True


def base_python() -> str:
    """Return the running interpreter; that of which it was made, if it is an environment's."""
    return getattr(sys, "_base_executable", sys.executable)


def refuse_foreign(venv: Path) -> None:
    """Raise SetupError rather than overwrite an environment that someone made by hand."""
    if venv.exists() and any(venv.iterdir()) and not (venv / STAMP).exists():
        raise SetupError(
            f"{venv} was not made by this set-up: rename or remove it, and run this again."
        )


def venv_python(venv: Path) -> Path:
    """Return the path of an environment's interpreter."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_venv(venv: Path) -> None:
    """Make an empty environment in the folder `venv`."""
    base = base_python()  # not .venv's own, if it is active
    print(f"python: {sys.version.split()[0]} ({base}), in a new {venv.name}", flush=True)
    require_ensurepip(base)
    command = [base, "-m", "venv", str(venv)]
    result = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if result.returncode:
        reason = "".join((result.stderr or result.stdout).strip().splitlines()[-1:])
        raise SetupError(f"{' '.join(command)} failed ({reason}): mend that and run this again.")


def require_ensurepip(base: str) -> None:
    """Get what `venv` needs to install pip: Debian keeps it in a package apart."""
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    if find_spec("ensurepip") or (
        base.startswith("/usr/bin/") and debian_packages.install(package)
    ):
        return
    raise SetupError(
        "This Python cannot make an environment, since a part of it is missing: on Debian and "
        f"Ubuntu `sudo apt-get install {package}`, then run this again."
    )


def install_packages(root: Path, python: Path, torch: str) -> None:
    """Install everything in requirements.lock, then the course itself, editable."""
    source = pip_packages.source_of_torch(torch, python)
    build = "torch's CPU build" if source else "torch as pip finds it"
    print(f"packages: installing requirements.lock, with {build}; minutes, once", flush=True)
    pip_packages.run(python, "install", *source, "-r", str(root / "requirements.lock"))
    # Everything it needs is there by now, hatchling to build it too.
    pip_packages.run(
        python, "install", "--quiet", "--no-deps", "--no-build-isolation", "-e", str(root)
    )


def measure_known_mistakes(root: Path, python: Path) -> None:
    """Measure once what the checks' known mistakes give; the first check would wait for it.

    A release has it in its files.
    """
    if not (root / "helpers" / "checks" / "references").is_dir():
        return
    print("checks: measuring what known mistakes give; seconds, once", flush=True)
    subprocess.run([python, "-m", "helpers.checks.known"], cwd=root, check=False)


def find_dot() -> None:
    """Find Graphviz's `dot`, or install it, or say how to get it: the course runs without it."""
    if shutil.which("dot") is None:
        debian_packages.install("graphviz")
    place = shutil.which("dot")
    print(f"dot: {place}" if place else f"dot: {HOW_TO_GET_DOT}", flush=True)


def told(step: Callable[[], None]) -> int:
    """Do a step of the set-up; return the exit status, and say in a sentence what went wrong."""
    try:
        step()
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped: the next call starts the set-up again.", file=sys.stderr)
        return 130
    return 0


def run(args: argparse.Namespace) -> int:
    """Set this checkout up; return the exit status."""
    return told(lambda: set_up(ROOT, os.environ.get("TORCH", "")))
