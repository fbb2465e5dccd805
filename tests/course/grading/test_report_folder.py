"""A file is named after a person, on every disk, and no two people share one."""

import re
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.grading.report_folder import ReportError, ReportFolder, slug

PLAIN = ("Ada Lovelace", "Ольга", "=cmd()", "05_square", "O'Neil", "a.b")
ODD = (
    *("", ".", "..", "../a", "a/b", "a\\b", "C:", "a*", 'a"', "a ", " a", "a.", ".a", "a-0123abcd"),
    *("a\0", "a\n", "a\udc80", "a\u202eb", "e\u0301"),
    *("x" * 101, "é" * 51, "山" * 60, slug("a/b")),
)
CLEANED = r'[^/\\:*?"<>|\x00-\x1f\ud800-\udfff. ][^/\\:*?"<>|\x00-\x1f\ud800-\udfff]*-[0-9a-f]{8}'


@pytest.mark.parametrize("name", [*PLAIN, *ODD])
def test_a_plain_name_is_its_own_file_name_and_any_other_is_cleaned_and_marked(name):
    found = slug(name)
    assert re.fullmatch(re.escape(name) if name in PLAIN else CLEANED, found)
    assert len(found.encode()) <= 100


@given(st.text("aA./-\0 0", max_size=4), st.text("aA./-\0 0", max_size=4))
def test_two_names_never_share_a_file(one, other):
    assert (slug(one) == slug(other)) == (one == other)


def test_a_folder_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(ReportError, match="choose another folder with -o"):
        ReportFolder(tmp_path / "file" / "report")


def test_two_runs_on_one_report_do_not_mix(tmp_path):
    with closing(ReportFolder(tmp_path)), pytest.raises(ReportError, match="Another run is writ"):
        ReportFolder(tmp_path)
