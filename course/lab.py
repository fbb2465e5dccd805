"""Open the course in JupyterLab, on its start page."""

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from course.checkout import START_PAGE, find_root
from course.hand_over import hand_over


def command(root: Path, rest: list[str], is_root: bool) -> list[str]:
    """Return the command that starts this environment's JupyterLab in `root`.

    Args:
        root: the folder that JupyterLab shows.
        rest: further arguments for JupyterLab; they win over ours.
        is_root: whether the user is root, which JupyterLab must be told to allow.
    """
    allow = ["--allow-root"] if is_root else []
    ours = {
        "--LabApp.default_url": f"/lab/tree/{START_PAGE}",
        "--ServerApp.root_dir": str(root),
    }
    given = {word.partition("=")[0] for word in rest}  # JupyterLab refuses either one twice
    settings = [f"{name}={value}" for name, value in ours.items() if name not in given]
    return [sys.executable, "-m", "jupyterlab", *settings, *allow, *rest]


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return `environ` with this environment's kernels and programs before all others."""
    programs = str(Path(sys.executable).parent)
    path = os.pathsep.join(filter(None, [programs, environ.get("PATH")]))
    ours = {"JUPYTER_PREFER_ENV_PATH": "1", "PATH": path}
    # On few busy cores, threads that wait by spinning make a lesson ten times slower.
    return {"OMP_WAIT_POLICY": "PASSIVE", **environ, **ours}


def run(args: argparse.Namespace) -> int:
    """Start JupyterLab in place of this process; on Windows, below it."""
    root = find_root()
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    start = command(root, args.rest, is_root)
    os.chdir(root)
    return hand_over(start, environment(os.environ))
