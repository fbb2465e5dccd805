"""Grade the course's own solutions before anybody's work."""

from pathlib import Path
from typing import Any

from course.grading.pool import Pool
from course.grading.reading.answers import read_answers
from course.grading.reading.sheet import Sheet
from course.grading.storage import read_result

_NAME = "the course's own solution"


def doubted_tasks(
    root: Path, pool: Pool, sheets: dict[str, Sheet], private: Path
) -> dict[str, dict[str, str]]:
    """Return, by exercise, the tasks that the solution does not pass, and why.

    Where the solution fails, so may right answers: such a task is the grader's fault, for everyone.

    Args:
        root: of the course.
        pool: the workers that will grade the class.
        sheets: of the exercises that are graded, by name.
        private: a folder for their results.
    """
    jobs: list[dict[str, Any]] = []
    for name, sheet in sheets.items():
        content = (root / "solutions" / f"{name}.ipynb").read_bytes()
        job = {"student": _NAME, "exercise": name, "extra": [], "notes": [], "doubted": {}}
        job |= {"sources": read_answers(content, sheet).sources, "fingerprint": ""}
        jobs.append({**job, "result": str(private / f"{name}.json")})
    pool.run(jobs, lambda _: None)
    return {name: _not_passed(private / f"{name}.json", sheets[name]) for name in sheets}


def _not_passed(path: Path, sheet: Sheet) -> dict[str, str]:
    result = read_result(path)
    if result is None:
        return dict.fromkeys(sheet.tasks, "The course's own solution could not be graded.")
    return {
        task.task: f"The course's own solution gets {task.status}: {task.message}"
        for task in result.tasks
        if task.status != "passed"
    }
