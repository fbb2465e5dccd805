"""Grade with `otter run`, one process after the other for each submission."""

import json
import zipfile
from pathlib import Path
from typing import Any

from grade_tools.environments import ToolError, environment, module
from grade_tools.graded import Graded, shown, timed
from grade_tools.submissions import (
    TASKS,
    Notebook,
    Submission,
    changed,
    check_id,
    points,
    read,
    source,
)

_CONFIG = {"show_hidden": True, "print_summary": False, "logo": False}


def grade(submissions: list[Submission], folder: Path) -> Graded:
    """Grade submissions with tests that call what the check cells call.

    Raises:
        ToolError: otter cannot be run.
    """
    _write_autograder(folder / "autograder.zip")
    each, scores = [], {}
    for one in submissions:
        own = folder / one.student
        own.mkdir()
        (own / "submission.ipynb").write_text(json.dumps(_for_otter(one.notebook)))
        command = [*module("otter"), "run", "-a", str(folder / "autograder.zip")]
        command += ["-o", str(own), str(own / "submission.ipynb")]
        try:
            seconds, done = timed(command, own, environment("otter"), fine=(0, 1), limit=120)
        except ToolError as error:
            scores[one.student] = "crash" if "ended with" in str(error) else "hang"
            continue
        each.append(seconds)
        scores[one.student] = _score(own / "results.json", done.returncode)
    return Graded(len(each), sum(each) / len(each), each, scores)


def _score(results: Path, status: int) -> str:
    if status or not results.is_file():
        return "crash"
    tests = json.loads(results.read_text())["tests"]
    if any(test["name"] == "Autograder Failed" for test in tests):
        return "0, grader failed"
    return shown(sum(test.get("score", 0) for test in tests))


def _write_autograder(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("otter_config.json", json.dumps(_CONFIG))
        for task in TASKS:
            archive.writestr(f"tests/{task}.py", f"OK_FORMAT = True\ntest = {_test(task)!r}\n")


def _test(task: str) -> dict[str, Any]:
    """Return a test in OK format: what the task's check cell does, as a doctest."""
    lines = [line for line in source(_solved(task)).splitlines() if not line.startswith("#")]
    lines = ["from helpers import check", *lines]
    code = "\n".join(f">>> {line}" for line in lines)
    suite = {"cases": [{"code": code, "hidden": False}], "scored": True, "type": "doctest"}
    return {"name": task, "points": points(task), "suites": [suite]}


def _solved(task: str) -> dict[str, Any]:
    return next(cell for cell in read("solutions")["cells"] if cell["id"] == check_id(task))


def _for_otter(notebook: Notebook) -> Notebook:
    """Return the notebook with otter's check cells in place of untouched ones of the course."""
    ours = {cell["id"]: source(cell) for cell in read("exercises")["cells"]}
    otters = {check_id(task): f'grader.check("{task}")' for task in TASKS}

    def change(other: Notebook) -> None:
        for cell in other["cells"]:
            if cell["id"] == "set-up":
                cell["source"] = f"{source(cell)}\nimport otter\ngrader = otter.Notebook()"
            elif cell["id"] in otters and source(cell) == ours[cell["id"]]:
                cell["source"] = otters[cell["id"]]

    return changed(notebook, change)
