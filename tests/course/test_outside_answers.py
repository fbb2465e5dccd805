"""What only another cell binds is told; what is tried out beside an answer is not."""

import pytest

from course.notebooks.student_notebook import CheckCell
from course.outside_answers import outside_answers
from tests.course.solved import cell

CHECKS = [
    CheckCell("check-5-1", 'check("5.1", Square)', "5.1", {}),
    CheckCell("check-5-2", 'check("5.2", Cube)', "5.2", {}),
]
COURSE = {
    "set-up": "import torch\nfrom helpers.checks import check",
    "answer-5-1": "class Square: ...",
    "answer-5-2": "class Cube: ...",
}
SQUARE = "class Square:\n    y = torch.tensor(2)"
OTHER = "class Square:\n    pass"
CUBE = "def twice(x):\n    return x\n\nclass Cube:\n    pass"
OWN = {"nbgrader": {"grade_id": "answer-5-1"}}


def notebook(**changes: list | None) -> list:
    """Return solved cells, some of them replaced by others."""
    solved = {
        "set_up": [cell("set-up", COURSE["set-up"])],
        "answer": [cell("answer-5-1", SQUARE)],
        "check": [cell("check-5-1", CHECKS[0].source)],
        "answer_2": [cell("answer-5-2", CUBE)],
        "check_2": [cell("check-5-2", CHECKS[1].source)],
    }
    return [one for cells in (solved | changes).values() for one in cells]


def outside(**changes: list) -> dict[str, str]:
    return outside_answers(notebook(**changes), CHECKS, COURSE)


def test_answers_in_their_cells_are_inside():
    assert outside() == {}


@pytest.mark.parametrize(
    "cells",
    [
        [cell("answer-5-1", "class Square: ..."), cell("mine", SQUARE)],
        [cell("answer-5-1", OTHER), cell("mine", "import torch\n" + SQUARE)],
        [cell("answer-5-1", "# below"), cell("mine", SQUARE)],
        [cell("mine", SQUARE)],
        [cell("answer-5-1", OTHER), cell("set-up", SQUARE)],
        [cell("answer-5-1", OTHER), cell("mine", "Square = torch.Square")],
    ],
)
def test_an_answer_that_another_cell_binds_last_is_told(cells):
    assert outside(answer=cells) == {"5.1": "Square"}


def test_what_an_answer_needs_from_a_cell_of_the_students_own_is_told():
    needs = "class Square:\n    def forward(self, x):\n        return half(x)"
    mine = cell("mine", "def half(x):\n    return x / 2")
    assert outside(answer=[mine, cell("answer-5-1", needs)]) == {"5.1": "half"}


@pytest.mark.parametrize(
    "change",
    [
        {"check": [cell("check-5-1", "pass"), cell("mine", OTHER)]},
        {"answer": [cell("mine", OTHER), cell("answer-5-1", SQUARE)]},
        {"answer": [cell("answer-5-1", SQUARE), cell("mine", f"# again\n{SQUARE}\nimport torch")]},
        {"answer": [cell("answer-5-1", SQUARE), cell("mine", "x = Square.y\ncheck = print")]},
        {"answer": [cell("answer-5-1", SQUARE), cell("x", "y = 1", cell_type="markdown")]},
        {"check": [cell("check-5-1", OTHER)]},
        {"check": []},
        {"answer_2": [cell("answer-5-2", CUBE.replace("pass", "base = Square"))]},
        {"answer": [cell("answer-5-1", SQUARE), cell("mine", "class Square(")]},
    ],
)
def test_what_is_graded_is_inside(change):
    assert outside(**change) == {}


def test_a_piece_that_was_split_off_an_answer_is_part_of_it():
    answer = cell("answer-5-1", "a = 1", metadata=OWN)
    piece = cell("new", SQUARE, metadata=OWN)
    assert outside(answer=[answer, piece]) == outside(answer=[piece, answer]) == {}
    far = [cell("answer-5-1", "a = 1", metadata=OWN), cell("mine", "b = 2"), piece]
    assert outside(answer=far) == {"5.1": "Square"}


def test_metadata_may_be_anything():
    for metadata in ([], {"nbgrader": []}, {"nbgrader": {"grade_id": []}}):
        assert outside(answer=[cell("mine", SQUARE, metadata=metadata)]) == {"5.1": "Square"}
