"""A result is written whole or not at all."""

import json
import os
from dataclasses import replace

import pytest

from course.grading.results import Result, TaskResult, read_result, write_result

RESULT = Result(
    student="Ольга =1+1 \ud800",
    exercise="05_square",
    fingerprint="f",
    seed=7,
    tasks=(TaskResult("5.1", "Square", 3, 3, "passed", passed=("forward",)),),
)


def test_a_result_comes_back_as_it_was(tmp_path):
    write_result(tmp_path / "new" / "a.json", RESULT)
    assert read_result(tmp_path / "new" / "a.json") == RESULT


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "{}", '{"tasks": 3}', '{"tasks": [{}]}', "\ufeff{}"]
)
def test_a_damaged_result_counts_as_none(tmp_path, text):
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    assert read_result(tmp_path / "a.json") is None


def test_an_unknown_status_counts_as_damage(tmp_path):
    write_result(tmp_path / "a.json", RESULT)
    data = json.loads((tmp_path / "a.json").read_text())
    data["tasks"][0]["status"] = "excellent"
    (tmp_path / "a.json").write_text(json.dumps(data))
    assert read_result(tmp_path / "a.json") is None


def test_what_was_there_stays_if_writing_fails(tmp_path, monkeypatch):
    write_result(tmp_path / "a", RESULT)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_result(tmp_path / "a", replace(RESULT, seed=8))
    assert read_result(tmp_path / "a") == RESULT
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
