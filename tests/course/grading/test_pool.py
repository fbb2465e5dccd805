"""A few orders at a time go to an executor, as texts, and their answers come back to their jobs."""

import json
import threading
from concurrent.futures import Future

import pytest

from course.grading import pool
from course.grading.crew import READY, work
from course.grading.pool import Machines, MachinesError, Pool
from course.grading.settings import Limits, Settings
from tests.course.grading.classes import ROOT

SETTINGS = Settings(ROOT, (), Limits(), walls=True, seed=3)


class DiedError(Exception):
    """Stands for what an executor raises whose process is gone."""


class Recording(Machines):
    """Notes what it is given, and has the oldest order done whenever somebody waits."""

    deaths = (DiedError,)

    def __init__(self, machines: int = 2, **ends) -> None:
        self.machines, self.ends = machines, ends
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

    def slots(self) -> int:
        """Return how many are done at a time; it is asked before each wait."""
        if self.open:
            future, order = self.open.pop(0)
            if not future.cancelled():
                self.end(future, json.loads(order))
        return self.machines

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
        return self.machines > 1

    def dismiss(self, set_up: str) -> None:
        self.dismissed.append(set_up)


def job(name: str) -> dict:
    return {"student": f"student {name}", "fingerprint": "f", "order": {"name": name}}


def run(executor: Recording, *names: str) -> dict:
    with Pool(executor, SETTINGS, ["5.1"], len(names)) as pool:
        return {done["order"]["name"]: answer for done, answer in pool.run(map(job, names))}


def test_few_are_under_way_at_a_time_also_when_slots_come_and_each_job_gets_its_own_answer():
    names = [f"n{number}" for number in range(50)]
    executor, found = Recording(1), {}
    with Pool(executor, SETTINGS, ["5.1"], 50) as pool:
        for done, answer in pool.run(map(job, names)):
            found[done["order"]["name"]] = answer
            if len(found) == 5:
                assert executor.most_at_once <= 2
                executor.machines = 4
    assert found == {name: {"graded": name} for name in names}
    assert 4 < executor.most_at_once <= 8


def test_it_is_said_that_nobody_is_there_and_whoever_comes_goes_on(monkeypatch, capsys):
    monkeypatch.setattr(pool, "_A_WHILE", 0.01)
    executor = Recording()
    come = executor.slots
    monkeypatch.setattr(executor, "slots", lambda: 0)
    threading.Timer(0.2, come).start()
    assert run(executor, "one") == {"one": {"graded": "one"}}
    assert capsys.readouterr().err.count("No machine is there to grade: waiting for one.") == 1


def test_what_travels_is_text_and_tells_runs_apart_but_not_whose_it_is():
    first, second = Recording(), Recording()
    run(first, "one")
    run(second, "one")
    (about, ready), (same, order) = first.given
    assert (ready, order, same) == (READY, json.dumps({"name": "one"}), about)
    assert json.loads(about).keys() == {"run", "settings", "tasks", "versions"}
    assert second.given[0][0] != about


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


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (REFUSED, r"^node7: it has other versions\. Once that is"),  # by the last machine
        (ModuleNotFoundError("No module named 'x'"), "ModuleNotFoundError: No module named 'x'"),
    ],
)
def test_what_nobody_can_do_stops_the_run_with_its_reason(end, said):
    executor = Recording(1, bad=end)
    with pytest.raises(MachinesError, match=said):
        run(executor, "a", "bad", "b")
    assert executor.dismissed == [executor.given[0][0]]


def test_machines_out_of_reach_are_said_to_be_so():
    executor = Recording()
    with Pool(executor, SETTINGS, ["5.1"], 9) as pool:
        answers = pool.run(map(job, "abcdefghi"))
        next(answers)
        for future, _ in executor.open:
            future.cancel()
            future.set_running_or_notify_cancel()
        with pytest.raises(MachinesError, match=r"out of reach.*the same command goes on"):
            list(answers)


def test_when_it_ends_nothing_is_left_under_way():
    executor = Recording()
    with Pool(executor, SETTINGS, ["5.1"], 9) as pool:
        next(pool.run(map(job, "abcdefghi")))
    assert executor.open
    assert all(future.cancelled() for future, _ in executor.open)
