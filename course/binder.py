"""Print the addresses that open the course with nothing installed: on Binder, on a JupyterHub."""

import argparse
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

from course.checkout import START_PAGE, find_root

# https://host/owner/name.git, ssh://git@host:22/owner/name and git@host:owner/name (no port)
_ADDRESS = re.compile(
    r"(?:(?P<scheme>\w+)://)?(?:[^@/]+@)?(?P<host>\w[\w.-]*)(?(scheme)(?P<port>:\d+(?=/))?)"
    r"[:/]/*(?P<path>.+?)(?:[.]git)?/*"
)
# To git, what is no address is a folder; on Windows one may begin with a drive.
_FOLDER = re.compile(r"(?:file:|[./~\\]|[a-z]:[/\\]).*", re.IGNORECASE | re.DOTALL)
# Other names of a forge: for those who copy from the browser, and by ssh through a firewall.
_SAME = {
    "www.github.com": "github.com",
    "ssh.github.com": "github.com",
    "www.gitlab.com": "gitlab.com",
    "altssh.gitlab.com": "gitlab.com",
}
_REPOSITORIES = {
    "github.com": re.compile(r"[\w.-]+/[\w.-]+", re.ASCII),
    "gitlab.com": re.compile(r"[\w.-]+(?:/[\w.-]+)+", re.ASCII),  # in groups of groups
}
_ELSEWHERE = re.compile(r"[^?#\s]+")  # neither a question nor a place in a page
# A page that somebody copied from a hub: what stands before it is the hub's own address.
_PAGE_OF_A_HUB = re.compile(r"/+(?:hub|user)(?:/.*)?$")
_HOST = re.compile(r"[\w-]+(?:[.][\w-]+)*[.]?")
_NO_ORIGIN = (
    "This folder has no git remote called origin, so it has no address yet: push it to a server, "
    "such as GitHub, as origin, and run this again."
)
_WITH_SOLUTIONS = (
    "This is the whole course, with its solutions: for a class, run this in what `course release` "
    "has written."
)
_FOREIGN = "{root} belongs to somebody else, and git does not read it: run this in a copy of yours."
_NOT_PUSHED = (
    "Git knows of no branch on origin: push yours, with `git push --set-upstream origin HEAD`, and "
    "run this again."
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
    host, path = on_forge(address)
    repository = f"gh/{path}" if host == "github.com" else f"gl/{quote(path, safe='')}"
    shown = quote(f"lab/tree/{page}", safe="")
    return f"https://mybinder.org/v2/{repository}/HEAD?urlpath={shown}"


def badge(address: str) -> str:
    """Return the Markdown of the badge with that link; errors as in `launch`."""
    return f"[![Open in Binder]({_BADGE})]({launch(address)})"


def hub_link(hub: str, address: str, branch: str = "") -> str:
    """Return the address that fetches the course on a JupyterHub and opens its map.

    Args:
        hub: the hub's address, or that of a page of it. It needs nbgitpuller, and the packages of
            the course.
        address: the repository's address, in a form that git knows; the hub reads it by https, or
            by http if that is what it begins with.
        branch: which branch; empty for the one that the repository shows first.

    Raises:
        ValueError: the hub has no address, or the repository none that a hub could read.

    Source: https://nbgitpuller.readthedocs.io/en/latest/link.html
    """
    host, path = place(address)
    if not host or "/" not in path:
        raise ValueError(
            f"origin is {address or 'no address'}, which a hub cannot read: push the course to a "
            "server, as origin."
        )
    _demand_repository(host, path)
    folder = path.rpartition("/")[2]
    server = _web_server(address, host)
    asked = {"repo": f"{server}/{path}", "urlpath": f"lab/tree/{folder}/{START_PAGE}"}
    if branch:
        asked["branch"] = branch
    return f"{_hub_address(hub)}/hub/user-redirect/git-pull?{urlencode(asked)}"


def _hub_address(given: str) -> str:
    """Return a hub's own address: with https where no scheme is given, and without a page."""
    text = given.strip()
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host, port = parts.hostname or "", parts.port
    except ValueError:  # a port that is no number
        host = ""
    far = "." in host or host == "localhost" or "://" in text
    if not far or not _HOST.fullmatch(host) or parts.scheme not in ("https", "http"):
        raise ValueError(
            f"{given or 'Nothing'} is not the address of a JupyterHub: give it as the browser "
            "shows it, such as https://hub.example.org."
        )
    path = _PAGE_OF_A_HUB.sub("", parts.path).rstrip("/")
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{path}"


def _web_server(address: str, host: str) -> str:
    """Return where a host serves repositories by http or https: the port of ssh is not that one."""
    match = _parts(address)
    if match["scheme"] in ("https", "http"):
        return f"{match['scheme']}://{host}{match['port'] or ''}"
    return f"https://{host}"


def _parts(address: str) -> re.Match[str] | None:
    given = address.strip()
    return None if _FOLDER.fullmatch(given) else _ADDRESS.fullmatch(given)


def place(address: str) -> tuple[str, str]:
    """Return the host of a repository and its path there; two empty strings if it has none."""
    match = _parts(address)
    if match is None:
        return "", ""
    host = match["host"].lower()
    return _SAME.get(host, host), match["path"]


def on_forge(address: str) -> tuple[str, str]:
    """Return the host and the path of a repository on GitHub or GitLab; errors as in `launch`."""
    host, path = place(address)
    if not host:
        raise ValueError(
            f"origin is a folder ({address}), which Binder cannot reach: push the course to a "
            "repository on github.com or gitlab.com, as origin."
        )
    if host not in _REPOSITORIES:
        raise ValueError(
            f"origin is {host}, which has no Binder badge here: it is made for "
            "repositories on github.com and gitlab.com; push the course to one, as origin."
        )
    _demand_repository(host, path)
    return host, path


def _demand_repository(host: str, path: str) -> None:
    if not _REPOSITORIES.get(host, _ELSEWHERE).fullmatch(path):
        raise ValueError(
            f"origin names no repository: it is {host}/{path}, not {host}/OWNER/NAME; write "
            "its address with `git remote set-url origin ADDRESS`."
        )


def origin(root: Path) -> str:
    """Return the address of the remote `origin`, or an empty string if there is none."""
    return _git(root, "remote", "get-url", "origin")


def _branch(root: Path) -> str:
    """Return the branch that origin shows first; where git has not asked, the one checked out.

    It is empty if git knows of neither on origin.
    """
    own = _git(root, "symbolic-ref", "--short", "HEAD")
    for words in (
        ("symbolic-ref", "--short", "refs/remotes/origin/HEAD"),
        ("rev-parse", "--abbrev-ref", "@{upstream}"),
        ("rev-parse", "--abbrev-ref", "--verify", f"refs/remotes/origin/{own}"),
    ):
        remote, _, name = _git(root, *words).partition("/")
        if remote == "origin" and name:
            return name
    return ""


def _git(root: Path, *words: str) -> str:
    return _asked(root, *words)[0]


def _asked(root: Path, *words: str) -> tuple[str, str]:
    """Return what git says, and what it complains of."""
    command = ["git", "-C", str(root), *words]
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace")
    except OSError:  # no git
        return "", ""
    return done.stdout.strip(), done.stderr.strip()


def run(args: argparse.Namespace) -> int:
    """Print what was asked for, or one sentence that tells why there is none."""
    root = find_root()
    address = origin(root)
    if not address:
        foreign = "dubious ownership" in _asked(root, "status")[1]  # what belongs to others
        print(_FOREIGN.format(root=root) if foreign else _NO_ORIGIN, file=sys.stderr)
        return 1
    try:
        if args.hub is not None:
            branch = _branch(root)
            link = hub_link(args.hub, address, branch)
            if not branch:
                raise ValueError(_NOT_PUSHED)
            if (root / "solutions").is_dir():
                print(_WITH_SOLUTIONS, file=sys.stderr)
            print(link)
        else:
            print(f"{badge(address)}\n\n{launch(address)}")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0
