"""A name that stands in a cell that does not count is found, whatever else is in there."""

from pathlib import Path

import pytest

from course.grading.reading.answers import Answers
from course.grading.reading.sheet import read_sheet
from course.grading.stray_names import stray_name

ROOT = Path(__file__).resolve().parents[3]
SHEET = read_sheet(ROOT, "05_square")
STUBS = {cell.id: cell.source for cell in SHEET.cells if cell.kind == "answer"}
GIVEN = {cell.id: cell.source for cell in SHEET.cells if cell.kind == "given"}
MESSAGE = "answer-5-1 raised NameError: name 'helper' is not defined."
SQUARE = "class Square(Function):\n    pass"


def defined_elsewhere(message: str, extra: list[str]) -> str:
    return stray_name(SHEET, Answers(STUBS, tuple(extra)), "5.1", message)


def strays(*extra: str, task: str = "5.1", **answers: str) -> str:
    """Return the stray name of a notebook with these cells beside its answers."""
    sources = STUBS | {name.replace("_", "-"): source for name, source in answers.items()}
    return stray_name(SHEET, Answers(sources, extra), task, "")


@pytest.mark.parametrize(
    "source",
    [
        "def helper(x):\n    return x",
        "x = 1\nclass helper: pass",
        "if True:\n    helper = 3",
        "helper: int = 3",
        "from somewhere import a, helper",
    ],
)
def test_the_name_of_a_definition_is_told(source):
    assert defined_elsewhere(MESSAGE, ["", source]) == "helper"


@pytest.mark.parametrize("source", ["helper", "helper == 3", "print(helper)", "helpers = 3"])
def test_a_use_is_no_definition(source):
    assert defined_elsewhere(MESSAGE, [source]) == ""


@pytest.mark.parametrize(
    "source",
    [
        "\n" * 1_000_000,
        " " * 1_000_000 + "helper",
        "import " * 150_000 + "helper",
        "helper: " * 120_000,
        "helper\n" * 140_000,
    ],
    ids=["lines", "spaces", "imports", "notes", "uses"],
)
def test_a_large_cell_takes_no_more_time_than_it_is_long(source):
    assert defined_elsewhere(MESSAGE, [source]) in ("", "helper")


def test_what_an_answer_is_to_bind_is_found_in_another_cell():
    assert strays(SQUARE) == "Square"
    assert strays("%time pass\nif True:\n    class Square:\n        pass") == "Square"
    assert strays("Square = Mine") == strays("from mine import Square") == "Square"
    assert strays(answer_5_2=f"{STUBS['answer-5-2']}\n{SQUARE}") == "Square"
    assert strays("third_power = [2, 3 * 4, 1]", task="5.3") == "third_power"


def test_what_an_answer_uses_and_nobody_binds_is_found_in_another_cell():
    needs = "class Square(Function):\n    def forward(ctx, x):\n        return twice(x)"
    assert strays("def twice(x):\n    return 2 * x", answer_5_1=needs) == "twice"
    assert strays("twice = lambda x: 2 * x", answer_5_1=needs) == "twice"
    changed = GIVEN["set-up"] + "\nfrom mine import Function"
    assert strays(changed, answer_5_1=needs) == "Function"


@pytest.mark.parametrize(
    "cell",
    [
        STUBS["answer-5-1"],
        "Square",
        "x = torch.tensor(3.0)\ny = Square.apply(x)",
        "def f():\n    class Square:\n        pass",
        "Square = 3",
        "Square.apply = f",
        "class Square(",
        "class Cube(Function):\n    pass",
        "# class Square(Function):",
    ],
)
def test_trying_things_out_is_no_answer(cell):
    assert strays(cell) == ""


@pytest.mark.parametrize("cell", ["third_power = f(x)", "third_power = x.grad", "third_power = y"])
def test_a_value_that_is_computed_is_no_prediction(cell):
    assert strays(cell, task="5.3") == ""


def test_a_copy_of_the_answer_is_no_other_answer():
    assert strays(f"# my copy\n{SQUARE}", answer_5_1=SQUARE) == ""


def test_names_of_the_answers_own_scopes_are_not_looked_for():
    own = "def forward(ctx, x):\n    y = x\n    return [y for z in range(3) if z]"
    assert strays("x = 1\ny = 2\nz = 3\nctx = 4\nrange = 5", answer_5_1=own) == ""


def test_an_answer_that_another_answer_uses_stands_in_its_place():
    uses = "class WeightedSquare(Function):\n    base = Square"
    assert strays(task="5.2", answer_5_2=uses, answer_5_1=SQUARE) == ""


@pytest.mark.parametrize(
    "cell", ["(" * 50_000, "x = " + "-" * 100_000 + "1", "%%bash\n\0", "\ud800"]
)
def test_code_that_cannot_be_read_binds_nothing(cell):
    assert strays(cell, answer_5_1=cell) == ""
