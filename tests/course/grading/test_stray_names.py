"""Code that a task may need is found in cells that do not count, whatever else is in there."""

import pytest

from course.grading.reading.answers import Answers
from course.grading.reading.sheet import read_sheet
from course.grading.stray_names import stray_code
from tests.course.grading.classes import ROOT

SHEET = read_sheet(ROOT, "05_square")
CELLS = {cell.id: cell.source for cell in SHEET.cells}
STUB = SHEET.stubs["answer-5-1"]
SQUARE = "class Square(Function):\n    pass"
MINE = "n = 2\nclass MySquare(Function):\n    pass"
NEEDS = "class Square(Function):\n    def forward(ctx, x):\n        return [twice(y) for y in x]"
TWICE = "def twice(x):\n    return 2 * x"
CHECK = "check('5.1', MySquare)"
TRIED_OUT_OR_UNREADABLE = [
    f"# my copy\n{STUB}",
    "x = torch.tensor(3.0)\ny = Square.apply(x)",
    "def f():\n    class Square:\n        pass",
    "Square.apply = f",
    "class Square(",
    "from torch.autograd.function import Function\nclass Cube(Function):\n    pass",
    "(" * 50_000,
    "x = " + "-" * 100_000 + "1",
    "\n" * 1_000_000,
    "import " * 150_000 + "Square",
    "%%bash\n\0",
    "\ud800",
]


def stray(task: str, answers: dict[str, str], *extra: str, missing: str = "Square"):
    said = f"check-5-1 raised NameError: name '{missing}' is not defined."
    return stray_code(SHEET, Answers(answers, extra), task, said)


@pytest.mark.parametrize(
    ("own", "extra", "found"),
    [
        (STUB, [SQUARE], "Square"),
        (STUB, ["%time pass\nif True:\n    Square = Mine"], "Square"),
        (STUB, [TWICE, NEEDS], "Square"),
        (SQUARE, [f"{SQUARE}\n    old = 1"], "Square"),
        ("", [SQUARE], "Square"),
        (NEEDS, [TWICE], "twice"),
        (NEEDS, [f"{CELLS['set-up']}\nfrom mine import twice"], "twice"),
        (MINE, [], "Square = MySquare"),
        (STUB, [MINE, CHECK], "Square = MySquare"),
        *((STUB, [cell], None) for cell in TRIED_OUT_OR_UNREADABLE),
        (SQUARE, [f"# my copy\n{SQUARE}", "import torch", MINE, CHECK], None),
        (NEEDS.replace("twice", ""), ["x = 1\ny = 2\nctx = 3"], None),
        ("import math\npass", [], None),
    ],
)
def test_what_a_task_needs_is_found_in_other_cells(own, extra, found):
    one = stray("5.1", {**SHEET.stubs, "answer-5-1": own}, *extra)
    assert (one and f"{one.name} = {one.renamed}".removesuffix(" = ")) == found
    assert one is None or one.cells == tuple(cell for cell in extra if cell != CHECK)


def test_a_name_is_found_in_the_answer_to_another_task_only_if_it_is_not_defined():
    answers = {**SHEET.stubs, "answer-5-1": NEEDS, "answer-5-2": TWICE}
    assert stray("5.1", answers) is None  # it runs in the notebook as a whole
    assert stray("5.1", answers, missing="twice").cells == (TWICE,)


@pytest.mark.parametrize(
    ("value", "is_found"),
    [("[2, 3 * 4, 1]", True), ("f(x)", False), ("x.grad", False), ("y", False)],
)
def test_a_value_that_is_computed_is_no_prediction(value, is_found):
    found = stray("5.3", SHEET.stubs, f"third_power = {value}", missing="third_power")
    assert bool(found) == is_found


def test_without_the_answer_cell_any_other_cell_may_hold_it():
    found = stray("5.1", {}, "x = 1")
    assert (found.name, found.cells) == ("", ("x = 1",))
