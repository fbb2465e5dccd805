"""Open the course in JupyterLab, on its start page."""

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from course.checkout import START_PAGE, find_root
from course.hand_over import hand_over
from course.setup import is_on_hub


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the argument of `course lab` that is not handed on as it is."""
    parser.add_argument(
        "--notebook-dir",
        "--ServerApp.root_dir",
        dest="folder",
        metavar="FOLDER",
        help="the folder that JupyterLab shows (default: the course's)",
    )


def command(root: Path, rest: list[str], is_root: bool, folder: Path | None = None) -> list[str]:
    """Return the command that starts this environment's JupyterLab.

    Args:
        root: the course's folder.
        rest: further arguments for JupyterLab; they win over ours.
        is_root: whether the user is root, which JupyterLab must be told to allow.
        folder: the folder that JupyterLab shows; `root` if left out. The start page opens where
            it lies in there.
    """
    allow = ["--allow-root"] if is_root else []
    folder, page = folder or root, root / START_PAGE
    ours = {"--ServerApp.root_dir": str(folder)}
    if page.is_relative_to(folder):
        shown = quote(page.relative_to(folder).as_posix())
        ours = {"--LabApp.default_url": f"/lab/tree/{shown}", **ours}
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
    if is_on_hub():
        print(
            "On a JupyterHub you are in JupyterLab already: open the folder of the course in its "
            "list of files.",
            file=sys.stderr,
        )
        return 1
    root = find_root()
    folder = Path(args.folder).expanduser().resolve() if args.folder is not None else None
    if folder and not folder.is_dir():
        print(f"There is no folder {folder}: give one that JupyterLab can show.", file=sys.stderr)
        return 2
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    start = command(root, args.rest, is_root, folder)
    os.chdir(root)
    return hand_over(start, environment(os.environ))
