"""pip's failures in one sentence, and where it takes torch from."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from course import pip_packages
from course.pip_packages import SetupError

CPU = ["--extra-index-url", pip_packages.CPU_WHEELS]
OWN_INDEX = "global.index-url='https://pip.example.org/simple'"
OFFLINE = [
    "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError'\n",
    "ERROR: Could not find a version that satisfies the requirement torch\n",
    "ERROR: No matching distribution found for torch\n",
]


def test_without_a_network_the_sentence_names_the_connection():
    assert pip_packages.explain(OFFLINE) == (
        "pip could not reach the packages (No matching distribution found for torch): "
        "check the connection or the proxy, and run this again."
    )


def test_another_failure_is_told_in_pips_last_words():
    text = pip_packages.explain(["WARNING: something\n", "ERROR: No space left on device\n"])
    assert "No space left on device" in text
    assert "connection" not in text


@pytest.mark.parametrize("complaints", [[], ["\n"]])
def test_a_silent_failure_still_gives_a_sentence(complaints):
    assert "it did not say why" in pip_packages.explain(complaints)


def test_a_failing_pip_raises_with_its_reason(tmp_path):
    with pytest.raises(SetupError, match=r"no-such-file[.]txt"):
        pip_packages.run(Path(sys.executable), "install", "-r", str(tmp_path / "no-such-file.txt"))


def test_a_pip_that_succeeds_raises_nothing(capfd):
    pip_packages.run(Path(sys.executable), "--version")
    assert capfd.readouterr().out.startswith("pip ")


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
    assert pip_packages.source_arguments(choice, system, driver, settings) == expected


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
    assert pip_packages.has_own_source(settings)


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
    assert not pip_packages.has_own_source(settings)


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
    assert pip_packages.has_own_source("\n".join(new))


def test_a_driver_is_seen_by_its_program_or_its_files(monkeypatch, tmp_path):
    monkeypatch.setattr(pip_packages, "_DRIVER_FILES", (str(tmp_path / "nvidiactl"),))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not pip_packages.has_nvidia_driver()
    (tmp_path / "nvidiactl").touch()
    assert pip_packages.has_nvidia_driver()
    (tmp_path / "nvidiactl").unlink()
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert pip_packages.has_nvidia_driver()


def test_detect_asks_the_environments_own_pip(monkeypatch):
    monkeypatch.setattr(pip_packages.platform, "system", lambda: "Linux")
    monkeypatch.setattr(pip_packages, "has_nvidia_driver", lambda: False)
    asked = []

    def run(command, **_):
        asked.append(command)
        return subprocess.CompletedProcess(command, 0, OWN_INDEX)

    monkeypatch.setattr(pip_packages.subprocess, "run", run)
    assert pip_packages.source_of_torch("auto", Path("/venv/bin/python")) == []
    assert asked == [["/venv/bin/python", "-m", "pip", "config", "list"]]


def test_the_last_line_of_an_error_inside_of_pip_is_told():
    lines = ["ERROR: Exception:\n", "Traceback (most recent call last):\n", "OSError: gone\n"]
    assert "(OSError: gone)" in pip_packages.explain(lines)
