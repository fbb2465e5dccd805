"""What a run finds of a submission is kept with its result; nothing is graded again for it."""

from contextlib import closing
from dataclasses import replace

import pytest

from course.grading import grade_class as module
from course.grading.grade_class import grade_class, held_up
from course.grading.reading.answers import read_answers
from course.grading.reading.files import File
from course.grading.reading.layouts import Person
from course.grading.reading.sheet import read_sheet
from course.grading.report_folder import ReportFolder
from course.grading.results import PASSED_OVER, Result, read_result, write_result
from course.grading.settings import Limits, Settings, fingerprint
from tests.course.grading.books.samples import result, task
from tests.course.grading.classes import ROOT, solved

SETTINGS = Settings(ROOT, (), Limits(), walls=True, seed=3)
SHEET = read_sheet(ROOT, "05_square")
FACTS = {
    "person": Person("Ada", "moodle", "12", "Ada_12_assignsubmission_file_"),
    "file": "Ada_12/05 (2).ipynb",
    "work": "hash of answers",
    "handed_in": "2026-11-20T23:59:00",
    "marked_late": True,
    "doubts": ("Which one?",),
}


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Return a function that runs a class of one, and where the result is, which was graded."""

    def never(*_):
        raise AssertionError("it is graded again")

    monkeypatch.setattr(module, "_grade", never)
    notebook = File(("05_square.ipynb",), tmp_path / "05_square.ipynb")
    notebook.path.write_text(solved(), encoding="utf-8")
    mark = fingerprint(read_answers(notebook.read(), SHEET), SHEET, SETTINGS)
    with closing(ReportFolder(tmp_path / "report")) as folder:
        path = folder.result("Ada", "05_square")
        write_result(path, replace(result(), fingerprint=mark, seed=7))

        def run(content: str = "", **facts):
            if content:
                notebook.path.write_text(content, encoding="utf-8")
            one = Result("Ada", "05_square", PASSED_OVER, 0, (), **facts)
            grade_class(SETTINGS, {"05_square": SHEET}, {one: notebook}, folder, None, len)
            return read_result(path)

        yield run, path


def test_what_is_known_of_a_submission_is_kept_without_grading_again(kept):
    run, path = kept
    found = run(**FACTS)
    assert {name: getattr(found, name) for name in FACTS} == FACTS
    assert (found.seed, found.tasks) == (7, (task(),))
    before = path.stat().st_mtime_ns
    run(**FACTS)
    assert path.stat().st_mtime_ns == before


def test_work_that_cannot_be_read_is_passed_over_and_written_once(kept):
    run, path = kept
    after = run("{")
    assert after.fingerprint == PASSED_OVER
    assert {one.status for one in after.tasks} == {"not-gradable"}
    written = path.stat().st_mtime_ns
    run()
    assert path.stat().st_mtime_ns == written


def test_what_others_held_up_is_open_and_tried_again_by_the_next_run(kept):
    run, path = kept
    sleeps, late = (held_up(task("5.1", 0, "timeout"), is_busy=busy) for busy in (False, True))
    write_result(path, replace(run(), tasks=(sleeps,)))
    assert run().tasks == (sleeps,)
    write_result(path, replace(run(), tasks=(late,)))
    with pytest.raises(AssertionError, match="graded again"):
        run()
    assert [late.is_open, sleeps.is_open] == [True, True]


def test_with_any_other_limit_or_without_walls_all_is_graded_again():
    answers = read_answers(solved().encode(), SHEET)
    others = [replace(Limits(), **{name: most + 1}) for name, most in vars(Limits()).items()]
    every = [SETTINGS, replace(SETTINGS, walls=False)]
    every += [replace(SETTINGS, limits=limits) for limits in others]
    assert len({fingerprint(answers, SHEET, settings) for settings in every}) == len(every)
