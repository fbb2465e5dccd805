"""Print the addresses that open the course with nothing installed: on Binder, on a JupyterHub."""

import argparse
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, urlencode

from course.checkout import START_PAGE, find_root

# https://host/owner/name.git, ssh://git@host:22/owner/name and git@host:owner/name
_ADDRESS = re.compile(
    r"(?:\w+://)?(?:[^@/]+@)?(?P<host>\w[\w.-]*)(?::\d+(?=/))?[:/]/*(?P<path>.+?)(?:[.]git)?/*"
)
_BADGE = "https://mybinder.org/badge_logo.svg"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course binder`."""
    parser.add_argument(
        "--hub",
        metavar="ADDRESS",
        help="print the link for nbgitpuller on this JupyterHub, such as https://hub.example.org",
    )


def launch(address: str, page: str = START_PAGE) -> str:
    """Return the address at which mybinder.org opens a notebook of the course in JupyterLab.

    Args:
        address: the repository's address on GitHub or GitLab, in a form that git knows.
        page: the notebook, as its path in the repository.

    Raises:
        ValueError: Binder cannot open the address in this way; the message tells what it can.

    >>> launch("git@github.com:ada/course.git")
    'https://mybinder.org/v2/gh/ada/course/HEAD?urlpath=lab%2Ftree%2Fnotebooks%2Findex.ipynb'
    """
    host, path = place(address)
    if host == "github.com" and path.count("/") == 1:
        repository = f"gh/{path}"
    elif host == "gitlab.com" and "/" in path:
        repository = f"gl/{quote(path, safe='')}"  # a GitLab project may lie in groups of groups
    else:
        raise ValueError(
            f"origin is {host or 'no address'}, which has no Binder badge here: it is made for "
            "repositories on github.com and gitlab.com; push the course to one, as origin."
        )
    shown = quote(f"lab/tree/{page}", safe="")
    return f"https://mybinder.org/v2/{repository}/HEAD?urlpath={shown}"


def badge(address: str) -> str:
    """Return the Markdown of the badge with that link; errors as in `launch`."""
    return f"[![Open in Binder]({_BADGE})]({launch(address)})"


def hub_link(hub: str, address: str, branch: str = "") -> str:
    """Return the address that fetches the course on a JupyterHub and opens its map.

    Args:
        hub: the hub's address. It needs nbgitpuller, and the packages of the course.
        address: the repository's address, in a form that git knows; the hub reads it by https.
        branch: which branch; empty for the one that the repository shows first.

    Raises:
        ValueError: the repository has no address that a hub could read.

    Source: https://nbgitpuller.readthedocs.io/en/latest/link.html
    """
    host, path = place(address)
    if not host or "/" not in path:
        raise ValueError(
            f"origin is {address or 'no address'}, which a hub cannot read: push the course to a "
            "server, as origin."
        )
    folder = path.rpartition("/")[2]
    asked = {"repo": f"https://{host}/{path}", "urlpath": f"lab/tree/{folder}/{START_PAGE}"}
    if branch:
        asked["branch"] = branch
    return f"{hub.rstrip('/')}/hub/user-redirect/git-pull?{urlencode(asked)}"


def place(address: str) -> tuple[str, str]:
    """Return the host of a repository and its path there; two empty strings if it has none."""
    match = _ADDRESS.fullmatch(address.strip())
    return (match["host"].lower(), match["path"]) if match else ("", "")


def origin(root: Path) -> str:
    """Return the address of the remote `origin`, or an empty string if there is none."""
    return _git(root, "remote", "get-url", "origin")


def _git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), *words]
    try:
        return subprocess.run(command, capture_output=True, encoding="utf-8").stdout.strip()
    except OSError:  # no git
        return ""


def run(args: argparse.Namespace) -> int:
    """Print what was asked for, or one sentence that tells why there is none."""
    root = find_root()
    address = origin(root)
    if not address:
        print(
            "This folder has no git remote called origin, so it has no address yet: push it to "
            "GitHub or GitLab and run `course binder` again.",
            file=sys.stderr,
        )
        return 1
    try:
        if args.hub:
            first = _git(root, "symbolic-ref", "--short", "refs/remotes/origin/HEAD")
            print(hub_link(args.hub, address, first.removeprefix("origin/")))
        else:
            print(f"{badge(address)}\n\n{launch(address)}")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
