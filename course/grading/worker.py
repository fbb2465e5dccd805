"""Grade one submission after the other, as told on standard input; one of several processes.

The first line holds the settings, the second what right answers give, each further one a sheet and
the answers to it, all JSON. For each of these a line is printed: what became of the tasks,
whether it is doubtful, as others may be to blame for what became of it, and whether the machine is
busy now; or why no walls can be built here. To `null` the answer is `null`.
"""

import ctypes
import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from socket import gethostname
from tempfile import TemporaryDirectory
from typing import Any

from course.grading.grade_submission import Graded, grade
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet
from course.grading.results import blank_tasks, from_json
from course.grading.right_answers import Expected, read_answers
from course.grading.settings import Settings
from course.grading.submission_runs import Exam
from course.grading.walls import Walls, WallsError
from course.notebooks.kernels import KernelProcess, kernel_process

_SET_PDEATHSIG = 1
_MOST_MEMORY = 2**30  # bytes; a tenth of it is used
_TOO_MUCH = "What it sends fills the memory of the grader: a person has to look at it."
_PRELOAD = "course.grading.inside.answer_evidence"


class Worker:
    """What a worker has at hand; `expected`, what right answers give, before the first job."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.expected: Expected = {}
        self._walls: Walls | None = None

    def work(self, order: dict[str, Any]) -> dict[str, Any]:
        """Grade one submission; return what became of its tasks, or why this machine cannot."""
        graded = None if self.warm_up() else self._grade(order)
        if reason := self.warm_up():  # so it was this machine, whatever became of the tasks
            return {"refused": reason}
        is_busy = os.getloadavg()[0] > (os.cpu_count() or 1)
        return {**asdict(graded), "busy": is_busy}

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

    def _grade(self, order: dict[str, Any]) -> Graded:
        sheet, answers = from_json(Sheet, order["sheet"]), from_json(Answers, order)
        kernel = self._walls.fork if self._walls else _open_kernel
        try:
            return grade(Exam(sheet, self.expected, self._settings, kernel), answers)
        except MemoryError:  # an answer sent more than this process may hold
            status, reason = "not-gradable", _TOO_MUCH
        except Exception as error:  # whatever it is, it is no reason for a zero
            said = f"{type(error).__name__}: {error}"[:500]
            status, reason = "grader-error", f"{said}. Run the same command again."
        if self._walls is not None:
            self._walls.close()
            self._walls = None
        return Graded(blank_tasks(sheet.tasks, status, reason), doubtful=True)


@contextmanager
def _open_kernel() -> Iterator[KernelProcess]:
    """Run a kernel without walls, with the user's own rights: only for people one trusts."""
    with (
        TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as cwd,
        kernel_process(Path(cwd), _PRELOAD, COURSE_PROGRESS="off") as kernel,
    ):
        yield kernel


def main() -> None:
    """Do the jobs until there are no more, or until this process is killed: `clean_up` follows."""
    out, sys.stdout = sys.stdout, sys.stderr  # what others print is no answer
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_SET_PDEATHSIG, signal.SIGKILL)  # if the grader is killed
        import resource

        # Only what can be taken back: notebooks have a limit of their own.
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, hard))
    worker = Worker(from_json(Settings, json.loads(sys.stdin.readline())))
    worker.warm_up()
    if handed_over := sys.stdin.readline():
        worker.expected = read_answers(handed_over)
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps(order and worker.work(order)), file=out, flush=True)


if __name__ == "__main__":
    main()
