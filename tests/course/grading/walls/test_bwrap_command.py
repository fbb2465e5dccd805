"""What is missing for walls is said in one sentence; what they share is read-only."""

import ctypes
from itertools import pairwise

import pytest

from course.grading.walls import bwrap_command
from tests.course.grading.classes import ROOT, needs_walls

pytestmark = needs_walls


@pytest.fixture
def without(monkeypatch):
    """Let one library be missing."""

    def missing(name):
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", missing)


def test_a_missing_filter_is_said_with_what_to_install(without):
    assert "libseccomp is missing: install it" in bwrap_command.why_not()
    assert "apt-get install libseccomp2" in bwrap_command.why_not()


def test_a_system_without_filters_is_said(monkeypatch, tmp_path):
    monkeypatch.setattr(bwrap_command, "_FILTERS", tmp_path / "seccomp")
    assert bwrap_command.why_not() == "this system cannot filter system calls (seccomp)"


def test_all_that_kernels_share_is_mounted_read_only(tmp_path):
    words = bwrap_command.command(tmp_path, (ROOT / "solutions",))
    pairs = list(pairwise(words))
    written = {place for option, place in pairs if option == "--tmpfs"} - {"/tmp"}
    assert {place for option, place in pairs if option == "--remount-ro"} >= {*written, "/", "/dev"}
    assert [place for option, place in pairs if option == "--bind"] == [str(tmp_path / "ipc")]
