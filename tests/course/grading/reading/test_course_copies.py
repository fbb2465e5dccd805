"""The course's own files, in a copy of it that was handed in, are nobody's work."""

import json
import re
import shutil
from pathlib import Path

import pytest

from course.grading.reading.answers import Answers
from course.grading.reading.known_exercises import known_exercise, known_exercises
from course.grading.reading.submissions import find_submissions
from tests.course.grading.reading.layouts import ROOT, find, notebook, put, worked

FOLDERS = ("exercises", "notebooks", "solutions", "lessons", "helpers")


def clone(folder: Path) -> Path:
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name)
    return folder


def solution(*, marks: bool = True) -> str:
    found = notebook("05_square", "solutions")
    for cell in found["cells"]:
        lines = "".join(cell["source"]).splitlines(keepends=True)
        cell["source"] = "".join(line for line in lines if marks or "### " not in line)
    return json.dumps(found)


@pytest.mark.parametrize("place", ["bob/autograd", "05-square-bob", "bob"])
def test_an_untouched_clone_is_an_untouched_exercise(tmp_path, place):
    clone(tmp_path / place)
    (one,) = find(tmp_path, "05_square").submissions
    assert (one.student, one.file) == ("bob", f"{place}/exercises/05_square.ipynb")
    assert one.doubts == ()
    assert find(tmp_path, "05_square").passed_over == ()
    assert find(tmp_path, "05_square").notes == (
        "The course's own solutions count for nobody (bob).",
    )


def test_work_in_a_clone_is_its_owners_and_other_exercises_are_nobodys(tmp_path):
    put(clone(tmp_path / "bob") / "exercises" / "05_square.ipynb", worked())
    clone(tmp_path / "eva")
    found = find(tmp_path)
    assert [(one.student, one.exercise) for one in found.submissions] == [
        ("bob", "05_square"),
        ("eva", "05_square"),
    ]
    assert found.passed_over == ()


def test_what_else_a_clone_or_a_release_has_is_not_spoken_of(tmp_path):
    place = clone(tmp_path / "bob")
    put(place / "exercises" / "05_square.ipynb", worked())
    put(place / "README.md", "# The course")
    put(place / "course" / "stubs" / "05_square.json", json.dumps(notebook("05_square")))
    found = find(tmp_path, "05_square")
    (one,) = found.submissions
    assert (one.file, one.remarks) == ("bob/exercises/05_square.ipynb", ())
    assert found.passed_over == ()
    put(place / "answers.py", 'check("5.1", Square)')
    (place / "exercises" / "05_square.ipynb").unlink()
    assert "bob/answers.py" in [one.file for one in find(tmp_path, "05_square").passed_over]


def test_exercises_alone_that_nobody_touched_count_for_nobody(tmp_path):
    shutil.copytree(ROOT / "exercises", tmp_path / "bob" / "exercises")
    put(tmp_path / "bob" / "exercises" / "05_square.ipynb", worked())
    names = [path.stem for path in (ROOT / "exercises").glob("*.ipynb")]
    found = find_submissions(tmp_path, known_exercises(ROOT, names, names))
    assert [one.exercise for one in found.submissions] == ["05_square"]


def test_one_untouched_exercise_is_handed_in(tmp_path):
    put(tmp_path / "bob" / "05_square.ipynb", json.dumps(notebook()))
    assert [one.exercise for one in find(tmp_path).submissions] == ["05_square"]


def test_work_elsewhere_in_a_clone_is_found(tmp_path):
    put(clone(tmp_path / "bob") / "notebooks" / "mine.ipynb", worked())
    (one,) = find(tmp_path, "05_square").submissions
    assert one.file == "bob/notebooks/mine.ipynb"
    assert "exercises/05_square.ipynb has fewer answers" in one.remarks[-1]


@pytest.mark.parametrize("file", ["solutions/05_square.ipynb", "05_square.ipynb"])
def test_the_courses_solution_is_nobodys_work(tmp_path, file):
    put(tmp_path / "bob" / file, solution())
    put(tmp_path / "eva" / "05_square.ipynb", worked())
    found = find(tmp_path)
    assert [one.student for one in found.submissions] == ["eva"]
    (passed,) = found.passed_over
    assert (passed.student, passed.exercise) == ("bob", "05_square")
    assert "is the course's own solution, and counts for nobody" in passed.reason


def test_a_copy_of_the_solution_is_graded_and_asks_for_a_person(tmp_path):
    put(tmp_path / "bob" / "mine.ipynb", solution(marks=False))
    (one,) = find(tmp_path).submissions
    assert one.doubts == (
        "Their comments aside, the answers are the course's own solution, word for word.",
    )


def test_a_changed_copy_of_the_solution_asks_for_a_person(tmp_path):
    put(tmp_path / "bob" / "mine.ipynb", solution().replace("return", "return  1 *"))
    (one,) = find(tmp_path).submissions
    assert one.doubts == (
        "It holds marks of the course's own solution, such as ### BEGIN SOLUTION: look whether it "
        "is the student's own work.",
    )


def test_an_older_solution_of_the_course_in_a_clone_is_nobodys_work(tmp_path):
    clone(tmp_path / "bob")
    put(
        tmp_path / "bob" / "solutions" / "05_square.ipynb",
        solution().replace("return", "return 1 *"),
    )
    (one,) = find(tmp_path, "05_square").submissions
    assert one.file == "bob/exercises/05_square.ipynb"


def _relaid(source: str) -> str:
    return re.sub("^( +)", r"\1\1", source, flags=re.MULTILINE).replace("\n", "\n\n", 2)


@pytest.mark.parametrize(
    "change",
    [
        lambda source: f"# mine\n{source}",
        lambda source: source.replace("###", "#"),
        lambda source: source.replace('"""', '"""Mine: ', 1),
        _relaid,
    ],
)
def test_other_comments_docstrings_or_layout_make_no_other_answers(change):
    known = known_exercise(ROOT, "05_square")
    own = {name: change(source) for name, source in known.solved.items()}
    assert known.is_copied_by(Answers(own, ()))
    assert known.is_solved_by(Answers(own, ()))


def test_one_answer_of_ones_own_makes_no_copy():
    known = known_exercise(ROOT, "05_square")
    mine = known.solved["answer-5-1"].replace("2 *", "2.0 *")
    assert mine != known.solved["answer-5-1"]
    assert not known.is_copied_by(Answers({**known.solved, "answer-5-1": mine}, ()))
    short = {"answer-5-3": known.solved["answer-5-3"]}
    assert not known.is_copied_by(Answers(short, ()))
