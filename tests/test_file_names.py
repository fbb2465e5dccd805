"""Every tracked file can be checked out on Windows and macOS."""

import re
import subprocess
import unicodedata
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[1]
# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
REFUSED = re.compile(r'[<>:"\\|?*\x00-\x1f]|[. ]$')
RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
LONGEST = 120  # of the 259 characters of a path; the rest is for the folder of the checkout

pytestmark = pytest.mark.skipif(
    not (ROOT / ".git").exists(), reason="git tells which files are tracked"
)


def names():
    command = ["git", "-C", str(ROOT), "ls-files", "-z"]
    listed = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
    return [name for name in listed.split("\0") if name]


def unusable(name):
    """Tell why a system refuses a path; "" if none does."""
    for part in PurePosixPath(name).parts:
        if REFUSED.search(part):
            return "a character that Windows refuses"
        if RESERVED.fullmatch(part):
            return "a name that Windows keeps for devices"
        if unicodedata.normalize("NFC", part) != part:
            return "letters that macOS writes otherwise"
    return "too long" if len(name) > LONGEST else ""


def clashes(paths):
    """Return the paths, and folders of paths, that are one where case does not count."""
    every = set(paths) | {str(folder) for path in paths for folder in PurePosixPath(path).parents}
    folded = Counter(name.casefold() for name in every)
    return sorted(name for name in every if folded[name.casefold()] > 1)


def test_every_name_can_be_used_on_every_system():
    found = names()
    assert "README.md" in found
    assert {name: unusable(name) for name in found if unusable(name)} == {}


def test_no_two_names_differ_by_case_alone():
    assert clashes(names()) == []


def test_names_that_cannot_be_used_are_found():
    bad = ["a/b?.md", "con", "docs/Aux.txt", "a./b", "e\u0301.md", "x" * 121, "a\\b"]
    assert all(map(unusable, bad))
    assert clashes(["Docs/a.md", "docs/b.md", "x.py"]) == ["Docs", "docs"]


def test_lines_end_alike_on_every_system():
    command = ["git", "-C", str(ROOT), "ls-files", "--eol"]
    listed = subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout
    assert {line.split()[0] for line in listed.splitlines()} <= {"i/lf", "i/none", "i/-text"}
    assert "attr/text=auto eol=lf" in listed
