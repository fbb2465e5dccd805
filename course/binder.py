"""Print the Binder badge for the repository's own address."""

import argparse
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from course.checkout import START_PAGE, find_root

# https://host/owner/name.git, ssh://git@host:22/owner/name and git@host:owner/name
_ADDRESS = re.compile(
    r"(?:\w+://)?(?:[^@/]+@)?(?P<host>\w[\w.-]*)(?::\d+(?=/))?[:/]/*(?P<path>.+?)(?:[.]git)?/*"
)


def badge(address: str) -> str:
    """Return the Markdown of the badge for a repository on GitHub or GitLab.

    Args:
        address: the repository's address, in a form that git knows.

    Raises:
        ValueError: Binder cannot open the address in this way; the message tells what it can.

    >>> badge("git@github.com:ada/course.git").split("(")[-1]
    'https://mybinder.org/v2/gh/ada/course/HEAD?urlpath=lab%2Ftree%2Fnotebooks%2F00_autograd.ipynb)'
    """
    match = _ADDRESS.fullmatch(address.strip())
    host, path = (match["host"].lower(), match["path"]) if match else ("", "")
    if host == "github.com" and path.count("/") == 1:
        repository = f"gh/{path}"
    elif host == "gitlab.com" and "/" in path:
        repository = f"gl/{quote(path, safe='')}"  # a GitLab project may lie in groups of groups
    else:
        raise ValueError(
            f"origin is {host or 'no address'}, which has no Binder badge here: it is made for "
            "repositories on github.com and gitlab.com; push the course to one, as origin."
        )
    page = quote(f"lab/tree/{START_PAGE}", safe="")
    link = f"https://mybinder.org/v2/{repository}/HEAD?urlpath={page}"
    return f"[![Open in Binder](https://mybinder.org/badge_logo.svg)]({link})"


def origin(root: Path) -> str:
    """Return the address of the remote `origin`, or an empty string if there is none."""
    command = ["git", "-C", str(root), "remote", "get-url", "origin"]
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()
    except OSError:  # no git
        return ""


def run(args: argparse.Namespace) -> int:
    """Print the badge, or one sentence that tells why there is none."""
    address = origin(find_root())
    if not address:
        print(
            "This folder has no git remote called origin, so it has no address yet: push it to "
            "GitHub or GitLab and run `course binder` again.",
            file=sys.stderr,
        )
        return 1
    try:
        print(badge(address))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
