"""Grade with `course grade`, behind its walls."""

import json
import os
import sys
from pathlib import Path

from grade_tools.graded import NOT_GRADED, Graded, between, shown, timed
from grade_tools.submissions import EXERCISE, ROOT, Submission, write


def grade(submissions: list[Submission], folder: Path, jobs: int) -> Graded:
    """Grade submissions with a number of workers.

    Raises:
        ToolError: it cannot be run.
    """
    write(submissions, lambda student: folder / "class" / student / f"{EXERCISE}.ipynb")
    course = str(Path(sys.executable).with_name("course"))
    settings = folder / "course.toml"
    settings.write_text(f"[run]\njobs = {jobs}\n", encoding="utf-8")
    command = [course, "grade", str(folder / "class"), "-o", str(folder / "report")]
    # Status 1: a person has to look at some of them.
    whole, _ = timed([*command, "--course", str(settings)], ROOT, os.environ, fine=(0, 1))
    results = {
        one.student: folder / "report" / "results" / one.student / f"{EXERCISE}.json"
        for one in submissions
    }
    done = {student: path for student, path in results.items() if path.is_file()}
    scores = dict.fromkeys(results, NOT_GRADED) | {one: _score(path) for one, path in done.items()}
    each = between(list(done.values()))
    return Graded(len(submissions), whole / len(submissions), each, scores)


def _score(path: Path) -> str:
    tasks = json.loads(path.read_text(encoding="utf-8"))["tasks"]
    score = shown(sum(task["points"] for task in tasks))
    if any(task["status"] == "grader-error" for task in tasks):
        return f"{score}, grader's error"
    look = any(task["status"] == "not-gradable" for task in tasks)
    return f"{score}, to look at" if look else score
