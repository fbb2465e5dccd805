"""`course reset`: a fresh exercise, and nothing of the student's is lost."""

import errno
import json
import os
import shutil

import pytest

from course.reset import reset
from helpers.checks import progress
from tests.course.solved import cell, write


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Make a course with the real solution of exercise 5, without sources and without git."""
    for folder in ("exercises", "solutions"):
        (tmp_path / folder).mkdir()
    shutil.copy(progress.ROOT / "solutions" / "05_square.ipynb", tmp_path / "solutions")
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    progress._store.cache_clear()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "exercises" / "05_square.ipynb"


def files(path):
    return sorted(file.name for file in path.parent.iterdir())


def fresh(path, capsys):
    """Get the fresh exercise as the command writes it; return its bytes."""
    assert reset(path.parents[1], "05") == 0
    capsys.readouterr()
    return path.read_bytes()


def test_a_missing_exercise_is_there_again_without_its_answers(path, capsys):
    assert reset(path.parents[1], "05") == 0
    assert capsys.readouterr().out == (
        "exercises/05_square.ipynb was missing: it is there again.\n"
    )
    cells = json.loads(path.read_bytes())["cells"]
    text = "".join("".join(cell["source"]) for cell in cells)
    assert "raise NotImplementedError" in text
    assert "SOLUTION" not in text
    assert "HIDDEN TESTS" not in text


@pytest.mark.parametrize("name", ["5", "05_square", "exercises/05_square.ipynb"])
def test_an_exercise_that_was_worked_in_is_kept_beside_the_fresh_one(path, capsys, name):
    given = fresh(path, capsys)
    path.write_bytes(given.replace(b"raise NotImplementedError", b"return 7"))
    mine = path.read_bytes()
    assert mine != given
    assert reset(path.parents[1], name) == 0
    assert capsys.readouterr().out == (
        "exercises/05_square.ipynb is fresh again; your own is kept as "
        "exercises/05_square.1.ipynb. None of its tasks is solved now, and hints that were taken "
        "stay counted. If it is open in JupyterLab: File, Reload Notebook from Disk.\n"
    )
    assert path.read_bytes() == given
    assert path.with_name("05_square.1.ipynb").read_bytes() == mine


def test_what_was_kept_before_is_never_replaced(path, capsys):
    given = fresh(path, capsys)
    for answer in (b"return 1", b"return 2"):
        path.write_bytes(given.replace(b"raise NotImplementedError", answer))
        assert reset(path.parents[1], "05") == 0
    assert files(path) == ["05_square.1.ipynb", "05_square.2.ipynb", "05_square.ipynb"]
    assert b"return 1" in path.with_name("05_square.1.ipynb").read_bytes()
    assert b"return 2" in path.with_name("05_square.2.ipynb").read_bytes()


def test_an_untouched_exercise_stays_as_it_is_even_if_it_was_run(path, capsys):
    notebook = json.loads(fresh(path, capsys))
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    code[0].update(execution_count=1, outputs=[])
    write(path, notebook["cells"])
    before = path.read_bytes()
    assert reset(path.parents[1], "05") == 0
    assert capsys.readouterr().out == (
        "exercises/05_square.ipynb is untouched: nothing was done.\n"
    )
    assert (path.read_bytes(), files(path)) == (before, ["05_square.ipynb"])


def test_a_note_between_the_cells_counts_as_work(path, capsys):
    notebook = json.loads(fresh(path, capsys))
    write(path, [*notebook["cells"], cell("mine", "My own note.", cell_type="markdown")])
    assert reset(path.parents[1], "05") == 0
    assert files(path) == ["05_square.1.ipynb", "05_square.ipynb"]


def test_a_damaged_exercise_is_kept_too(path, capsys):
    path.write_text("<<<<<<< HEAD")
    assert reset(path.parents[1], "05") == 0
    assert path.with_name("05_square.1.ipynb").read_text() == "<<<<<<< HEAD"
    assert json.loads(path.read_bytes())["cells"]


def test_nothing_is_solved_after_a_reset_of_the_courses_own_exercise(path, capsys, monkeypatch):
    fresh(path, capsys)
    progress.record("5.1", True, "ok")
    assert reset(path.parents[1], "05") == 0
    assert progress.read()["5.1"].solved  # another course's
    monkeypatch.setattr(progress, "ROOT", path.parents[1])
    assert reset(path.parents[1], "05") == 0
    assert not progress.read()["5.1"].solved


@pytest.mark.parametrize("name", [path.stem for path in progress.ROOT.glob("solutions/*.ipynb")])
def test_what_is_given_back_is_what_was_built_byte_by_byte(path, name):
    shutil.copy(progress.ROOT / "solutions" / f"{name}.ipynb", path.parents[1] / "solutions")
    assert reset(path.parents[1], name) == 0
    built = progress.ROOT / "exercises" / f"{name}.ipynb"
    assert path.with_name(built.name).read_bytes() == built.read_bytes()


def test_a_damaged_solution_is_told_and_the_students_file_stays(path, capsys):
    path.write_text("mine")
    (path.parents[1] / "solutions" / "05_square.ipynb").write_text("<<<<<<< HEAD")
    assert reset(path.parents[1], "05") == 1
    assert "is missing or damaged: run `make build`, or get the course" in capsys.readouterr().err
    assert (path.read_text(), files(path)) == ("mine", ["05_square.ipynb"])


def test_an_unknown_name_ends_with_2(path, capsys):
    assert reset(path.parents[1], "7") == 2
    assert capsys.readouterr().err == "No exercise is called 7: there are 05_square.\n"
    assert files(path) == []


def test_a_copy_is_not_reset(path, capsys):
    copy = path.with_name("05_square.1.ipynb")
    copy.write_text("mine")
    assert reset(path.parents[1], str(copy)) == 2
    assert "is a copy: give the name of the exercise itself." in capsys.readouterr().err
    assert (copy.read_text(), files(path)) == ("mine", ["05_square.1.ipynb"])


@pytest.mark.parametrize("refuses", ["copy2", "write"])
def test_where_nothing_can_be_written_it_says_so_and_leaves_no_copy(
    path, capsys, monkeypatch, refuses
):
    fresh(path, capsys)
    write(path, [cell("mine", "mine = 1")])
    before = path.read_bytes()

    def no_space(*arguments):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if refuses == "write":
        monkeypatch.setattr("course.reset.write_whole", no_space)
    else:
        monkeypatch.setattr("course.notebooks.write.shutil.copy2", no_space)
    assert reset(path.parents[1], "05") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "cannot be replaced (No space left on device), and is as it was" in said.err
    assert (files(path), path.read_bytes()) == (["05_square.ipynb"], before)


@pytest.mark.parametrize("name", ["05_sqare", "square", "exercises/5_square.ipynb"])
def test_a_misspelt_name_is_answered_by_the_nearest(path, capsys, name):
    assert reset(path.parents[1], name) == 2
    assert capsys.readouterr().err == f"No exercise is called {name}; did you mean 05_square?\n"
