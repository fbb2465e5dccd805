"""Hand submissions to the machines that grade them, a few at a time."""

import json
import secrets
from collections.abc import Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import asdict
from itertools import islice
from typing import Any

from course.grading.crew import READY, dismiss, work
from course.grading.settings import Settings, versions
from course.grading.terminal import say

_A_WHILE = 10.0  # seconds without an answer after which it is asked who is there
_NOBODY_THERE = (
    "No machine is there to grade: waiting for one. Ctrl-C stops, and keeps what is graded."
)
_IN_FLIGHT = 2  # for each that is graded: the next lies there when one is done
_OUT_OF_REACH = (
    "The machines that grade are out of reach: what is graded is kept, and the same command goes "
    "on once they are back."
)
_MEND_IT = "Once that is mended, the same command goes on: what is graded is kept."
Job = dict[str, Any]  # "order" is what travels
Answer = dict[str, Any]


class MachinesError(RuntimeError):
    """The machines that grade cannot be used; the message says why, and what to do."""


class Machines(Executor):
    """Where submissions are graded: here, or on a cluster.

    Attributes:
        deaths: what a future raises whose submission ended one executing process after the other.
    """

    deaths: tuple[type[Exception], ...] = ()

    def slots(self) -> int:
        """Return how many submissions are graded at a time."""
        raise NotImplementedError

    def dismiss(self, set_up: str) -> None:
        """End all that a run has started."""
        dismiss(set_up)

    def leave_out(self, reason: str, machine: str) -> bool:
        """Do without a machine that refuses; return whether others are left."""
        return False


class ThisMachine(ThreadPoolExecutor, Machines):
    """Grades here: each thread waits for a worker process."""

    def slots(self) -> int:
        """Return how many submissions are graded at a time."""
        return self._max_workers


class Pool:
    """The machines, set up for one run; when its block ends, so does all that it started there.

    Args:
        machines: that grade.
        settings: of the run.
        tasks: of all its exercises.
        most: orders at a time; as many worker processes are made ready at once.
    """

    def __init__(self, machines: Machines, settings: Settings, tasks: list[str], most: int) -> None:
        self._machines = machines
        about = {"settings": asdict(settings), "tasks": tasks, "versions": versions()}
        self._set_up = json.dumps({"run": secrets.token_hex(8), **about}, default=str)
        ready = range(min(most, machines.slots()))
        self._running: dict[Future, Job | None] = {self._submit(READY): None for _ in ready}

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        for future in self._running:
            future.cancel()
        self._machines.dismiss(self._set_up)

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Answer | None]]:
        """Have all jobs done, in about their order; yield each with its answer.

        The answer is None for a job that ended its worker.

        Raises:
            MachinesError: no machine is left that can grade for this run, or none is reached.
        """
        waiting = iter(jobs)
        while True:
            room = max(_IN_FLIGHT * self._machines.slots(), 1) - len(self._running)
            for job in islice(waiting, max(room, 0)):
                self._give(job)
            if not any(self._running.values()):
                return
            for future in self._done():
                job, answer = self._running.pop(future), self._answer(future)
                if answer and "refused" in answer:
                    if not self._machines.leave_out(answer["refused"], answer.get("machine", "")):
                        raise MachinesError(f"{answer['refused']} {_MEND_IT}")
                    if job:
                        self._give(job)
                elif job:
                    yield job, answer

    def _done(self) -> set[Future]:
        """Wait for answers; say it if nobody is there to give any."""
        is_said = False
        while not (done := wait(self._running, _A_WHILE, FIRST_COMPLETED).done):
            if not is_said and not self._machines.slots():
                say(_NOBODY_THERE)
                is_said = True
        return done

    def _give(self, job: Job) -> None:
        self._running[self._submit(json.dumps(job["order"]))] = job

    def _submit(self, order: str) -> Future:
        return self._machines.submit(work, self._set_up, order)

    def _answer(self, future: Future) -> Answer | None:
        try:
            return json.loads(future.result() or "null")
        except self._machines.deaths:
            return None
        except CancelledError:
            raise MachinesError(_OUT_OF_REACH) from None
        except Exception as error:
            raise MachinesError(f"{type(error).__name__}: {error}") from error
