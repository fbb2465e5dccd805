"""A file is named after a person, on every disk, and no two people share one."""

import re
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.grading.report_folder import feedback_link, slug


@pytest.mark.parametrize("name", ["Ada Lovelace", "Ольга", "=cmd()", "05_square", "O'Neil", "a.b"])
def test_a_plain_name_is_its_own_file_name(name):
    assert slug(name) == name


ODD_NAMES = (
    *("", ".", "..", "../a", "a/b", "a\\b", "C:", "a*", 'a"', "a ", " a", "a.", ".a", "a-0123abcd"),
    *("con", "NUL.txt", "COM1", "lpt¹", "con .x", "a\0", "a\n", "a\udc80", "a\u202eb", "e\u0301"),
    *("x" * 101, "é" * 51, "山" * 60),
)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_any_other_name_is_cleaned_and_marked(name):
    found = slug(name)
    assert re.fullmatch(
        r'[^/\\:*?"<>|\x00-\x1f\ud800-\udfff. ][^/\\:*?"<>|\x00-\x1f\ud800-\udfff]*'
        r"-[0-9a-f]{8}",
        found,
    )
    assert len(found.encode()) <= 100


@given(st.text("aA./-\0 0", max_size=4), st.text("aA./-\0 0", max_size=4))
def test_two_names_never_share_a_file(one, other):
    assert (slug(one) == slug(other)) == (one == other)


@given(st.text())
def test_a_link_leads_to_the_file_of_any_name(name):
    assert unquote(feedback_link(name, "05_square")) == f"feedback/{slug(name)}/05_square.html"
    assert slug(name).encode()


def test_a_name_that_looks_marked_cannot_take_the_file_of_another():
    assert slug(slug("a/b")) != slug("a/b")
