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
CASES = {  # the answer cell, other cells, what becomes of the task, and what is proposed
    "below": (STUB, {"own": RIGHT}, "not-gradable", 3),
    "broken": (f"{RIGHT}\n)", {"own": RIGHT}, "not-gradable", 3),
    "deleted": (None, {"own": RIGHT}, "not-gradable", 3),
    "check": (STUB, {"check-5-1": f"{RIGHT}\ncheck('5.1', Square)"}, "not-gradable", 3),
    "helper": (NEEDS, {"own": "def twice(x):\n    return x**2"}, "not-gradable", 3),
    "renamed": (MINE, {"check-5-1": "check('5.1', Mine)"}, "not-gradable", 3),
    "half": (STUB, {"own": HALF}, "not-gradable", 2),
    "raises": (STUB, {"own": f"1 / 0\n{RIGHT}"}, "not-gradable", None),
    "stopped": (WRONG, {"own": f"1 / 0\n{RIGHT}"}, "not-gradable", None),
    "hostile": (STUB, {"own": f"import subprocess\n{RIGHT}"}, "not-gradable", None),
    "flagged": (f"import subprocess\n{RIGHT}", {}, "not-gradable", 3),
    "wrong": (WRONG, {"own": WRONG.replace("3", "4")}, "partly", None),
    "passes": (RIGHT, {"own": WRONG}, "passed", None),
    "untouched": (STUB, {}, "not-started", None),
}


def notebook(answer: str | None, others: dict[str, str]) -> str:
    """Return a solved notebook with this answer to 5.1, and other cells changed or added."""
    content = json.loads(solved(answer_5_1=answer or ""))
    cells = content["cells"]
    (place,) = [place for place, cell in enumerate(cells) if cell["id"] == "answer-5-1"]
    for cell in cells:
        cell["source"] = others.get(cell["id"], cell["source"])
    if "own" in others:
        cells.insert(place + 1, {**cells[place], "id": "own", "metadata": {}})
        cells[place + 1]["source"] = others["own"]
    if answer is None:
        del cells[place]
    return json.dumps(content)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere")
    for student, (answer, others, *_) in CASES.items():
        hand_in(folder / "class", student, notebook(answer, others))
    grade(folder / "class", folder / "report", jobs=2, seed=5)
    return folder / "report"


@pytest.mark.parametrize("student", CASES)
def test_what_a_run_settles_is_proposed_and_nothing_else_is_asked(report, student):
    own, others, *expected = CASES[student]
    (found,) = [one for one in results(report).values() if one["student"] == student]
    task = found["tasks"][0]
    assert [task["status"], task["proposed"]] == expected
    is_elsewhere = "not-gradable" in expected and student != "flagged"
    assert task["elsewhere"] in ((*others.values(), own) if is_elsewhere else ("",))
    said = re.search(r" With that: (.) of 3.$", task["message"])
    assert (said and int(said[1])) == (task["proposed"] if is_elsewhere else None)
