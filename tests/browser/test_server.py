"""The server of the browser tests: what it tells when it fails, and that it always ends."""

import signal
import subprocess
import sys

import pytest

from tests.browser import chromium, server
from tests.browser.server import Server

FAILS = "print('something else'); print('the port is taken'); raise SystemExit(1)"
STUBBORN = (
    "import signal, subprocess, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
    "print(child.pid, flush=True); child.wait()"
)


@pytest.fixture
def start(monkeypatch, tmp_path):
    def start(code: str) -> Server:
        monkeypatch.setattr(server, "_command", lambda port: [sys.executable, "-c", code])
        return Server(tmp_path)

    return start


def test_a_server_that_ends_at_its_start_shows_the_end_of_its_log(start):
    running = start(FAILS)
    with pytest.raises(RuntimeError, match=r"(?s)ended at its start.*log:.*the port is taken"):
        running.wait()
    running.stop()


def test_a_server_that_never_answers_is_given_up(start, monkeypatch):
    monkeypatch.setattr(server, "_SECONDS_TO_START", 0.5)
    running = start("print('thinking', flush=True); import time; time.sleep(600)")
    with pytest.raises(RuntimeError, match="is silent after"):
        running.wait()
    running.stop()
    assert running.status() == -signal.SIGTERM


def test_a_server_that_does_not_want_to_end_is_ended_with_its_children(start, monkeypatch):
    monkeypatch.setattr(server, "_SECONDS_TO_STOP", 0.5)
    running = start(STUBBORN)
    monkeypatch.setattr(server, "_answers", lambda url: running.last_words() != "")
    running.wait()
    child = running.last_words()
    running.stop()
    assert running.status() == -signal.SIGKILL
    assert child not in _running_processes()


def _running_processes() -> list[str]:
    table = subprocess.run(["ps", "-eo", "pid=,stat="], capture_output=True, text=True, check=True)
    rows = [line.split() for line in table.stdout.splitlines()]
    return [pid for pid, status in rows if not status.startswith("Z")]


def test_a_missing_browser_or_driver_is_found_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chromium.find() is None
    for name in ("google-chrome", "chromedriver"):
        assert chromium.find() is None
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert chromium.find() == (str(tmp_path / "google-chrome"), str(tmp_path / "chromedriver"))
