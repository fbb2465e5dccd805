"""Hand submissions to the machines that grade them, a few at a time."""

import json
import secrets
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from course.grading.crew import READY, dismiss, work
from course.grading.fingerprint import versions
from course.grading.settings import Settings
from course.grading.terminal import say

_A_WHILE = 10.0  # seconds without an answer after which it is asked who is left
_NOBODY_LEFT = (
    "No machine is left to grade: waiting for one. Ctrl-C stops, and keeps what is graded."
)
_IN_FLIGHT = 2  # for each that is graded: the next lies there when one is done
_OUT_OF_REACH = (
    "The machines that grade are out of reach: what is graded is kept, and the same command goes "
    "on once they are back."
)
Job = dict[str, Any]  # "order" is what travels
Answer = dict[str, Any]


_MEND_IT = "Once that is mended, the same command goes on: what is graded is kept."


class MachinesError(RuntimeError):
    """The machines that grade cannot be used; the message says why, and what to do."""


class _RefusedError(RuntimeError):
    """A machine cannot grade for this run: why, and who of several it was."""


@dataclass(frozen=True)
class Machines:
    """Where submissions are graded: here, or on a cluster.

    Attributes:
        executor: runs `crew.work`.
        slots: tells how many submissions are graded at a time.
        dismiss: calls `crew.dismiss` on every machine.
        leave_out: takes the reason for which a machine refuses, and which one it was; does without
            it; tells whether others are left.
        deaths: what a future raises whose submission ended one executing process after the other.
    """

    executor: Executor
    slots: Callable[[], int]
    dismiss: Callable[[str], None]
    leave_out: Callable[[str, str], bool] = lambda *_: False
    deaths: tuple[type[Exception], ...] = ()


@contextmanager
def this_machine(jobs: int) -> Iterator[Machines]:
    """Grade here: each thread waits for a worker process."""
    with ThreadPoolExecutor(jobs) as executor:
        yield Machines(executor, lambda: jobs, dismiss)


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

        The answer is None for a job that ended its worker again and again.

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
                job = self._running.pop(future)
                try:
                    answer = self._answer(future)
                except _RefusedError as refused:
                    if not self._machines.leave_out(*refused.args):
                        raise MachinesError(f"{refused.args[0]} {_MEND_IT}") from None
                    self._give(job)
                else:
                    if job:
                        yield job, answer

    def _done(self) -> set[Future]:
        """Wait for answers; say it if nobody is left to give any."""
        is_said = False
        while not (done := wait(self._running, _A_WHILE, FIRST_COMPLETED).done):
            if not is_said and not self._machines.slots():
                say(_NOBODY_LEFT)
                is_said = True
        return done

    def _give(self, job: Job | None) -> None:
        if job:
            self._running[self._submit(json.dumps(job["order"]))] = job

    def _submit(self, order: str) -> Future:
        return self._machines.executor.submit(work, self._set_up, order)

    def _answer(self, future: Future) -> Answer | None:
        try:
            answer = json.loads(future.result() or "null")
        except self._machines.deaths:
            return None
        except CancelledError:
            raise MachinesError(_OUT_OF_REACH) from None
        except Exception as error:
            raise MachinesError(f"{type(error).__name__}: {error}") from error
        if answer and "refused" in answer:
            raise _RefusedError(answer["refused"], answer.get("machine", ""))
        return answer
