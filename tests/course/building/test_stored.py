"""What is right is known and not run again, and a student's work is never lost to a build."""

import json

import nbformat
import pytest

from course.building import stored
from course.building.exercise import read_exercise
from course.building.outputs import as_text
from course.building.stored import Record, Stubs, keep
from tests.course.tiny import Task, answer, cell, check, write_exercise


@pytest.fixture
def course(tmp_path):
    write_exercise(tmp_path, "Text.", cell("given", "y = 1"), answer(), check())
    return tmp_path


def read(course):
    return read_exercise(course / "lessons" / "01_tiny.exercise.md", [Task("1.1")])


def write(course):
    return Stubs(course, Record(course)).write(read(course))


def files(course):
    return sorted(path.name for path in (course / "exercises").iterdir())


def change_source(course):
    path = course / "lessons" / "01_tiny.exercise.md"
    path.write_text(path.read_text().replace("x = ...", "x = ...  # a number"))


def change_stub(course, change):
    path = course / "exercises" / "01_tiny.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change({node.id: node for node in notebook.cells}, notebook)
    path.write_text(as_text(notebook))
    return path.read_bytes()


def test_a_stub_is_written_once_and_then_up_to_date(course):
    assert write(course) == "exercises/01_tiny.ipynb: built"
    first = (course / "exercises" / "01_tiny.ipynb").read_bytes()
    assert first == as_text(read(course).stub).encode()
    assert write(course) == "exercises/01_tiny.ipynb: up to date"
    assert (course / "exercises" / "01_tiny.ipynb").read_bytes() == first


def test_an_untouched_stub_is_replaced_without_a_copy(course):
    write(course)
    change_source(course)
    assert write(course) == "exercises/01_tiny.ipynb: built"
    assert files(course) == ["01_tiny.ipynb"]
    assert "# a number" in (course / "exercises" / "01_tiny.ipynb").read_text()


def test_answers_are_kept_beside_the_new_stub(course):
    write(course)
    old = change_stub(course, lambda cells, _: cells["answer-1-1"].update(source="x = 5"))
    change_source(course)
    assert write(course) == (
        "exercises/01_tiny.ipynb: built; exercises/01_tiny.1.ipynb keeps the answers "
        "that were in it"
    )
    assert (course / "exercises" / "01_tiny.1.ipynb").read_bytes() == old
    assert write(course).endswith("up to date")
    assert files(course) == ["01_tiny.1.ipynb", "01_tiny.ipynb"]


@pytest.mark.parametrize(
    "change",
    [
        lambda cells, _: cells["given"].update(source="y = 2"),
        lambda _, notebook: notebook.cells.append(nbformat.v4.new_code_cell("mine")),
    ],
)
def test_other_code_of_the_student_is_kept_too(course, change):
    write(course)
    change_stub(course, change)
    write(course)
    assert files(course) == ["01_tiny.1.ipynb", "01_tiny.ipynb"]


@pytest.mark.parametrize(
    "change",
    [
        lambda cells, _: cells["given"].update(execution_count=7),
        lambda _, notebook: notebook.cells.append(nbformat.v4.new_code_cell("")),
    ],
)
def test_a_stub_that_was_only_run_is_not_worth_a_copy(course, change):
    write(course)
    change_stub(course, change)
    assert write(course) == "exercises/01_tiny.ipynb: built"
    assert files(course) == ["01_tiny.ipynb"]


def test_a_file_that_cannot_be_read_is_kept(course):
    write(course)
    (course / "exercises" / "01_tiny.ipynb").write_bytes(b"\xff{")
    write(course)
    assert (course / "exercises" / "01_tiny.1.ipynb").read_bytes() == b"\xff{"


def test_without_a_record_an_equal_stub_is_recognised_and_another_one_kept(course):
    write(course)
    (course / ".build" / "01_tiny.exercise.stub.json").unlink()
    assert Stubs(course, Record(course)).differs(read(course)) == ""
    change_source(course)
    write(course)
    assert files(course) == ["01_tiny.ipynb"]
    (course / ".build" / "01_tiny.exercise.stub.json").unlink()
    path = course / "lessons" / "01_tiny.exercise.md"
    path.write_text(path.read_text().replace("# a number", "# an integer"))
    write(course)
    assert files(course) == ["01_tiny.1.ipynb", "01_tiny.ipynb"]


def test_a_check_shows_the_difference_and_a_missing_file(course):
    stubs = Stubs(course, Record(course))
    assert stubs.differs(read(course)) == "exercises/01_tiny.ipynb is missing"
    write(course)
    assert stubs.differs(read(course)) == ""
    old = change_stub(course, lambda cells, _: cells["answer-1-1"].update(source="x = 5"))
    shown = stubs.differs(read(course))
    assert shown.startswith(
        "exercises/01_tiny.ipynb is not what lessons/01_tiny.exercise.md builds"
    )
    assert "-x = 5\n+x = ..." in shown
    assert (course / "exercises" / "01_tiny.ipynb").read_bytes() == old


def test_a_copy_takes_the_first_free_number(tmp_path):
    path = tmp_path / "05_square.ipynb"
    path.write_text(json.dumps({"cells": []}))
    (tmp_path / "05_square.2.ipynb").write_text("older")
    assert [keep(path).name for _ in range(2)] == ["05_square.1.ipynb", "05_square.3.ipynb"]
    assert (tmp_path / "05_square.2.ipynb").read_text() == "older"
    assert (tmp_path / "05_square.3.ipynb").read_bytes() == path.read_bytes()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "helpers").mkdir()
    (tmp_path / "whygrad" / "graph").mkdir(parents=True)
    (tmp_path / "whygrad" / "graph" / "draw.py").write_text("x = 1")
    (tmp_path / "requirements.lock").write_text("torch==1")
    (tmp_path / "one.ipynb").write_bytes(b"built")
    Record(tmp_path).remember("01_one", "lesson", b"built")
    return tmp_path


def knows(folder, text="lesson"):
    return Record(folder).knows("01_one", text, folder / "one.ipynb")


def test_an_unchanged_notebook_is_known(folder):
    assert knows(folder)


def test_a_changed_lesson_is_not_known(folder):
    assert not knows(folder, "lesson.")


@pytest.mark.parametrize("file", ["whygrad/graph/draw.py", "requirements.lock", "one.ipynb"])
def test_a_change_around_the_lesson_makes_it_unknown(folder, file):
    path = folder / file
    path.write_bytes(path.read_bytes() + b" ")
    assert not knows(folder)


def test_a_new_helper_makes_it_unknown(folder):
    (folder / "helpers" / "new.py").touch()
    assert not knows(folder)


def test_only_its_own_tasks_and_right_answers_make_it_unknown(folder):
    tasks = folder / "helpers" / "checks" / "tasks"
    tasks.mkdir(parents=True)
    (tasks / "ex02.py").write_text("TASKS = []")
    assert knows(folder)
    (tasks / "ex01.py").write_text("TASKS = []")
    assert not knows(folder)


def test_another_python_or_graphviz_makes_it_unknown(folder, monkeypatch):
    monkeypatch.setattr(stored.platform, "python_version", lambda: "2.7")
    assert not knows(folder)
    monkeypatch.undo()
    assert knows(folder)
    monkeypatch.setattr(stored, "_dot_version", lambda: b"dot - graphviz version 1")
    assert not knows(folder)


def test_nothing_is_known_without_record_or_notebook_or_with_a_broken_record(folder):
    assert not Record(folder).knows("02_two", "lesson", folder / "one.ipynb")
    assert not Record(folder).knows("01_one", "lesson", folder / "two.ipynb")
    (folder / ".build" / "01_one.json").write_text("{")
    assert not knows(folder)
