"""Grade one submission after the other, as told on standard input; one of several processes.

The first line is the set-up, each further one a job, all JSON. For each job a result is written,
and a line printed: `{"done": true}`, or `{"stop": "why"}` if nothing can be written.
"""

import ctypes
import json
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from course.grading.data import Result, TaskResult, blank_tasks
from course.grading.expected import Expected
from course.grading.grade_one import Bench, grade
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import Sheet, read_sheet
from course.grading.settings import Limits
from course.grading.storage import write_result
from course.grading.walls import Walls, WallsError
from course.grading.walls.open_kernel import OpenKernel

_AT_MOST_TRIES = 2
_SET_PDEATHSIG = 1
_MOST_MEMORY = 4 * 2**30  # bytes; a fiftieth of it is used


class Worker:
    """What a worker has at hand.

    Args:
        about: the set-up, as `grade.py` sends it.
    """

    def __init__(self, about: dict[str, Any]) -> None:
        self._root = Path(about["root"])
        self._hidden = tuple(map(Path, about["hidden"]))
        self._limits = Limits(**about["limits"])
        self._expected_file = Path(about["expected"])  # not there yet
        self._expected: Expected = {}
        self._has_walls = about["walls"]
        self._seed = about["seed"]
        self._versions = about["versions"]
        self._sheets: dict[str, Sheet] = {}
        self._walls: Walls | None = None

    def work(self, job: dict[str, Any]) -> None:
        """Grade one submission, and write its result.

        Raises:
            OSError: it cannot be written.
        """
        start = time.monotonic()
        sheet = self._sheet(job["exercise"])
        answers = Answers(job["sources"], tuple(job["extra"]), tuple(job["notes"]))
        tasks = self._grade(sheet, answers)
        tasks = tuple(_doubted(task, job["doubted"]) for task in tasks)
        result = Result(
            student=job["student"],
            exercise=job["exercise"],
            fingerprint=job["fingerprint"],
            seed=self._seed,
            tasks=tasks,
            note=" ".join(answers.notes),
            versions=self._versions,
            seconds=round(time.monotonic() - start, 3),
        )
        write_result(Path(job["result"]), result)

    def warm_up(self) -> None:
        """Build the walls before the first job comes."""
        if self._has_walls:
            with suppress(WallsError):  # said again, and taken in, when they are needed
                self._walls = Walls(self._hidden)

    def close(self) -> None:
        """Take the walls down."""
        if self._walls is not None:
            self._walls.close()
            self._walls = None

    def _grade(self, sheet: Sheet, answers: Answers) -> tuple[TaskResult, ...]:
        if not self._expected:
            self._expected = json.loads(self._expected_file.read_text(encoding="utf-8"))
        bench = Bench(sheet, self._expected, self._seed, self._limits, self._fork)
        for left in reversed(range(_AT_MOST_TRIES)):
            try:
                return grade(bench, answers)
            except Exception as error:  # whatever it is, it is no reason for a zero
                self.close()
                if not left:
                    reason = f"{type(error).__name__}: {error}"[:500]
                    return blank_tasks(sheet.tasks, "grader-error", reason)
        raise AssertionError

    def _sheet(self, exercise: str) -> Sheet:
        if exercise not in self._sheets:
            self._sheets[exercise] = read_sheet(self._root, exercise)
        return self._sheets[exercise]

    def _fork(self, limits: Limits) -> Any:
        if not self._has_walls:
            return OpenKernel()
        if self._walls is None:
            self._walls = Walls(self._hidden)
        return self._walls.fork(limits)


def _doubted(task: TaskResult, doubted: dict[str, str]) -> TaskResult:
    """Give no grade for a task that the course's own solution does not pass."""
    if task.task not in doubted:
        return task
    return TaskResult(
        task.task,
        task.title,
        0,
        task.max_points,
        "grader-error",
        message=doubted[task.task],
        code=task.code,
    )


def main() -> None:
    """Do the jobs until there are no more."""
    out, sys.stdout = sys.stdout, sys.stderr  # what others print is no answer
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(_SET_PDEATHSIG, signal.SIGTERM)  # if the grader is killed
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, _MOST_MEMORY))
    worker = Worker(json.loads(sys.stdin.readline()))
    try:
        worker.warm_up()
        for line in sys.stdin:
            try:
                worker.work(json.loads(line))
                answer = {"done": True}
            except OSError as error:
                answer = {"stop": f"{error.filename or 'a file'}: {error.strerror}"}
            print(json.dumps(answer), file=out, flush=True)
    finally:
        worker.close()


if __name__ == "__main__":
    main()
