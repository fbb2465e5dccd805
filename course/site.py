"""Build the static site from the stored notebooks and docs: `make site`."""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from course import binder
from course.building.stored import FOLDER
from course.checkout import START_PAGE, find_root
from course.notebooks.regions import BuildError
from course.publishing.search_weights import search_script
from course.publishing.staging import HERE, stage
from whygrad.look import css, css_of_pictures

PACKAGES = "sphinx"  # below .build, where `make site` installs it


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course site`."""
    parser.add_argument(
        "--origin", metavar="ADDRESS", help="the repository's address (default: git's origin)"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="where it goes (default: .build/site)"
    )


def run(args: argparse.Namespace) -> int:
    """Build the site; return the exit status."""
    root = find_root()
    address = binder.origin(root) if args.origin is None else args.origin
    try:
        return build_site(root, (args.out or root / FOLDER / "site").resolve(), address)
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1


def build_site(root: Path, out: Path, address: str = "") -> int:
    """Build the site of the course in `root`, without a network, and without running a cell.

    Args:
        root: the course's folder.
        out: the folder of the site; what is in it is deleted.
        address: of the repository; where it is on GitHub or GitLab, pages have buttons for Binder.

    Returns:
        Sphinx's exit status; a warning is an error.
    """
    made = root / FOLDER
    packages = made / PACKAGES
    if not (packages / "sphinx").is_dir():
        print("Sphinx is not installed here: `make site` installs it, and then builds.")
        return 1
    source, static = made / "site-source", made / "site-static"
    launch, files = launch_prefix(address), files_prefix(address)
    start = launch and launch + quote(START_PAGE, safe="")
    stage(root, source, start, repository_page(address))
    shutil.rmtree(static, ignore_errors=True)
    shutil.copytree(HERE / "static", static)
    shutil.copytree(source / "figures", static / "figures")
    for screenshot in (root / "docs").glob("*.png"):
        shutil.copy(screenshot, static / "figures")
    look = f"{css('html')}\n{css_of_pictures('.autograd-step-graph')}\n"
    (static / "look.css").write_text(look, encoding="utf-8")
    (static / "search.js").write_text(search_script(source), encoding="utf-8")
    shutil.rmtree(out, ignore_errors=True)
    given = {"root": str(root), "static": str(static), "launch": launch, "files": files}
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-b", "html"]
    command += ["-c", str(HERE), "-d", str(made / "site-doctrees")]
    result = subprocess.run(
        [*command, str(source), str(out)],
        env={**os.environ, "COURSE_SITE": json.dumps(given), "PYTHONPATH": str(packages)},
        cwd=root,
    )
    if result.returncode == 0:
        _offer_the_notebooks(root, out)
        _say_where_the_site_is(out / "404.html", address)
        print(f"{out}: built; open {out / 'index.html'} in a browser")
    return result.returncode


def launch_prefix(address: str) -> str:
    """Return the beginning of the addresses at which Binder opens a file; "" if it cannot.

    >>> launch_prefix("git@github.com:ada/course.git")
    'https://mybinder.org/v2/gh/ada/course/HEAD?urlpath=lab%2Ftree%2F'
    """
    try:
        return binder.launch(address, "")
    except ValueError:
        return ""


def repository_page(address: str) -> str:
    """Return the address at which the forge shows the repository; "" if none is known.

    >>> repository_page("git@github.com:ada/course.git")
    'https://github.com/ada/course'
    """
    try:
        return "https://{}/{}".format(*binder.on_forge(address))
    except ValueError:
        return ""


def files_prefix(address: str) -> str:
    """Return the beginning of the addresses at which the forge shows a file; "" if none is known.

    >>> files_prefix("git@github.com:ada/course.git")
    'https://github.com/ada/course/blob/HEAD/'
    """
    page = repository_page(address)
    blob = "-/blob" if page.startswith("https://gitlab.com/") else "blob"
    return page and f"{page}/{blob}/HEAD/"


def _offer_the_notebooks(root: Path, out: Path) -> None:
    """Put the stored lessons in place of what Sphinx read, for those who download them."""
    for path in out.glob("_sources/notebooks/*.ipynb"):
        shutil.copy(root / "notebooks" / path.name, path)


def _say_where_the_site_is(page: Path, address: str) -> None:
    """Let the page for addresses that lead nowhere find the others, whatever folder was asked for.

    Forges show the site below the repository's name. Elsewhere nobody knows where it stands.
    """
    if not launch_prefix(address):
        return
    name = binder.place(address)[1].rpartition("/")[2]
    base = f'<head><base href="/{quote(name)}/">'
    page.write_text(page.read_text(encoding="utf-8").replace("<head>", base, 1), encoding="utf-8")
