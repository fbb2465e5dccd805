"""A few orders at a time go to an executor, as texts, and their answers come back to their jobs."""

import json
import threading
from concurrent.futures import Executor, Future

import pytest

from course.grading import pool
from course.grading.crew import READY, work
from course.grading.pool import Machines, MachinesError, Pool
from course.grading.settings import Limits, Settings
from tests.course.grading.classes import ROOT

SETTINGS = Settings(ROOT, (), Limits(), walls=True, seed=3)


class DiedError(Exception):
    """Stands for what an executor raises whose process is gone."""


class Recording(Executor):
    """Notes what it is given, and has the oldest order done whenever somebody waits."""

    def __init__(self, slots: int = 2, **ends) -> None:
        self.slots, self.ends = slots, ends
        self.given, self.most_at_once, self.dismissed = [], 0, []
        self.left_out = []
        self.open: list[tuple[Future, str]] = []

    def submit(self, function, set_up, order):
        assert function is work
        future = Future()
        self.given.append((set_up, order))
        self.open.append((future, order))
        self.most_at_once = max(self.most_at_once, len(self.open))
        return future

    def count(self) -> int:
        """Return how many are done at a time; it is asked before each wait."""
        if self.open:
            future, order = self.open.pop(0)
            if not future.cancelled():
                self.end(future, json.loads(order))
        return self.slots

    def end(self, future: Future, order: dict | None) -> None:
        end = self.ends.get(order["name"]) if order else "null"
        if isinstance(end, Exception):
            future.set_exception(end)
        else:
            future.set_result(json.dumps({"graded": order["name"]}) if end is None else end)

    def leave_out(self, reason: str, machine: str) -> bool:
        """Have what was refused done when it comes again, as by another machine."""
        self.left_out.append((machine, reason))
        self.ends.clear()
        return self.slots > 1

    def machines(self) -> Machines:
        dismiss = self.dismissed.append
        return Machines(self, self.count, dismiss, self.leave_out, (DiedError,))


def job(name: str) -> dict:
    return {"student": f"student {name}", "fingerprint": "f", "order": {"name": name}}


def run(executor: Recording, *names: str) -> dict:
    with Pool(executor.machines(), SETTINGS, ["5.1"], len(names)) as pool:
        return {done["order"]["name"]: answer for done, answer in pool.run(map(job, names))}


def test_every_job_comes_back_once_with_its_own_answer():
    names = [f"n{number}" for number in range(50)]
    assert run(Recording(), *names) == {name: {"graded": name} for name in names}


def test_few_are_under_way_at_a_time():
    executor = Recording(slots=3)
    run(executor, *(f"n{number}" for number in range(50)))
    assert 3 < executor.most_at_once <= 6


def test_slots_that_come_later_are_used():
    executor = Recording(slots=1)
    with Pool(executor.machines(), SETTINGS, ["5.1"], 40) as pool:
        for number, _ in enumerate(pool.run(job(f"n{number}") for number in range(40))):
            if number == 5:
                executor.slots = 4
    assert 4 < executor.most_at_once <= 8


def test_it_is_said_that_nobody_is_left_and_what_comes_back_goes_on(monkeypatch, capsys):
    monkeypatch.setattr(pool, "_A_WHILE", 0.01)
    executor = Recording()
    gone = Machines(executor, lambda: 0, executor.dismissed.append)
    threading.Timer(0.2, executor.count).start()  # somebody comes back
    with Pool(gone, SETTINGS, ["5.1"], 1) as waiting:
        assert [answer for _, answer in waiting.run([job("one")])] == [{"graded": "one"}]
    assert capsys.readouterr().err.count("No machine is left to grade: waiting for one.") == 1


def test_what_travels_is_text_and_does_not_say_whose_it_is():
    executor = Recording()
    run(executor, "one")
    orders = [order for _, order in executor.given]
    assert orders == [READY, json.dumps({"name": "one"})]
    for set_up, _ in executor.given:
        assert json.loads(set_up).keys() == {"run", "settings", "tasks", "versions"}


def test_what_ends_every_process_has_no_answer_and_the_others_keep_theirs():
    executor = Recording(dies=DiedError(), ends="")
    assert run(executor, "a", "dies", "ends", "b") == {
        "a": {"graded": "a"},
        "dies": None,
        "ends": None,
        "b": {"graded": "b"},
    }


REFUSED = json.dumps({"refused": "node7: it has other versions.", "machine": "node7/1"})


def test_what_a_machine_refuses_is_done_by_others():
    executor = Recording(bad=REFUSED)
    names = ("a", "bad", "b")
    assert run(executor, *names) == {name: {"graded": name} for name in names}
    assert executor.left_out == [("node7/1", "node7: it has other versions.")]


def test_a_refusal_of_the_last_machine_stops_the_run_with_its_reason():
    executor = Recording(slots=1, bad=REFUSED)
    with pytest.raises(MachinesError, match=r"^node7: it has other versions\. Once that is"):
        run(executor, "a", "bad", "b")
    assert len(executor.dismissed) == 1


def test_any_other_failure_stops_the_run_with_its_words():
    with pytest.raises(MachinesError, match="ModuleNotFoundError: No module named 'course'"):
        run(Recording(bad=ModuleNotFoundError("No module named 'course'")), "bad")


def test_machines_out_of_reach_are_said_to_be_so():
    executor = Recording()
    with Pool(executor.machines(), SETTINGS, ["5.1"], 9) as pool:
        answers = pool.run(map(job, "abcdefghi"))
        next(answers)
        for future, _ in executor.open:
            future.cancel()
            future.set_running_or_notify_cancel()
        with pytest.raises(MachinesError, match=r"out of reach.*the same command goes on"):
            list(answers)


def test_when_it_ends_nothing_is_left_under_way():
    executor = Recording()
    with Pool(executor.machines(), SETTINGS, ["5.1"], 9) as pool:
        next(pool.run(map(job, "abcdefghi")))
    assert executor.open
    assert all(future.cancelled() for future, _ in executor.open)
    assert executor.dismissed == [executor.given[0][0]]


def test_two_runs_are_told_apart_even_if_they_are_made_with_the_same():
    first, second = Recording(), Recording()
    run(first, "a")
    run(second, "a")
    assert first.given[0][0] != second.given[0][0]
