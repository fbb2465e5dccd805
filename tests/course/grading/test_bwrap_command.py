"""What is missing for walls is said in one sentence; what they share is read-only."""

import ctypes
from itertools import pairwise
from pathlib import Path

from course.grading import bwrap_command
from tests.course.grading.classes import needs_walls

pytestmark = needs_walls


def test_a_missing_filter_is_said_with_what_to_install(monkeypatch):
    def missing(name):
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    assert "libseccomp is missing: install it" in bwrap_command.why_not()
    assert "apt-get install libseccomp2" in bwrap_command.why_not()


def test_hidden_folders_are_covered_and_all_that_kernels_share_is_read_only(tmp_path):
    hidden = tuple(Path("/usr", name) for name in ("share/doc", "share/only/on/another/machine"))
    pairs = list(pairwise(bwrap_command.command(tmp_path, hidden)))
    written = {place for option, place in pairs if option == "--tmpfs"} - {"/tmp"}
    assert written & set(map(str, hidden)) == {"/usr/share/doc"}
    assert {place for option, place in pairs if option == "--remount-ro"} >= {*written, "/", "/dev"}
    assert [place for option, place in pairs if option == "--bind"] == [str(tmp_path / "ipc")]
