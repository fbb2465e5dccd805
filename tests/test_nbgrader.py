"""nbgrader's own commands grade every exercise from solutions/, as docs/nbgrader.md says."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from course.notebooks.regions import SOLUTION, regions
from course.notebooks.roles import role
from helpers.checks.tasks import load

ROOT = Path(__file__).parents[1]
PLACE = ROOT / ".build" / "nbgrader"
EXERCISES = sorted(path.stem for path in (ROOT / "solutions").glob("*.ipynb"))
HALF, UNTOUCHED = EXERCISES[::3], EXERCISES[1::3]  # each notebook that is graded takes seconds
SQUARE = "05_square"
HANDED_IN = {"solved": EXERCISES, "half": HALF, "untouched": UNTOUCHED, "untidy": [SQUARE]}
PAGE = (ROOT / "docs" / "nbgrader.md").read_text(encoding="utf-8")
COMMANDS = re.findall(rf"^nbgrader (\w+) {SQUARE}$", PAGE, re.MULTILINE)
# The points of each student, by notebook and by cell.
SCORES = """\
import json
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    print(json.dumps({
        one.student.id: {
            notebook.name: {each.name: [each.score, each.max_score] for each in notebook.grades}
            for notebook in one.notebooks
        }
        for assignment in book.assignments
        for one in assignment.submissions
    }))
"""
pytestmark = [
    pytest.mark.proof,
    pytest.mark.slow,
    pytest.mark.skipif(not (PLACE / "made").is_file(), reason="make nbgrader installs nbgrader"),
]


def run(folder: Path, *arguments: str) -> str:
    """Run Python in a course of nbgrader's, with nbgrader beside the packages of the course."""
    own = {name: str(folder / ".jupyter" / name) for name in ("config", "data", "runtime")}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(PLACE),
            "PATH": f"{PLACE / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "JUPYTER_CONFIG_DIR": own["config"],
            "JUPYTER_DATA_DIR": own["data"],
            "JUPYTER_RUNTIME_DIR": own["runtime"],
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def new_course(folder: Path, source: str, names: list[str]) -> Path:
    """Begin a course of nbgrader's, one assignment with these notebooks, and release it."""
    (config,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (folder / "nbgrader_config.py").write_text(config)
    (folder / "source" / "autograd").mkdir(parents=True)
    for name in names:
        shutil.copy(ROOT / source / f"{name}.ipynb", folder / "source" / "autograd")
    nbgrader(folder, COMMANDS[0])
    return folder


def nbgrader(folder: Path, command: str) -> None:
    """Run a command of nbgrader's on the assignment."""
    run(folder, "-m", "nbgrader", command, "autograd")


def hand_in(folder: Path, student: str, start: Path, name: str, change: Callable) -> None:
    """Hand a notebook in that was begun with the one in `start`, and changed."""
    notebook = json.loads((start / f"{name}.ipynb").read_text(encoding="utf-8"))
    change(name, notebook)
    path = folder / "submitted" / student / "autograd" / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def solution(name: str) -> dict[str, str]:
    """Return the code of an exercise's solved cells, by cell."""
    notebook = json.loads((ROOT / "solutions" / f"{name}.ipynb").read_text(encoding="utf-8"))
    return {cell["id"]: "".join(cell["source"]) for cell in notebook["cells"]}


def solve(name: str, notebook: dict, tasks: set[str] | None = None) -> None:
    """Fill in the right answers to these tasks; to all of them by default."""
    right = solution(name)
    for cell in notebook["cells"]:
        found = role(cell["id"])
        if found and found.kind == "answer" and (tasks is None or found.task_id in tasks):
            cell["source"] = right[cell["id"]]


def solve_first(name: str, notebook: dict) -> None:
    solve(name, notebook, {load(int(name[:2]))[0].id})


def nothing(name: str, notebook: dict) -> None:
    pass


def tidy_away(name: str, notebook: dict) -> None:
    """Solve it, delete a check, give it more points, edit given code, and warn of something."""
    solve(name, notebook)
    cells = {cell["id"]: cell for cell in notebook["cells"]}
    cells["set-up"]["source"] += "\nimport numpy"
    cells["check-5-2"]["metadata"]["nbgrader"]["points"] = 99
    loud = "import warnings\nwarnings.warn('mind the step')\n"
    cells["answer-5-3"]["source"] = loud + cells["answer-5-3"]["source"]
    notebook["cells"].remove(cells["check-5-1"])


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Release all exercises, hand in work on them, grade it and write the feedback."""
    folder = new_course(tmp_path_factory.mktemp("nbgrader"), "solutions", EXERCISES)
    released = folder / "release" / "autograd"
    for student, (start, change) in {
        "solved": (released, solve),
        "half": (ROOT / "exercises", solve_first),
        "untouched": (released, nothing),
        "untidy": (ROOT / "exercises", tidy_away),
    }.items():
        for name in HANDED_IN[student]:
            hand_in(folder, student, start, name, change)
    for command in COMMANDS[1:]:
        nbgrader(folder, command)
    return SimpleNamespace(
        released=released,
        feedback=folder / "feedback",
        scores=json.loads(run(folder, "-c", SCORES)),
    )


def due(name: str, share: Callable[[int], bool]) -> dict[str, list[float]]:
    """Return the points and the most points of each check of an exercise."""
    return {
        f"check-{task.id.replace('.', '-')}": [task.points if share(place) else 0, task.points]
        for place, task in enumerate(load(int(name[:2])))
    }


def test_the_page_names_the_three_commands():
    assert COMMANDS == ["generate_assignment", "autograde", "generate_feedback"]


@pytest.mark.parametrize(
    ("student", "share"),
    [
        ("solved", lambda place: True),
        ("half", lambda place: place == 0),
        ("untouched", lambda place: False),
    ],
)
def test_what_is_right_gets_its_points_and_nothing_else(graded, student, share):
    assert HANDED_IN[student]
    scores = {name: graded.scores[student][name] for name in HANDED_IN[student]}
    assert scores == {name: due(name, share) for name in HANDED_IN[student]}


def test_a_student_who_deletes_a_check_and_edits_the_rest_gets_what_the_answers_are_worth(graded):
    right = due(SQUARE, lambda place: True)
    assert graded.scores["untidy"][SQUARE] == right


def test_what_is_released_holds_no_solution_and_no_hidden_check(graded):
    for name in EXERCISES:
        text = (graded.released / f"{name}.ipynb").read_text(encoding="utf-8")
        code = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
        assert "HIDDEN" not in text
        assert "check.hidden" not in text
        solved = {cell: lines for cell, lines in solved_lines(name).items() if lines}
        assert solved
        assert [cell for cell, lines in solved.items() if lines in code] == []


def solved_lines(name: str) -> dict[str, str]:
    """Return what stands between the marks of each answer of an exercise."""
    found = {}
    for cell, source in solution(name).items():
        for region in regions(source, name, 1):
            if region.kind == SOLUTION:
                lines = source.splitlines()[region.first : region.last - 1]
                found[f"{cell}:{region.first}"] = "\n".join(lines)
    return found


def test_everyone_gets_feedback_with_the_points_and_the_report(graded):
    for student, points in graded.scores.items():
        for name in points:
            page = graded.feedback / student / "autograd" / f"{name}.html"
            if name not in HANDED_IN[student]:
                continue
            text = page.read_text(encoding="utf-8")
            score = sum(score for score, _ in points[name].values())
            most = sum(most for _, most in points[name].values())
            assert f"(Score: {score} / {most})" in text, (student, name)


def test_an_exercise_in_the_place_of_the_solution_gives_nobody_points(tmp_path):
    folder = new_course(tmp_path, "exercises", [SQUARE])
    hand_in(folder, "solved", ROOT / "exercises", SQUARE, solve)
    nbgrader(folder, "autograde")
    scores = json.loads(run(folder, "-c", SCORES))["solved"][SQUARE]
    assert len(scores) == len(load(5))
    assert [most for _, most in scores.values()] == [0] * len(scores)


def test_nbgrader_needs_nothing_that_is_not_pinned(tmp_path):
    assert "No broken requirements found." in run(tmp_path, "-m", "pip", "check")
