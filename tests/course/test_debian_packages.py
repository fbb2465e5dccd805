"""Debian packages, and the two that the course does without; with fakes of apt-get and sudo."""

import pytest

from course import debian_packages


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
    monkeypatch.setattr(debian_packages.os, "geteuid", lambda: 0)
    return add, calls


def test_without_apt_get_nothing_is_tried(machine):
    _, calls = machine
    assert not debian_packages.install("graphviz")
    assert calls() == []


def test_root_installs_without_sudo(machine):
    add, calls = machine
    add("apt-get", "exit 0")
    assert debian_packages.install("graphviz")
    assert calls()[-1].startswith("apt-get -qq -y")
    assert calls()[-1].endswith("install graphviz")


def test_missing_package_lists_are_fetched_and_the_install_repeated(machine, tmp_path):
    add, calls = machine
    updated = tmp_path / "updated"
    add("apt-get", f'case "$*" in *update) : > {updated};; *) test -e {updated};; esac')
    assert debian_packages.install("graphviz")
    steps = [call.split()[-1] for call in calls() if call.startswith("apt-get")]
    assert steps == ["graphviz", "update", "graphviz"]


def test_a_failing_apt_get_gives_false(machine):
    add, _ = machine
    add("apt-get", "exit 100")
    assert not debian_packages.install("graphviz")


def test_another_user_goes_through_sudo_if_it_asks_no_password(machine, monkeypatch):
    add, calls = machine
    monkeypatch.setattr(debian_packages.os, "geteuid", lambda: 1000)
    add("apt-get", "exit 0")
    add("true", "exit 0")
    add("sudo", 'shift; exec "$@"')
    assert debian_packages.install("graphviz")
    assert "sudo -n true" in calls()
    assert any(call.startswith("sudo -n env ") and "graphviz" in call for call in calls())


def test_a_sudo_that_wants_a_password_is_left_alone(machine, monkeypatch):
    add, calls = machine
    monkeypatch.setattr(debian_packages.os, "geteuid", lambda: 1000)
    add("apt-get", "exit 0")
    add("sudo", "exit 1")
    assert not debian_packages.install("graphviz")
    assert calls() == ["sudo -n true"]


@pytest.fixture
def asked(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    packages = []
    monkeypatch.setattr(debian_packages, "install", lambda *names: packages.extend(names))
    return packages


def test_a_missing_chromium_that_cannot_be_installed_is_one_sentence(asked, capsys):
    assert debian_packages.main("chromium") == 0
    assert asked == ["chromium", "chromium-driver"]
    assert "so the tests in a browser cannot run" in capsys.readouterr().out


def test_a_chromium_that_is_there_is_left_alone(asked, tmp_path, capsys):
    for name in ("chromium", "chromedriver"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert debian_packages.main("chromium") == 0
    assert asked == []
    assert capsys.readouterr().out == ""


def test_chromium_without_its_driver_is_not_enough(asked, tmp_path):
    (tmp_path / "chromium").write_text("#!/bin/sh\n")
    (tmp_path / "chromium").chmod(0o755)
    debian_packages.main("chromium")
    assert asked == ["chromium", "chromium-driver"]


def test_a_missing_bubblewrap_is_one_sentence_on_linux_and_nothing_elsewhere(
    asked, monkeypatch, capsys
):
    monkeypatch.setattr(debian_packages.sys, "platform", "darwin")
    assert debian_packages.main("bubblewrap") == 0
    assert asked == []
    monkeypatch.setattr(debian_packages.sys, "platform", "linux")
    assert debian_packages.main("bubblewrap") == 0
    assert asked == ["bubblewrap", "libseccomp2"]
    assert "has no walls to grade behind" in capsys.readouterr().out
