"""Grade one submission after the other, as told on standard input; one of several processes.

The first line holds the settings, the second what right answers give, each further one a sheet and
the answers to it, all JSON. For each of these a line is printed: what became of the tasks, the
seconds that it took, whether it is doubtful, as others may be to blame for a timeout, and whether
the machine is busy now; or why no walls can be built here. To `null` the answer is `null`.
"""

import ctypes
import json
import os
import signal
import sys
import time
from dataclasses import asdict
from socket import gethostname
from typing import Any

from course.grading.grade_submission import Graded, grade
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet
from course.grading.results import blank_tasks
from course.grading.right_answers import Expected
from course.grading.settings import Settings
from course.grading.submission_runs import Exam
from course.grading.walls import Walls, WallsError
from course.grading.walls.submission_kernel import OpenKernel

_AT_MOST_TRIES = 2
_SET_PDEATHSIG = 1
_GRACE = 10  # seconds to take the walls down
_MOST_MEMORY = 2**30  # bytes; a tenth of it is used
_TOO_MUCH = "What it sends fills the memory of the grader: a person has to look at it."


class Worker:
    """What a worker has at hand; `expected`, what right answers give, before the first job."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.expected: Expected = {}
        self._walls: Walls | None = None

    def work(self, order: dict[str, Any]) -> dict[str, Any]:
        """Grade one submission; return what became of its tasks, or why this machine cannot."""
        start = time.monotonic()
        if reason := self.warm_up():
            return {"refused": reason}
        sheet = Sheet.from_json(order["sheet"])
        answers = Answers(order["sources"], tuple(order["extra"]), beside=tuple(order["beside"]))
        graded = self._grade(sheet, answers)
        if reason := self.warm_up():  # so it was this machine, whatever became of the tasks
            return {"refused": reason}
        seconds = round(time.monotonic() - start, 3)
        return {**asdict(graded), "seconds": seconds, "busy": _is_busy()}

    def warm_up(self) -> str:
        """Build the walls where there are none; return why they cannot be built, or ""."""
        if self._settings.walls and self._walls is None:
            try:
                self._walls = Walls(self._settings)
            except (OSError, WallsError) as error:
                why = getattr(error, "strerror", None) or error
                return (
                    f"{gethostname()}: no walls can be built in /tmp around a submission ({why})."
                )
        return ""

    def close(self) -> None:
        """Take the walls down."""
        if self._walls is not None:
            self._walls.close()
            self._walls = None

    def _grade(self, sheet: Sheet, answers: Answers) -> Graded:
        for _ in range(_AT_MOST_TRIES):
            try:
                return grade(Exam(sheet, self.expected, self._settings, self._kernel), answers)
            except MemoryError:  # an answer sent more than this process may hold
                self.close()
                status, reason = "not-gradable", _TOO_MUCH
            except Exception as error:  # whatever it is, it is no reason for a zero
                self.close()
                said = f"{type(error).__name__}: {error}"[:500]
                status, reason = "grader-error", f"{said}. Run the same command again."
        return Graded(blank_tasks(sheet.tasks, status, reason), doubtful=False)

    def _kernel(self) -> Any:
        if not self._settings.walls:
            return OpenKernel()
        self._walls = self._walls or Walls(self._settings)
        return self._walls.fork()


def _is_busy() -> bool:
    """Tell whether others want more processors than there are; not if that is not known."""
    try:
        return os.getloadavg()[0] > (os.cpu_count() or 1)
    except (AttributeError, OSError):
        return False


def _stop(*_: object) -> None:
    """End, and print nothing of where: pytest would, wherever it was.

    Python swallows the exception where it collects garbage, and what it interrupts may wait for
    what is gone: then the alarm ends this process, and with it all behind the walls.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.alarm(_GRACE)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    sys.exit(1)


def main() -> None:
    """Do the jobs until there are no more."""
    out, sys.stdout = sys.stdout, sys.stderr  # what others print is no answer
    signal.signal(signal.SIGTERM, _stop)
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_SET_PDEATHSIG, signal.SIGTERM)  # if the grader is killed
        import resource

        # Only what can be taken back: notebooks have a limit of their own.
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, hard))
    worker = Worker(Settings.from_json(json.loads(sys.stdin.readline())))
    try:
        worker.warm_up()
        if handed_over := sys.stdin.readline():
            worker.expected = json.loads(handed_over)
        for line in sys.stdin:
            order = json.loads(line)
            print(json.dumps(order and worker.work(order)), file=out, flush=True)
    finally:
        worker.close()


if __name__ == "__main__":
    main()
