"""Finite differences are told from a formula by their digits, and an honest formula never is."""

import math

import numpy as np
import pytest
import torch
from torch.autograd import Function

from course.grading.few_digits import right_digits
from course.grading.inside import DIGITS
from course.grading.judge_cells import judge_task
from course.notebooks.nbval_run import Outcome
from course.notebooks.student_notebook import Cell
from helpers.checks import EVIDENCE
from helpers.checks.evidence import measure_task
from helpers.checks.references import reference
from helpers.checks.task import FunctionTask
from helpers.checks.tasks import find
from tests.answers import ROOT, handed_over, read_answers
from whygrad.measure.encode import digits, encode

SEED = 11
RIGHT = [
    answer
    for answer in read_answers(ROOT / "tests" / "right_answers")
    if isinstance(find(answer.task), FunctionTask)
]


def evidence(task, answers, hidden=False):
    with digits(DIGITS):
        return measure_task(find(task), answers, seed=SEED, hidden=hidden)


def due(task, hidden=False):
    right = reference(task)
    return evidence(task, right if isinstance(right, tuple) else (right,), hidden)


def by_differences(formula, eps):
    """A Function of one tensor and plain values whose backward takes central differences."""

    class Differences(Function):
        @staticmethod
        def forward(ctx, x, *plain):
            ctx.save_for_backward(x)
            ctx.plain = plain
            return formula(x, *plain)

        @staticmethod
        def backward(ctx, grad_y):
            (x,) = ctx.saved_tensors
            above, below = (formula(x.double() + step, *ctx.plain) for step in (eps, -eps))
            slope = ((above - below) / (2 * eps)).to(x.dtype)
            return slope * grad_y, *(None for _ in ctx.plain)

    return Differences


def by_many_points(formula, points, step):
    """A Function of one tensor whose backward takes differences of high order, also in NumPy."""
    weights = central_weights(points)

    def slope(x):
        return sum(w * (formula(x + k * step) - formula(x - k * step)) for k, w in weights) / step

    class ManyPoints(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return formula(x)

        @staticmethod
        def backward(ctx, grad_y):
            (x,) = ctx.saved_tensors
            return slope(x.double()).to(x.dtype) * grad_y

    return ManyPoints


def central_weights(points):
    """The weight of f(x + k h) - f(x - k h) for each k, in a difference of the highest order."""
    half = points // 2
    weights = [(-1) ** (k + 1) * math.comb(2 * half, half + k) for k in range(1, half + 1)]
    return [(k, w / math.comb(2 * half, half) / k) for k, w in enumerate(weights, 1)]


def leaky(x, slope):
    return torch.where(x < 0, slope * x, x)


@pytest.mark.parametrize("eps", [1e-5, 1e-6, 1e-7, 1e-8])
@pytest.mark.parametrize(("task", "formula"), [("2.1", leaky), ("5.1", torch.square)])
def test_differences_are_seen(task, formula, eps):
    found = right_digits(evidence(task, (by_differences(formula, eps),)), due(task))
    assert 5 <= found <= 11


@pytest.mark.parametrize(
    ("task", "formula", "step"),
    [
        ("6.1", torch.reciprocal, 0.01),
        ("6.4", lambda x: torch.softmax(x, 1), 0.1),
    ],
)
def test_differences_of_many_points_compute_much(task, formula, step):
    pass


@pytest.mark.parametrize("answer", RIGHT, ids=str)
def test_a_formula_is_not_taken_for_differences(answer):
    handed = handed_over(answer)
    for hidden in (False, True):
        found = right_digits(evidence(answer.task, handed, hidden), due(answer.task, hidden))
        assert found is None


def test_one_constant_of_fewer_digits_is_no_difference():
    class Leaky(Function):
        @staticmethod
        def forward(ctx, x, slope):
            ctx.save_for_backward(x)
            ctx.slope = slope
            return leaky(x, slope)

        @staticmethod
        def backward(ctx, grad_y):
            (x,) = ctx.saved_tensors
            return torch.where(x < 0, ctx.slope, 1.0) * grad_y, None  # 0.1 as a float32

    assert right_digits(evidence("2.1", (Leaky,)), due("2.1")) is None


def test_the_grader_asks_for_a_person():
    differences = by_differences(leaky, 1e-6)
    pieces = [
        {
            "task": "2.1",
            "seed": SEED,
            "hidden": hidden,
            "measured": evidence("2.1", (differences,), hidden),
        }
        for hidden in (False, True)
    ]
    shown = [{"output_type": "display_data", "data": {EVIDENCE: piece}} for piece in pieces]
    wanted = (due("2.1"), due("2.1", hidden=True))
    judged = judge_task([Outcome(Cell("check-2-1", ""), shown)], wanted, SEED, "2.1")
    assert judged.status == "not-gradable"
    assert "finite differences" in judged.message


def test_evidence_has_its_digits_in_the_block_only():
    number = torch.tensor([1 / 3], dtype=torch.float64)
    with digits(14):
        assert encode(number)["data"] == "0.33333333333333"
        assert encode(number.float())["data"] == "0.33333"
    assert encode(number)["data"] == "0.33333333"
