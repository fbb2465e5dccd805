"""An answer is found wherever a release shows all of it, and a coincidence is no answer."""

import json

import pytest

from course.releasing.shown_answers import shown_answers
from tests.course.solved import cell, write

ANSWER = """\
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ### BEGIN SOLUTION
        ctx.save_for_backward(x)

        return x**2
        ### END SOLUTION

    @staticmethod
    def backward(ctx, grad_y):
        ### BEGIN SOLUTION
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y
        ### END SOLUTION
"""
FIRST = "ctx.save_for_backward(x)\nreturn x**2\n"
SECOND = "(x,) = ctx.saved_tensors\nreturn 2 * x * grad_y\n"


@pytest.fixture
def solutions(tmp_path):
    return [write(tmp_path / "05_square.ipynb", [cell("answer-5-1", ANSWER)])]


def notebook(*cells):
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def shown(output):
    return [{"output_type": "stream", "name": "stdout", "text": output.splitlines(keepends=True)}]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("helpers/a.py", f"x = 1\n{FIRST}y = 2\n{SECOND}".encode()),
        ("helpers/deep.py", ("    " + SECOND.replace("\n", "\n    ") + FIRST).encode()),
        ("notebooks/a.ipynb", notebook(cell("one", FIRST), cell("two", SECOND))),
        ("notebooks/b.ipynb", notebook(cell("one", "print(answer)", shown(FIRST + SECOND)))),
    ],
)
def test_a_file_that_holds_every_part_of_an_answer_shows_it(solutions, file, content):
    (found,) = shown_answers({"README.md": b"text", file: content}, solutions)
    assert (found.file, found.cell, found.task) == (file, "answer-5-1", "5.1")


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("helpers/a.py", FIRST.encode()),
        ("helpers/b.py", (FIRST + SECOND.replace("2 * x", "12 * x")).encode()),
        ("helpers/c.py", (FIRST.replace("x**2", "x**2 + 1") + SECOND).encode()),
        ("helpers/checks/measured/ex05.json", (FIRST + SECOND).encode()),
        ("docs/a.svg", b"\xff\xfe"),
    ],
)
def test_a_part_of_it_or_other_lines_are_no_answer(solutions, file, content):
    assert shown_answers({file: content}, solutions) == []
