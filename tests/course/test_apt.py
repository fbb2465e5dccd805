"""Debian packages, with fakes of apt-get, sudo and id."""

import pytest

from course import apt


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """Return a function that puts programs on an otherwise empty PATH; each logs its call."""
    log = tmp_path / "log"

    def add(name, body):
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >> {log}\n{body}\n')
        program.chmod(0o755)

    def calls():
        return log.read_text().splitlines() if log.exists() else []

    add("env", 'shift; exec "$@"')
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(apt.os, "geteuid", lambda: 0)
    return add, calls


def test_without_apt_get_nothing_is_tried(machine):
    _, calls = machine
    assert not apt.install("graphviz")
    assert calls() == []


def test_root_installs_without_sudo(machine):
    add, calls = machine
    add("apt-get", "exit 0")
    assert apt.install("graphviz")
    assert calls()[-1].startswith("apt-get -qq -y")
    assert calls()[-1].endswith("install graphviz")


def test_missing_package_lists_are_fetched_and_the_install_repeated(machine, tmp_path):
    add, calls = machine
    updated = tmp_path / "updated"
    add("apt-get", f'case "$*" in *update) : > {updated};; *) test -e {updated};; esac')
    assert apt.install("graphviz")
    steps = [call.split()[-1] for call in calls() if call.startswith("apt-get")]
    assert steps == ["graphviz", "update", "graphviz"]


def test_a_failing_apt_get_gives_false(machine):
    add, _ = machine
    add("apt-get", "exit 100")
    assert not apt.install("graphviz")


def test_another_user_goes_through_sudo_if_it_asks_no_password(machine, monkeypatch):
    add, calls = machine
    monkeypatch.setattr(apt.os, "geteuid", lambda: 1000)
    add("apt-get", "exit 0")
    add("true", "exit 0")
    add("sudo", 'shift; exec "$@"')
    assert apt.install("graphviz")
    assert "sudo -n true" in calls()
    assert any(call.startswith("sudo -n env ") and "graphviz" in call for call in calls())


def test_a_sudo_that_wants_a_password_is_left_alone(machine, monkeypatch):
    add, calls = machine
    monkeypatch.setattr(apt.os, "geteuid", lambda: 1000)
    add("apt-get", "exit 0")
    add("sudo", "exit 1")
    assert not apt.install("graphviz")
    assert calls() == ["sudo -n true"]
