"""A result is written whole or not at all."""

import os
from dataclasses import replace

import pytest

from course.grading.reading.layouts import Person
from course.grading.results import EarnedPart, read_result, write_result
from tests.course.grading.books.samples import result, task

ONE = task(passed=("forward",), parts=(EarnedPart("forward", 1, True),), proposed=2.5)
RESULT = result("Ольга =1+1 \ud800", "05_square", ONE, doubts=("Odd.",))
RESULT = replace(RESULT, person=Person("Ольга", "moodle", "12", ids=("o@x.org",)))
OLD = (
    '{"student": "Ada", "exercise": "05_square", "fingerprint": "", "seed": 5, "choice": "a", '
    '"tasks": [{"task": "5.1", "title": "Title of 5.1", "points": 3, "max_points": 3, '
    '"status": "passed", "diagnosis": "ok"}]}'
)


def test_a_result_comes_back_as_it_was(tmp_path):
    write_result(tmp_path / "new" / "a.json", RESULT)
    assert read_result(tmp_path / "new" / "a.json") == RESULT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *((text, None) for text in ("", "{", "[]", "{}", '{"tasks": [{}]}', "\ufeff{}")),
        (OLD.replace("passed", "excellent"), None),
        (OLD, result()),
    ],
)
def test_a_damaged_result_counts_as_none_and_one_of_an_older_report_is_read(
    tmp_path, text, expected
):
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    assert read_result(tmp_path / "a.json") == expected


def test_what_was_there_stays_if_writing_fails(tmp_path, monkeypatch):
    write_result(tmp_path / "a", RESULT)
    monkeypatch.setattr(os, "fsync", None)
    with pytest.raises(TypeError):
        write_result(tmp_path / "a", replace(RESULT, seed=8))
    assert read_result(tmp_path / "a") == RESULT
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
