"""A student on a JupyterHub: signs in, follows links, saves notebooks and runs code."""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from uuid import uuid4

import requests
import websocket

from tests.local_hub import PASSWORD, SECONDS, Hub, until


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
        self._browser.post(f"{hub.url}/hub/login", data=form, timeout=SECONDS).raise_for_status()
        self._token = ""
        self._token = self._call("POST", f"/hub/api/users/{name}/tokens")["token"]
        self._call("POST", f"/hub/api/users/{name}/server")

    def wait(self) -> None:
        """Return when the student's server runs."""
        own = f"/hub/api/users/{self._name}"
        until(lambda: self._call("GET", own)["server"], self._hub.last_words)

    def _xsrf(self) -> str:
        self._browser.get(f"{self._hub.url}/hub/login", timeout=SECONDS)
        return self._browser.cookies.get("_xsrf", path="/hub/")

    def _call(self, method: str, path: str, **data: object) -> dict:
        """Call an API of the hub's or of the student's server; return what it answers."""
        given = {"headers": {"Authorization": f"token {self._token}"}}
        caller = requests.request
        if not self._token:
            given, caller = {"params": {"_xsrf": self._xsrf()}}, self._browser.request
        told = caller(method, self._hub.url + path, json=data, timeout=SECONDS, **given)
        assert told.ok, f"{told.status_code} {told.text}\n{self._hub.last_words()}"
        return told.json() if told.content else {}

    def follow(self, link: str) -> str:
        """Follow a link for nbgitpuller as a browser does; return what git said."""
        page = self._browser.get(link, timeout=SECONDS)
        assert page.ok, page.text
        start, _, asked = page.url.partition("/git-pull?")
        given = {"headers": {"Authorization": f"token {self._token}"}, "timeout": SECONDS}
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
        with closing(websocket.create_connection(address, SECONDS, header=header)) as kernel:
            kernel.send(json.dumps(_request(number, code)))
            return "".join(_shown(kernel, number))


def _request(number: str, code: str) -> Mapping:
    header = {"msg_id": number, "msg_type": "execute_request", "session": number, "version": "5.3"}
    header |= {"username": "", "date": ""}
    content = {"code": code, "silent": False, "allow_stdin": False}
    empty = {"parent_header": {}, "metadata": {}, "buffers": []}
    return {"channel": "shell", "header": header, "content": content, **empty}


def _shown(kernel: websocket.WebSocket, number: str) -> Iterator[str]:
    while True:
        message = json.loads(kernel.recv())
        content = message["content"]
        if message["parent_header"].get("msg_id") != number:
            continue
        if content.get("execution_state") == "idle":
            return
        yield content.get("text") or content.get("data", {}).get("text/plain", "")
        yield "\n".join(content.get("traceback", ()))
