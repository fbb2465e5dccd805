"""`course status`: the progress in a terminal, at once."""

import subprocess
import sys

import pytest

from course.cli import main
from helpers.checks import progress
from helpers.checks.progress_view import progress as view
from helpers.checks.tasks import load, numbers


@pytest.fixture(autouse=True)
def _fresh(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    progress._store.cache_clear()


def test_it_prints_what_progress_shows(capsys):
    progress.record("5.1", True, "ok")
    assert main(["status", "05"]) == 0
    printed = capsys.readouterr().out
    assert printed == f"{view(5)!r}\n"
    assert "✓ solved" in printed


@pytest.mark.parametrize("name", ["5", "05", "05_square", "exercises/05_square.ipynb"])
def test_an_exercise_is_named_as_elsewhere(capsys, name):
    assert main(["status", name]) == 0
    assert capsys.readouterr().out.startswith("Exercise 5. Square: ")


def test_without_a_name_it_prints_every_exercise(capsys):
    assert main(["status"]) == 0
    printed = capsys.readouterr().out
    lines = [line for line in printed.splitlines() if line.startswith("Exercise ")]
    assert [int(line.split()[1].rstrip(".")) for line in lines] == numbers()


def test_it_calls_lessons_and_reviews_by_their_titles_and_ends_with_the_total(capsys):
    progress.record("21.1", True, "ok")
    assert main(["status"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Exercise 4. gradcheck, and what fools it: 0 of 3 tasks solved, 0 of 11 points" in lines
    assert "Exercise 21. Review of Part I: 1 of 1 tasks solved, 4 of 4 points" in lines
    tasks = [task for number in numbers() for task in load(number)]
    most = sum(task.points for task in tasks)
    assert lines[-1] == f"In all: 1 of {len(tasks)} tasks solved, 4 of {most} points"


def test_an_unknown_name_ends_with_2(capsys):
    assert main(["status", "99"]) == 2
    done = capsys.readouterr()
    assert done.out == ""
    assert done.err.startswith("There is no exercise 99: there are ")


def test_it_waits_for_neither_torch_nor_a_notebook_library():
    code = (
        "import sys; from course.cli import main; main(['status']);"
        "slow = {'torch', 'numpy', 'nbformat', 'IPython', 'jupyter_client'} & set(sys.modules);"
        "sys.exit(f'loaded {slow}' if slow else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
