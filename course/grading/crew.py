"""Grade submissions on this machine, for whoever asks: this run, or one elsewhere by Dask.

`work` and `dismiss` are all that a machine is asked to do. Texts go in, and a text comes out.
"""

import json
import socket
import subprocess
import sys
from contextlib import suppress
from threading import Lock
from typing import Any

from course.grading.bwrap_command import why_not
from course.grading.right_answers import RightAnswers
from course.grading.settings import differing, versions
from course.grading.walls import clean_up

READY = "null"  # an order that only makes a worker process ready


def work(set_up: str, order: str) -> str:
    """Grade one submission; return JSON of what became of it.

    It is empty if the submission ended its worker process, or if the run is over.
    `{"refused": …}` says why this machine cannot grade for this run.

    Args:
        set_up: JSON of what the run is made with: "run", a name of its own; "settings"; "tasks", of
            all its exercises; "versions", of what grades.
        order: JSON of a sheet and of the answers to it, or `READY`.
    """
    try:
        crew = _crew(set_up)
        return crew.work(order) if crew else ""
    except (OSError, RuntimeError) as error:
        return json.dumps({"refused": f"{socket.gethostname()}: {error}."})


def dismiss(set_up: str) -> None:
    """End all that a run has started on this machine, and start nothing more for it."""
    with _LOCK:
        crew, _CREWS[set_up] = _CREWS.get(set_up), None
    if crew:
        crew.close()


_CREWS: dict[str, "Crew | None"] = {}  # by the set-up of a run; None for one that is over
_LOCK = Lock()


def _crew(set_up: str) -> "Crew | None":
    with _LOCK:
        if set_up not in _CREWS:
            # Of runs that nobody ended; one that goes on has another crew when it asks again.
            for other in [one for one, crew in _CREWS.items() if crew and not crew.busy]:
                _CREWS.pop(other).close()
            _CREWS[set_up] = Crew(json.loads(set_up))
        return _CREWS[set_up]


class Crew:
    """The worker processes of one run on this machine, as many as have work at the same time.

    Attributes:
        busy: those that somebody waits for.

    Raises:
        RuntimeError: this machine cannot grade for it; the message says why.
    """

    def __init__(self, set_up: dict[str, Any]) -> None:
        if others := differing(versions(), set_up["versions"]):
            raise RuntimeError(
                f"it has other versions than the machine that sent the work: {others}. Set up the "
                "same checkout of the course there, and start its Dask workers anew"
            )
        self._settings = set_up["settings"]
        if self._settings["walls"] and (reason := why_not()):
            raise RuntimeError(f"there can be no walls around the submissions: {reason}")
        self._right_answers = RightAnswers(set_up["tasks"], self._settings["seed"])
        self._lock = Lock()
        self._free: list[_Worker] = []
        self.busy: set[_Worker] = set()
        self._is_closed = False

    def work(self, order: str) -> str:
        """Have an order done; return the answer, or "" if its worker ended.

        Raises:
            RuntimeError: worker processes end here before they have anything to do.
        """
        with self._lock:
            if self._is_closed:
                return ""
            worker = self._free.pop() if self._free else _Worker(self._settings)
            self.busy.add(worker)
            answer = ""
        try:
            answer = worker.ask(order, self._right_answers)
        finally:
            with self._lock:
                self.busy.discard(worker)
                is_kept = answer and not self._is_closed
                self._free += [worker] if is_kept else []
            if not is_kept:
                worker.end()
        if not (worker.is_ready or self._is_closed):
            raise RuntimeError("the processes that grade end as soon as they start")
        return answer

    def close(self) -> None:
        """End all processes; whoever waits for an answer gets an empty one."""
        with self._lock:
            self._is_closed = True
            free, busy = self._free, tuple(self.busy)
        for worker in busy:
            worker.process.kill()  # the thread that waits for it does the rest
        for worker in free:
            worker.end()
        self._right_answers.close()


class _Worker:
    def __init__(self, settings: dict[str, Any]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "course.grading.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # so that Ctrl-C is ours alone
            text=True,
        )
        self.is_ready = False
        self._send(json.dumps(settings))

    def ask(self, order: str, right_answers: RightAnswers) -> str:
        """Return the line that it prints, or "" if it ends."""
        if not self.is_ready:
            self._send(right_answers.text())
            self.is_ready = bool(self._answer_to(READY))
        return self._answer_to(order)

    def end(self) -> None:
        """End it, and its walls with it: the system sees to these."""
        self.process.kill()
        self.process.wait()
        clean_up()
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()

    def _answer_to(self, order: str) -> str:
        self._send(order)
        answer = self.process.stdout.readline()
        return answer if answer.endswith("\n") else ""

    def _send(self, line: str) -> None:
        with suppress(BrokenPipeError):  # its end is noticed where its answers are read
            self.process.stdin.write(f"{line.strip()}\n")
            self.process.stdin.flush()
