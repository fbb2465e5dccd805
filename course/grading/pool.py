"""Hand jobs to worker processes, and notice when one of them is gone."""

import json
import selectors
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from course.grading.right_answers import Expected
from course.grading.settings import Settings

_MOST_LOST = 3  # workers that may end over one job
_PATIENCE = 10.0  # seconds that a worker may take to end
Job = dict[str, Any]
Answer = dict[str, Any]
_Waiting = deque[tuple[Job, int]]  # with the number of workers that ended over it


@dataclass
class _Worker:
    process: subprocess.Popen
    job: Job | None = None
    lost: int = 0


class Pool:
    """Some worker processes, which build their walls while something else is done.

    When its block ends, so do all workers, and their walls with them.
    """

    def __init__(self, settings: Settings, size: int) -> None:
        self._set_up: list[Any] = [asdict(settings)]
        self._workers: list[_Worker] = []
        self._selector = selectors.DefaultSelector()
        self._size = size
        self._fill()

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            self._end(worker)

    def hand_over(self, expected: Expected) -> None:
        """Tell all workers, also those to come, what right answers give: once, before any job."""
        self._set_up.append(expected)
        for worker in self._workers:
            self._send(worker, expected)

    def run(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Answer | None]]:
        """Have all jobs done, in about their order; yield each with its answer.

        The answer is None for a job that ended its worker again and again.
        """
        waiting = deque((job, 0) for job in jobs)
        self._fill()
        for worker in self._workers:
            self._hand_out(worker, waiting)
        while any(worker.job for worker in self._workers):
            for key, _ in self._selector.select():
                yield from self._listen(key.data, waiting)

    def _fill(self) -> None:
        while len(self._workers) < self._size:
            self._start()

    def _start(self) -> _Worker:
        process = subprocess.Popen(
            [sys.executable, "-m", "course.grading.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # so that Ctrl-C is ours alone
        )
        worker = _Worker(process)
        self._workers.append(worker)
        self._selector.register(process.stdout, selectors.EVENT_READ, worker)
        for message in self._set_up:
            self._send(worker, message)
        return worker

    def _hand_out(self, worker: _Worker, waiting: _Waiting) -> None:
        worker.job, worker.lost = waiting.popleft() if waiting else (None, 0)
        if worker.job:
            self._send(worker, worker.job)

    def _send(self, worker: _Worker, message: Any) -> None:
        with suppress(BrokenPipeError):  # its end is noticed where its answers are read
            worker.process.stdin.write(json.dumps(message, default=str).encode() + b"\n")
            worker.process.stdin.flush()

    def _listen(self, worker: _Worker, waiting: _Waiting) -> Iterator[tuple[Job, Answer | None]]:
        line = worker.process.stdout.readline()
        if not line.endswith(b"\n"):
            yield from self._bury(worker, waiting)
            return
        done = worker.job
        self._hand_out(worker, waiting)
        yield done, json.loads(line)

    def _bury(self, worker: _Worker, waiting: _Waiting) -> Iterator[tuple[Job, None]]:
        self._end(worker)
        self._workers.remove(worker)
        lost = worker.lost + 1
        if worker.job and lost < _MOST_LOST:
            waiting.appendleft((worker.job, lost))
        elif worker.job:
            yield worker.job, None
        if waiting:
            self._hand_out(self._start(), waiting)

    def _end(self, worker: _Worker) -> None:
        self._selector.unregister(worker.process.stdout)
        worker.process.terminate()  # it takes its walls down
        try:
            worker.process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            worker.process.kill()
            worker.process.wait()
        with suppress(BrokenPipeError):
            worker.process.stdin.close()
        worker.process.stdout.close()
