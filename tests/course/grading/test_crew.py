"""What a machine does for a run: it grades, or says why it cannot, and ends what it started."""

import json
import os
import signal
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from course.grading import crew as module
from course.grading.crew import READY, dismiss, work
from course.grading.fingerprint import versions
from course.grading.reading.answers import read_answers
from course.grading.reading.sheet import read_sheet
from course.grading.settings import Limits, Settings
from tests.course.grading.classes import ROOT, children_of, needs_walls, solved

SETTINGS = Settings(ROOT, (), Limits(), walls=False, seed=3)
SHEET = read_sheet(ROOT, "05_square")


def set_up(run: str, settings: Settings = SETTINGS, **other_versions: str) -> str:
    about = {"settings": asdict(settings), "tasks": [*SHEET.tasks]}
    about |= {"versions": versions() | other_versions}
    return json.dumps({"run": run, **about}, default=str)


def order(**answers: str) -> str:
    found = read_answers(solved(**answers).encode(), SHEET)
    return json.dumps({"sheet": SHEET.as_json(), **vars(found)})


@pytest.fixture
def started(monkeypatch):
    """Return the worker processes that are started, which are none."""
    found = []

    class Worker:
        process = type("Process", (), {"terminate": lambda _: None})()

        def __init__(self, settings):
            self.settings, self.answers = json.loads(settings), ["null\n"]
            self.is_ready = True
            found.append(self)

        def ask(self, *_):
            return self.answers.pop() if self.answers else ""

        def end(self):
            self.has_ended = True

    monkeypatch.setattr(module, "_Worker", Worker)
    monkeypatch.setattr(module, "why_not", lambda: "bubblewrap is missing")
    monkeypatch.setattr(module, "RightAnswers", lambda *_: type("", (), {"close": int})())
    return found


def test_other_versions_are_refused_in_a_sentence(started):
    (reason,) = json.loads(work(set_up("versions", torch="0.1"), READY)).values()
    said = f"than the machine that sent the work: torch {versions()['torch']} in place of 0.1."
    assert said in reason
    assert not started


def test_a_machine_that_cannot_have_walls_refuses_where_they_are_wanted(started):
    settings = replace(SETTINGS, walls=True)
    assert "no walls around" in json.loads(work(set_up("walls", settings), READY))["refused"]
    assert json.loads(work(set_up("none"), READY)) is None
    dismiss(set_up("none"))


def test_a_run_that_is_over_starts_nothing_more(started):
    assert json.loads(work(set_up("over"), READY)) is None
    dismiss(set_up("over"))
    dismiss(set_up("over"))
    assert work(set_up("over"), READY) == ""
    assert [one.has_ended for one in started] == [True]


def test_a_worker_that_ends_is_replaced_and_the_order_given_again_three_times_at_most(started):
    assert json.loads(work(set_up("ends"), READY)) is None
    (first,) = started
    first.answers = []
    assert json.loads(work(set_up("ends"), READY)) is None
    assert len(started) == 2
    for one in started:
        one.answers = []
    started[1].__class__.ask = lambda *_: ""
    assert work(set_up("ends"), READY) == ""
    assert len(started) == 4
    dismiss(set_up("ends"))


def test_a_machine_where_workers_end_before_they_have_anything_to_do_refuses(started):
    work(set_up("never"), READY)
    kind = started[0].__class__
    kind.ask = lambda one, *_: setattr(one, "is_ready", False) or ""
    assert "end as soon as they start" in json.loads(work(set_up("never"), READY))["refused"]
    dismiss(set_up("never"))


@pytest.mark.slow
def test_a_worker_that_ends_at_once_is_the_machines_fault_and_not_that_of_a_submission(
    monkeypatch,
):
    monkeypatch.setattr(module.sys, "executable", "/bin/false")
    right_answers = type("", (), {"text": lambda _: "{}", "close": lambda _: None})
    monkeypatch.setattr(module, "RightAnswers", lambda *_: right_answers())
    assert "end as soon as they start" in json.loads(work(set_up("false"), order()))["refused"]
    dismiss(set_up("false"))


def test_a_run_that_nobody_has_asked_for_long_is_ended_when_another_comes(started, monkeypatch):
    work(set_up("left"), READY)
    monkeypatch.setattr(module, "_FORGOTTEN", 0.0)
    work(set_up("next"), READY)
    assert started[0].has_ended
    assert work(set_up("left"), READY) == ""
    dismiss(set_up("next"))


def test_each_machine_hides_its_own_course_and_those_folders_of_the_run_that_it_has(
    started, tmp_path
):
    settings = replace(SETTINGS, hidden=(tmp_path, tmp_path / "only there"))
    work(set_up("hides", settings), READY)
    assert started[0].settings["hidden"] == [str(ROOT), str(tmp_path)]
    dismiss(set_up("hides", settings))


@pytest.mark.slow
def test_a_submission_is_graded_by_the_sheet_that_comes_with_it():
    wrong = "class Square:\n    pass"
    answer = json.loads(work(set_up("real"), order(answer_5_1=wrong)))
    dismiss(set_up("real"))
    assert [task["status"] for task in answer["tasks"]] == ["failed", "passed", "passed"]
    assert not answer["doubtful"]
    assert isinstance(answer["busy"], bool)


@pytest.mark.slow
@needs_walls
def test_a_worker_that_waits_for_what_does_not_answer_ends_all_the_same():
    worker = module._Worker(json.dumps(asdict(replace(SETTINGS, walls=True)), default=str))
    for line in (READY, READY):  # in the place of right answers, and an order
        worker._send(line)
    assert worker.process.stdout.readline() == "null\n"
    (walls,) = children_of(worker.process.pid)
    worker._send(order(answer_5_1="while True:\n    pass"))
    time.sleep(3)
    os.kill(walls, signal.SIGSTOP)
    for inside in all_below(walls):
        os.kill(inside, signal.SIGSTOP)
    worker.process.terminate()
    worker.process.wait(30)
    worker.end()
    deadline = time.monotonic() + 10
    while Path("/proc", str(walls)).exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not Path("/proc", str(walls)).exists()


def all_below(process: int) -> list[int]:
    """Return the children of a process, and theirs."""
    children = children_of(process)
    return children + [each for child in children for each in all_below(child)]
