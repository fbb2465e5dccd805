"""Code in another place than it is graded in is run where it belongs, and its points proposed."""

import json
import re

import pytest

from tests.course.grading.classes import (
    RIGHT,
    WRONG,
    grade,
    hand_in,
    needs_walls,
    results,
    solved,
)
from tests.course.grading.test_conclusion import STUB

pytestmark = [needs_walls, pytest.mark.slow]

HALF = RIGHT.replace("return x**2", "return x**2 if x.dim() < 3 else x**2 + 1")
NEEDS = RIGHT.replace("x**2", "twice(x)")
MINE = RIGHT.replace("Square", "Mine")
CASES = {  # the answer cell, another cell, what becomes of the task, and what is proposed
    "below": (STUB, RIGHT, "not-gradable", 3),
    "broken": (f"{RIGHT}\n)", RIGHT, "not-gradable", 3),
    "deleted": (None, RIGHT, "not-gradable", 3),
    "helper": (NEEDS, "def twice(x):\n    return x**2", "not-gradable", 3),
    "renamed": (MINE, "check('5.1', Mine)", "not-gradable", 3),
    "half": (STUB, HALF, "not-gradable", 2),
    "raises": (STUB, f"1 / 0\n{RIGHT}", "not-gradable", None),
    "stopped": (WRONG, f"1 / 0\n{RIGHT}", "not-gradable", None),
    "hostile": (STUB, f"import subprocess\n{RIGHT}", "not-gradable", None),
    "flagged": (f"import subprocess\n{RIGHT}", "", "not-gradable", 3),
    "wrong": (WRONG, WRONG.replace("3", "4"), "partly", None),
    "passes": (RIGHT, WRONG, "passed", None),
}


def notebook(answer: str | None, other: str) -> str:
    """Return a solved notebook with this answer to 5.1, and another cell below or in its place."""
    content = json.loads(solved(answer_5_1=answer or ""))
    cells = content["cells"]
    place = [cell["id"] for cell in cells].index("answer-5-1")
    added = {**cells[place], "id": "own", "metadata": {}, "source": other}
    cells[place + (answer is not None) : place + 1] = [added]
    return json.dumps(content)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere")
    for student, (answer, other, *_) in CASES.items():
        hand_in(folder / "class", student, notebook(answer, other))
    grade(folder / "class", folder / "report", jobs=2, seed=5)
    return folder / "report"


@pytest.mark.parametrize("student", CASES)
def test_what_a_run_settles_is_proposed_and_nothing_else_is_asked(report, student):
    own, other, *expected = CASES[student]
    (found,) = [one for one in results(report).values() if one["student"] == student]
    task = found["tasks"][0]
    assert [task["status"], task["proposed"]] == expected
    is_elsewhere = "not-gradable" in expected and student != "flagged"
    assert task["elsewhere"] in ((other, own) if is_elsewhere else ("",))
    said = re.search(r" With that: (.) of 3.$", task["message"])
    assert (said and int(said[1])) == (task["proposed"] if is_elsewhere else None)
