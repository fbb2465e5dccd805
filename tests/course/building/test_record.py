"""A notebook is known as long as nothing that it was made from has changed."""

import pytest

from course.building import record
from course.building.record import Record


@pytest.fixture
def course(tmp_path):
    (tmp_path / "helpers").mkdir()
    (tmp_path / "whygrad" / "graph").mkdir(parents=True)
    (tmp_path / "whygrad" / "graph" / "draw.py").write_text("x = 1")
    (tmp_path / "requirements.lock").write_text("torch==1")
    (tmp_path / "one.ipynb").write_bytes(b"built")
    Record(tmp_path).remember("01_one", "lesson", b"built")
    return tmp_path


def knows(course, text="lesson"):
    return Record(course).knows("01_one", text, course / "one.ipynb")


def test_an_unchanged_notebook_is_known(course):
    assert knows(course)


def test_a_changed_lesson_is_not_known(course):
    assert not knows(course, "lesson.")


@pytest.mark.parametrize("file", ["whygrad/graph/draw.py", "requirements.lock", "one.ipynb"])
def test_a_change_around_the_lesson_makes_it_unknown(course, file):
    path = course / file
    path.write_bytes(path.read_bytes() + b" ")
    assert not knows(course)


def test_a_new_helper_makes_it_unknown(course):
    (course / "helpers" / "new.py").touch()
    assert not knows(course)


def test_another_python_or_graphviz_makes_it_unknown(course, monkeypatch):
    monkeypatch.setattr(record.platform, "python_version", lambda: "2.7")
    assert not knows(course)
    monkeypatch.undo()
    assert knows(course)
    monkeypatch.setattr(record, "_dot_version", lambda: b"dot - graphviz version 1")
    assert not knows(course)


def test_nothing_is_known_without_record_or_notebook_or_with_a_broken_record(course):
    assert not Record(course).knows("02_two", "lesson", course / "one.ipynb")
    assert not Record(course).knows("01_one", "lesson", course / "two.ipynb")
    (course / ".build" / "01_one.json").write_text("{")
    assert not knows(course)
