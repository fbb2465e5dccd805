"""Hand jobs to worker processes, and notice when one of them is gone."""

import json
import selectors
import subprocess
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

_MOST_LOST = 3  # workers that may end over one job
_PATIENCE = 10.0  # seconds that a worker may take to end


class PoolError(RuntimeError):
    """No more can be graded; the message says why. What was graded is written."""


@dataclass
class _Worker:
    process: subprocess.Popen
    job: dict[str, Any] | None = None
    received: bytes = b""


@dataclass
class Pool:
    """Some worker processes.

    Attributes:
        about: the set-up that each of them is sent.
        size: how many there may be.
        on_lost: called with a job that ended its worker again and again.
    """

    about: dict[str, Any]
    size: int
    on_lost: Callable[[dict[str, Any]], object]
    _workers: list[_Worker] = field(default_factory=list)
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    def start(self) -> None:
        """Start all workers: they build their walls while something else is done."""
        while len(self._workers) < self.size:
            self._start()

    def run(self, jobs: list[dict[str, Any]], on_done: Callable[[dict], object]) -> None:
        """Do all jobs; they are done in about their order.

        Raises:
            PoolError: a result cannot be written.
        """
        waiting = deque(jobs)
        for worker in self._workers:
            self._hand_out(worker, waiting)
        while any(worker.job for worker in self._workers):
            for key, _ in self._selector.select():
                self._listen(key.data, waiting, on_done)

    def close(self) -> None:
        """End all workers; their walls end with them."""
        for worker in self._workers:
            self._end(worker)
        self._workers.clear()

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
        self._send(worker, self.about)
        return worker

    def _hand_out(self, worker: _Worker, waiting: deque) -> None:
        worker.job = waiting.popleft() if waiting else None
        if worker.job:
            self._send(worker, worker.job)

    def _send(self, worker: _Worker, message: dict[str, Any]) -> None:
        with suppress(BrokenPipeError):  # its end is noticed where its answers are read
            worker.process.stdin.write(json.dumps(message).encode() + b"\n")
            worker.process.stdin.flush()

    def _listen(self, worker: _Worker, waiting: deque, on_done: Callable[[dict], object]) -> None:
        received = worker.process.stdout.read1(65536)
        if not received:
            return self._bury(worker, waiting, on_done)
        *lines, worker.received = (worker.received + received).split(b"\n")
        for line in lines:
            answer = json.loads(line)
            if "stop" in answer:
                raise PoolError(answer["stop"])
            on_done(worker.job)
            self._hand_out(worker, waiting)
        return None

    def _bury(self, worker: _Worker, waiting: deque, on_done: Callable[[dict], object]) -> None:
        self._end(worker)
        self._workers.remove(worker)
        job = worker.job
        if job:
            job["lost"] = job.get("lost", 0) + 1
            if job["lost"] < _MOST_LOST:
                waiting.appendleft(job)
            else:
                self.on_lost(job)
                on_done(job)
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
