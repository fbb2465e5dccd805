"""Where pip takes torch from."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from course import torch_source

CPU = ["--extra-index-url", torch_source.CPU_WHEELS]
OWN_INDEX = "global.index-url='https://pip.example.org/simple'"


@pytest.mark.parametrize(
    ("choice", "system", "driver", "settings", "expected"),
    [
        ("auto", "Linux", False, "", CPU),
        ("auto", "Linux", True, "", []),
        ("auto", "Linux", False, OWN_INDEX, []),
        ("auto", "Darwin", False, "", []),
        ("auto", "Windows", False, "", []),
        ("default", "Linux", False, "", []),
        ("default", "Linux", False, OWN_INDEX, []),
        ("cpu", "Linux", True, "", CPU),
        ("cpu", "Linux", False, OWN_INDEX, CPU),
    ],
)
def test_cpu_wheels_are_for_linux_without_a_driver(choice, system, driver, settings, expected):
    assert torch_source.pip_arguments(choice, system, driver, settings) == expected


@pytest.mark.parametrize(
    "settings",
    [
        "global.index-url='https://pip.example.org/simple'",
        "site.extra-index-url='https://pip.example.org/simple'",
        "install.find-links='/srv/wheels'",
        ":env:.find-links='/srv/wheels'",
        "global.no-index='true'",
        "global.cert='/etc/ssl/cert.pem'\nuser.index-url='https://pip.example.org/simple'",
    ],
)
def test_an_index_or_wheel_folder_is_a_source_of_its_own(settings):
    assert torch_source.has_own_source(settings)


@pytest.mark.parametrize(
    "settings",
    [
        "",
        "global.cert='/etc/ssl/cert.pem'\n:env:.default-timeout='180'",
        ":env:.disable-pip-version-check='1'",
        ":env:.index-url=''",
        "global.no-index='false'",
        "global.trusted-host='pip.example.org'",
    ],
)
def test_certificates_and_timeouts_are_not_a_source(settings):
    assert not torch_source.has_own_source(settings)


def test_pips_own_listing_of_its_settings_is_understood(tmp_path):
    config = tmp_path / "pip.conf"
    config.write_text("[global]\ntimeout = 60\n")
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PIP_CONFIG_FILE": str(config)}
    command = [sys.executable, "-m", "pip", "config", "list"]

    def listing(**variables):
        result = subprocess.run(command, env=environ | variables, capture_output=True, text=True)
        return result.stdout.splitlines()

    # The machine's own settings, in /etc, may name an index: only what is new is looked at.
    plain = listing()
    assert "global.timeout='60'" in plain
    new = [line for line in listing(PIP_FIND_LINKS="/wheels") if line not in plain]
    assert torch_source.has_own_source("\n".join(new))


def test_a_driver_is_seen_by_its_program_or_its_files(monkeypatch, tmp_path):
    monkeypatch.setattr(torch_source, "_DRIVER_FILES", (str(tmp_path / "nvidiactl"),))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not torch_source.has_nvidia_driver()
    (tmp_path / "nvidiactl").touch()
    assert torch_source.has_nvidia_driver()
    (tmp_path / "nvidiactl").unlink()
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert torch_source.has_nvidia_driver()


def test_detect_asks_the_environments_own_pip(monkeypatch):
    monkeypatch.setattr(torch_source.platform, "system", lambda: "Linux")
    monkeypatch.setattr(torch_source, "has_nvidia_driver", lambda: False)
    asked = []

    def run(command, **_):
        asked.append(command)
        return subprocess.CompletedProcess(command, 0, OWN_INDEX)

    monkeypatch.setattr(torch_source.subprocess, "run", run)
    assert torch_source.detect("auto", Path("/venv/bin/python")) == []
    assert asked == [["/venv/bin/python", "-m", "pip", "config", "list"]]
