"""What a run finds of a submission is kept with its result; nothing is graded again for it."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from course.grading import grade_class as module
from course.grading.fingerprint import fingerprint
from course.grading.grade_class import grade_class, held_up
from course.grading.reading.answers import read_answers
from course.grading.reading.people import Person
from course.grading.reading.sheet import read_sheet
from course.grading.reading.submissions import Submission
from course.grading.report_folder import ReportFolder
from course.grading.results import PASSED_OVER, Result, read_result, write_result
from course.grading.settings import Limits, Settings
from tests.course.grading.books.samples import task
from tests.course.grading.classes import ROOT, solved

SETTINGS = Settings(ROOT, (), Limits(), walls=True, seed=3)
FACTS = {
    "person": Person("Ada", "moodle", "12", "Ada_12_assignsubmission_file_"),
    "file": "Ada_12/05 (2).ipynb",
    "handed_in": "2026-11-20T23:59:00",
    "marked_late": True,
    "doubts": ("Which one?",),
    "remarks": ("There are two.",),
}


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Return a function that runs a class of one, whose work was graded before."""

    def never(*_):
        raise AssertionError("it is graded again")

    monkeypatch.setattr(module, "_grade", never)
    notebook = tmp_path / "05_square.ipynb"
    notebook.write_text(solved(), encoding="utf-8")
    folder = ReportFolder(tmp_path / "report")
    path = folder.result("Ada", "05_square")
    sheet = read_sheet(ROOT, "05_square")
    mark = fingerprint(read_answers(notebook.read_bytes(), sheet), sheet, SETTINGS)
    write_result(path, Result("Ada", "05_square", mark, 7, (task(),)))

    def run(content: str = "", **facts) -> tuple[Path, Result]:
        if content:
            notebook.write_text(content, encoding="utf-8")
        one = Submission("Ada", "05_square", notebook, **facts)
        grade_class(SETTINGS, [one], folder, None, len)
        return path, read_result(path)

    yield run
    folder.close()


def test_what_is_known_of_a_submission_is_kept_without_grading_again(kept):
    _, result = kept(**FACTS)
    assert {name: getattr(result, name) for name in FACTS} == FACTS
    assert (result.seed, result.tasks) == (7, (task(),))
    assert len(result.work) == 64


def test_where_nothing_changed_nothing_is_written(kept):
    path, _ = kept(**FACTS)
    before = path.stat().st_mtime_ns
    kept(**FACTS)
    assert path.stat().st_mtime_ns == before
    kept(**FACTS, content="{")
    broken = path.stat().st_mtime_ns
    kept(**FACTS)
    assert before != broken == path.stat().st_mtime_ns


@pytest.mark.parametrize(
    ("is_busy", "expected"),
    [(True, pytest.raises(AssertionError, match="graded again")), (False, nullcontext())],
)
def test_what_others_held_up_is_tried_again_by_the_next_run(kept, is_busy, expected):
    path, before = kept()
    late = held_up(task("5.1", 0, "timeout"), is_busy=is_busy)
    write_result(path, replace(before, tasks=(late,)))
    with expected:
        kept()


def test_with_any_other_limit_or_without_walls_all_is_graded_again():
    sheet = read_sheet(ROOT, "05_square")
    answers = read_answers(solved().encode(), sheet)
    others = [replace(Limits(), **{name: most + 1}) for name, most in vars(Limits()).items()]
    every = [SETTINGS, replace(SETTINGS, walls=False)]
    every += [replace(SETTINGS, limits=limits) for limits in others]
    assert len({fingerprint(answers, sheet, settings) for settings in every}) == len(every)


def test_work_that_cannot_be_read_is_other_work(kept):
    _, before = kept()
    _, after = kept(content="{")
    assert after.fingerprint == PASSED_OVER
    assert after.work != before.work
    assert {one.status for one in after.tasks} == {"not-gradable"}


def test_a_result_of_an_older_report_is_read(kept):
    path, result = kept()
    path.write_text(
        '{"student": "Ada", "exercise": "05_square", "fingerprint": "f", "seed": 7, "tasks": ['
        '{"task": "5.1", "title": "", "points": 3, "max_points": 3, "status": "passed"}]}'
    )
    older = read_result(path)
    assert replace(older.tasks[0], title="Title of 5.1", diagnosis="ok") == result.tasks[0]
