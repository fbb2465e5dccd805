"""Answers in other cells are for a person, and no page says what did not happen."""

import json

import pytest

from course.grading.reading.sheet import read_sheet
from tests.course.grading.classes import (
    RIGHT,
    ROOT,
    grade,
    grades,
    hand_in,
    needs_walls,
    results,
    solved,
)

pytestmark = [needs_walls, pytest.mark.slow]

(STUB,) = [c.source for c in read_sheet(ROOT, "05_square").cells if c.id == "answer-5-1"]
WRONG = RIGHT.replace("2 * x * grad_y", "x * grad_y")
ONLY_HIDDEN = RIGHT.replace("return x**2", "return x**2 if x.dim() < 3 else x**2 + 1")
IN_ITS_CHECK = f"{RIGHT}\ncheck('5.1', Square)"
ELSEWHERE = {
    "stub": (STUB, {"own": RIGHT}),
    "old": (WRONG, {"own": RIGHT}),
    "comment": ("# see below", {"own": RIGHT}),
    "empty": ("", {"own": RIGHT}),
    "deleted": (None, {"own": RIGHT}),
    "check": (STUB, {"check-5-1": IN_ITS_CHECK}),
    "helper": (RIGHT.replace("x**2", "twice(x)"), {"own": "def twice(x):\n    return x**2"}),
}


def notebook(answer: str | None, others: dict[str, str]) -> str:
    """Return a solved notebook with this answer to 5.1, and other cells changed or added."""
    content = json.loads(solved(answer_5_1=answer or ""))
    cells = content["cells"]
    (place,) = [place for place, cell in enumerate(cells) if cell["id"] == "answer-5-1"]
    for cell in cells:
        cell["source"] = others.get(cell["id"], cell["source"])
    if "own" in others:
        cells.insert(place + 2, {**cells[place], "id": "own", "metadata": {}})
        cells[place + 2]["source"] = others["own"]
    if answer is None:
        del cells[place]
    return json.dumps(content)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("elsewhere")
    for student, (answer, others) in ELSEWHERE.items():
        hand_in(folder / "class", student, notebook(answer, others))
    hand_in(folder / "class", "twice", notebook(RIGHT, {"own": WRONG}))
    hand_in(folder / "class", "deep", solved(answer_5_1=ONLY_HIDDEN))
    untouched = (ROOT / "exercises" / "05_square.ipynb").read_text(encoding="utf-8")
    hand_in(folder / "class", "untouched", untouched)
    grade(folder / "class", folder / "report", jobs=2, seed=5)
    return folder / "report"


def stored(report, student: str) -> dict:
    found = results(report).values()
    return next(result for result in found if result["student"] == student)


def page(report, student: str) -> str:
    (path,) = (report / "feedback").rglob(f"*{student}*/*.html")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("student", ELSEWHERE)
def test_an_answer_in_another_cell_is_for_a_person_who_is_told_where(report, student):
    status, points, _ = grades(report)[student, "5.1"]
    assert (status, points) == ("not-gradable", None)
    name = "twice" if student == "helper" else "Square"
    text = page(report, student)
    assert f"<code>{name}</code> stands" in text
    assert "Only answer cells are graded: a person has to look at it." in text
    assert "Nothing has been written" not in text


def test_an_answer_that_passes_stays_so_with_another_beside_it(report):
    assert grades(report)["twice", "5.1"][0] == "passed"


def test_an_untouched_exercise_is_not_started_and_asks_nobody(report):
    found = grades(report)
    tasks = ("5.1", "5.2", "5.3")
    assert [found["untouched", task] for task in tasks] == [("not-started", 0.0, "not-started")] * 3
    told = [task["message"] for task in stored(report, "untouched")["tasks"]]
    assert told == ["Nothing has been written yet."] * len(tasks)


def test_an_answer_that_fails_only_the_hidden_check_hears_that(report):
    assert grades(report)["deep", "5.1"][:2] == ("partly", 2.0)
    text = page(report, "deep")
    assert "Its visible check passes. A hidden check, on inputs that you do not see, fails." in text
    assert "Its check was not reached" not in text
