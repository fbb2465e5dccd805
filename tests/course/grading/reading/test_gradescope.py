"""Who handed in together is read from Gradescope's file, whatever students got into it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.grading.reading.gradescope import Submitters, read_metadata

EXPORT = b"""\
metadata_version: 3
submission_409194023:
  :submitters:
  - :name: Ann O'Neil
    :sid: '0123456'
    :email: ann@school.example
  :created_at: 2026-11-20 17:34:00.861687000 Z
  :score: 2.0
  :results:
    output: |-
      submission_1:
        :submitters:
        - :name: Eve
submission_500000001:
  :submitters:
  - :name: Bob
    :sid:
    :email: bob@school.example
  - :name: Carl
    :sid: 333
  :created_at: 2026-13-45 17:34:00.861687000 Z
submission_600000002:
  :submitters: []
"""


def test_people_and_times_are_read(monkeypatch):
    found = read_metadata(EXPORT)
    assert found.keys() == {"submission_409194023", "submission_500000001"}
    assert found["submission_409194023"].people == (("Ann O'Neil", "0123456"),)
    assert found["submission_409194023"].handed_in.startswith("2026-11-2")
    together = (("Bob", "bob@school.example"), ("Carl", "333"))
    assert found["submission_500000001"] == Submitters(together)
    assert read_metadata(EXPORT.replace(b"\n", b"\r\n")) == found


@pytest.mark.parametrize(
    "people",
    [
        b"  - [[[[" + b"[" * 15_000,
        b"  - &a {:name: x}\n  - *b",
        b"  - !!python/object/apply:os.system [ls]",
        b"  - :name: 'x",
        b"  - text",
        b"  - {:name: [x]}",
        b"  - :name: ''",
    ],
)
def test_a_list_that_is_none_names_nobody(people):
    assert read_metadata(b"submission_1:\n  :submitters:\n" + people + b"\n") == {}


@given(st.binary() | st.binary().map(lambda data: EXPORT[:120] + data))
def test_no_bytes_raise(content):
    assert isinstance(read_metadata(content), dict)
