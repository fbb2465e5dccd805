"""Grade a folder of submissions: read, run what is new, write the books."""

import json
import secrets
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from course.grading.data import Result, blank_tasks
from course.grading.doubts import doubted_tasks
from course.grading.expected import expected_of
from course.grading.fingerprint import fingerprint, versions
from course.grading.pool import Pool, PoolError
from course.grading.reading.answers import NotGradableError, read_answers
from course.grading.reading.sheet import Sheet, read_sheet
from course.grading.reading.submissions import Submission
from course.grading.reading.untrusted_files import UnreadableError
from course.grading.report_folder import ReportError, ReportFolder, unwritable
from course.grading.settings import Limits
from course.grading.storage import read_result, write_result

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class Order:
    """What is to be graded, and how.

    Attributes:
        root: of the course.
        submissions: those to grade.
        limits: of a notebook.
        jobs: worker processes.
        seed: of the inputs; None for that of the report folder, or a new one.
        walls: whether there are to be walls.
        hidden: folders that no notebook may see.
    """

    root: Path
    submissions: tuple[Submission, ...]
    limits: Limits
    jobs: int
    seed: int | None
    walls: bool
    hidden: tuple[Path, ...] = ()


@dataclass
class _Run:
    order: Order
    folder: ReportFolder
    seed: int
    versions: dict[str, str]
    sheets: dict[str, Sheet] = field(default_factory=dict)

    def sheet(self, exercise: str) -> Sheet:
        if exercise not in self.sheets:
            self.sheets[exercise] = read_sheet(self.order.root, exercise)
        return self.sheets[exercise]


def grade_all(order: Order, folder: ReportFolder, progress: Progress) -> list[Result]:
    """Grade what is new or changed; return the results of all submissions.

    Args:
        order: what to grade.
        folder: where the results are kept.
        progress: called with the number of submissions that are done, and that of all.

    Raises:
        ReportError: a result cannot be written.
        SheetError: a notebook of the course is missing or damaged.
        RuntimeError: the right answers cannot be measured.
    """
    seed = order.seed if order.seed is not None else folder.about().get("seed")
    run = _Run(
        order, folder, seed if isinstance(seed, int) else secrets.randbelow(2**31), versions()
    )
    folder.note({"seed": run.seed, "versions": run.versions})
    jobs = [job for job in (_job(run, one) for one in order.submissions) if job]
    if jobs:
        _grade(run, jobs, len(order.submissions), progress)
    paths = [folder.result(one.student, one.exercise) for one in order.submissions]
    return [result for result in map(read_result, paths) if result]


def _job(run: _Run, submission: Submission) -> dict[str, Any] | None:
    """Return what a worker has to do, or None if the result is there already."""
    path = run.folder.result(submission.student, submission.exercise)
    sheet = run.sheet(submission.exercise)
    try:
        answers = read_answers(submission.read(), sheet)
    except (UnreadableError, NotGradableError) as error:
        _write(run, path, _blank(run, submission, "not-gradable", str(error)))
        return None
    mark = fingerprint(answers, sheet, run.order.limits, run.order.walls)
    known = read_result(path)
    if known and known.fingerprint == mark and not _is_faulty(known):
        return None
    return {
        "student": submission.student,
        "exercise": submission.exercise,
        "sources": answers.sources,
        "extra": answers.extra,
        "notes": answers.notes,
        "fingerprint": mark,
        "result": str(path),
        "doubted": {},
    }


def _is_faulty(result: Result) -> bool:
    return any(task.status == "grader-error" for task in result.tasks)


def _grade(run: _Run, jobs: list[dict[str, Any]], total: int, progress: Progress) -> None:
    exercises = sorted({job["exercise"] for job in jobs})
    tasks = [task for name in exercises for task in run.sheet(name).tasks]
    done = total - len(jobs)
    with tempfile.TemporaryDirectory(prefix="course-grade-") as private:
        expected = Path(private, "expected.json")
        size = min(run.order.jobs, len(jobs))
        pool = Pool(_about(run, expected), size, lambda job: _lost(run, job))
        try:
            pool.start()
            expected.write_text(json.dumps(expected_of(tasks, run.seed)), encoding="utf-8")
            sheets = {name: run.sheet(name) for name in exercises}
            doubted = doubted_tasks(run.order.root, pool, sheets, Path(private))
            for job in jobs:
                job["doubted"] = doubted.get(job["exercise"], {})
            progress(done, total)

            def count(_: dict[str, Any]) -> None:
                nonlocal done
                done += 1
                progress(done, total)

            pool.run(jobs, count)
        except PoolError as error:
            raise ReportError(unwritable(run.folder.path, str(error))) from None
        finally:
            pool.close()


def _about(run: _Run, expected: Path) -> dict[str, Any]:
    return {
        "root": str(run.order.root),
        "hidden": list(map(str, run.order.hidden)),
        "limits": asdict(run.order.limits),
        "walls": run.order.walls,
        "seed": run.seed,
        "versions": run.versions,
        "expected": str(expected),
    }


def _lost(run: _Run, job: dict[str, Any]) -> None:
    submission = Submission(job["student"], job["exercise"], Path())
    reason = "The process that graded it ended more than once."
    _write(run, Path(job["result"]), _blank(run, submission, "grader-error", reason))


def _write(run: _Run, path: Path, result: Result) -> None:
    try:
        write_result(path, result)
    except OSError as error:
        raise ReportError(unwritable(run.folder.path, error)) from None


def _blank(run: _Run, submission: Submission, status: str, reason: str) -> Result:
    tasks = blank_tasks(run.sheet(submission.exercise).tasks, status, reason)
    return Result(
        submission.student, submission.exercise, "", run.seed, tasks, reason, run.versions
    )
