"""Chromium for the tests in a browser."""

import pytest

from course import chromium


@pytest.fixture
def asked(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    packages = []
    monkeypatch.setattr(chromium.apt, "install", lambda *names: packages.extend(names))
    return packages


def test_a_missing_chromium_that_cannot_be_installed_is_one_sentence(asked, capsys):
    assert chromium.main() == 0
    assert asked == ["chromium", "chromium-driver"]
    assert "so the tests in a browser cannot run" in capsys.readouterr().out


def test_a_chromium_that_is_there_is_left_alone(asked, tmp_path, capsys):
    for name in ("chromium", "chromedriver"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    assert chromium.main() == 0
    assert asked == []
    assert capsys.readouterr().out == ""


def test_chromium_without_its_driver_is_not_enough(asked, tmp_path):
    (tmp_path / "chromium").write_text("#!/bin/sh\n")
    (tmp_path / "chromium").chmod(0o755)
    chromium.main()
    assert asked == ["chromium", "chromium-driver"]
