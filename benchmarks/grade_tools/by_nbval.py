"""Grade with plain `pytest --nbval`, all submissions in one run.

Only the student's check cells are exchanged for those of the solution, with their stored outputs.
"""

from collections import defaultdict
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from grade_tools.environments import environment, module
from grade_tools.graded import NOT_GRADED, Graded, shown, timed
from grade_tools.submissions import (
    EXERCISE,
    ROOT,
    TASKS,
    Notebook,
    Submission,
    changed,
    check_id,
    points,
    read,
    write,
)

_CELL_SECONDS = 30  # nbval waits 2000 s, also for a kernel that is dead


def grade(submissions: list[Submission], folder: Path) -> Graded:
    """Grade submissions; a task has its points if its check cell passes.

    Raises:
        ToolError: pytest cannot be run.
    """
    assembled = [Submission(one.student, _with_checks(one.notebook)) for one in submissions]
    write(assembled, lambda student: folder / student / f"{EXERCISE}.ipynb")
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [*module("pytest"), "--nbval", "--nbval-current-env", "-q", "--tb=no"]
    command += [f"--nbval-cell-timeout={_CELL_SECONDS}", "-p", "no:cacheprovider"]
    command += [f"--nbval-sanitize-with={ROOT / 'course' / 'notebooks' / 'nbval_sanitize.cfg'}"]
    command += ["--junitxml=report.xml", *(one.student for one in submissions)]
    whole, _ = timed(command, folder, environment("nbval"), fine=(0, 1))
    cells = _cells(folder / "report.xml")
    each = [sum(float(cell.get("time", 0)) for cell in own.values()) for own in cells.values()]
    scores = {one.student: _score(one.notebook, cells.get(one.student)) for one in assembled}
    return Graded(len(submissions), whole / len(submissions), each, scores)


def _with_checks(notebook: Notebook) -> Notebook:
    checks = {check_id(task) for task in TASKS}
    known = {cell["id"]: cell for cell in read("solutions")["cells"] if cell["id"] in checks}

    def change(other: Notebook) -> None:
        other["cells"] = [known.get(cell["id"], cell) for cell in other["cells"]]

    return changed(notebook, change)


def _cells(report: Path) -> dict[str, dict[int, ElementTree.Element]]:
    """Return what became of each code cell, by student and by the cell's number."""
    found: dict[str, dict[int, ElementTree.Element]] = defaultdict(dict)
    for case in ElementTree.parse(report).iter("testcase"):
        place = f"{case.get('classname')}{case.get('name')}"
        student = place.split("/")[0].split(".")[0].removeprefix("ipynb::")
        found[student][int(case.get("name", "").rpartition(" ")[2])] = case
    return found


def _score(notebook: Notebook, cells: dict[int, Any] | None) -> str:
    if not cells:
        return NOT_GRADED
    passed = {number for number, cell in cells.items() if not _trouble(cell)}
    code = [cell["id"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    right = {code[number] for number in passed if number < len(code)}
    score = shown(sum(points(task) for task in TASKS if check_id(task) in right))
    return f"{score}, all cells pass" if len(passed) == len(cells) and score != "10" else score


def _trouble(cell: ElementTree.Element) -> bool:
    return any(child.tag in ("failure", "error", "skipped") for child in cell)
