"""What a machine does for a run: it grades, or says why it cannot, and ends what it started."""

import json
import time
from dataclasses import asdict, replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from course.grading import crew as module
from course.grading.crew import READY, dismiss, work
from course.grading.reading.answers import read_answers
from course.grading.reading.sheet import read_sheet
from course.grading.settings import Limits, Settings, versions
from tests.course.grading.classes import ROOT, children_of, needs_walls, solved

SETTINGS = Settings(ROOT, (), Limits(), walls=False, seed=3)
SHEET = read_sheet(ROOT, "05_square")


def plain(settings: Settings) -> dict:
    return json.loads(json.dumps(asdict(settings), default=str))


@pytest.fixture
def ask(request):
    """Return a function that gives orders to this machine, in one run for each test."""
    used = set()

    def ask(order: str = READY, run: str = "", settings: Settings = SETTINGS, **other: str):
        about = {"settings": plain(settings), "tasks": [*SHEET.tasks]}
        about |= {"versions": versions() | other, "run": f"{request.node.name} {run}"}
        used.add(json.dumps(about))
        return work(json.dumps(about), order)

    ask.dismiss = lambda: [*map(dismiss, used)]
    yield ask
    ask.dismiss()


def order(**answers: str) -> str:
    found = read_answers(solved(**answers).encode(), SHEET)
    return json.dumps({"sheet": SHEET.as_json(), **vars(found)})


class Worker:
    """Stands for a worker process: it has one answer, and then ends."""

    is_ready = True
    started: list["Worker"]

    def __init__(self, _settings: dict) -> None:
        self.answers, self.has_ended = ["null\n"], False
        self.started.append(self)

    def ask(self, *_: object) -> str:
        return self.answers.pop() if self.answers else ""

    def end(self) -> None:
        self.has_ended = True


@pytest.fixture
def started(monkeypatch):
    """Return the worker processes that are started, which are none."""
    monkeypatch.setattr(Worker, "started", [], raising=False)
    monkeypatch.setattr(module, "_Worker", Worker)
    monkeypatch.setattr(module, "why_not", lambda: "bubblewrap is missing")
    monkeypatch.setattr(module, "RightAnswers", Mock())
    return Worker.started


def refusal(answer: str) -> str:
    return json.loads(answer)["refused"]


def test_a_machine_that_cannot_grade_for_a_run_refuses_in_a_sentence(ask, started):
    said = f"than the machine that sent the work: torch {versions()['torch']} in place of 0.1."
    assert said in refusal(ask(torch="0.1"))
    assert "no walls around" in refusal(ask(settings=replace(SETTINGS, walls=True)))
    assert not started


def test_a_run_that_is_over_starts_nothing_more(ask, started):
    assert json.loads(ask()) is None
    ask.dismiss()
    ask.dismiss()
    assert ask() == ""
    assert [one.has_ended for one in started] == [True]


def test_what_ends_a_worker_has_no_answer_and_the_next_order_gets_another(ask, started):
    assert [json.loads(ask()), ask(), json.loads(ask())] == [None, "", None]
    assert [one.has_ended for one in started] == [True, False]


@pytest.mark.slow
def test_a_worker_that_ends_at_once_is_the_machines_fault_and_not_that_of_a_submission(
    ask, monkeypatch
):
    monkeypatch.setattr(module.sys, "executable", "/bin/false")
    right_answers = Mock(text=lambda: "{}")
    monkeypatch.setattr(module, "RightAnswers", lambda *_: right_answers)
    assert "end as soon as they start" in refusal(ask(order()))


def test_a_run_that_idles_is_ended_when_another_comes_and_may_go_on(ask, started):
    for run in ("left", "next", "left"):
        assert json.loads(ask(run=run)) is None
    assert [one.has_ended for one in started] == [True, True, False]


@pytest.mark.slow
@needs_walls
def test_a_worker_that_is_busy_ends_at_once_with_its_walls_and_leaves_nothing():
    worker = module._Worker(plain(replace(SETTINGS, walls=True)))
    for line in ("{}", READY):  # right answers, none here, and what is no order
        worker._send(line)
    assert worker.process.stdout.readline() == "null\n"
    (walls,) = children_of(worker.process.pid)
    (folder,) = Path("/tmp").glob(f"course-walls-{worker.process.pid}-*")
    worker._send(order(answer_5_1="while True:\n    pass"))
    time.sleep(3)
    worker.end()
    deadline = time.monotonic() + 10
    while Path("/proc", str(walls)).exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not Path("/proc", str(walls)).exists()
    assert not folder.exists()
