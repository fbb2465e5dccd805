"""Finite differences are told from a formula by their digits, and an honest formula never is."""

import math

import numpy as np
import pytest
import torch
from scipy import special
from torch.autograd import Function

from course.grading.differences import looks_like_differences, right_digits
from course.grading.inside import DIGITS
from course.grading.judge_cells import judge_task
from course.notebooks.nbval_run import Outcome
from course.notebooks.student_notebook import Cell
from helpers.checks import EVIDENCE
from helpers.checks.evidence import measure_task
from helpers.checks.judge_answer import judge
from helpers.checks.references import expected, reference
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


def weights_of(points, step):
    """The weights of a central difference of many points, each with how far off its point is."""
    half = points // 2
    scale = step * math.comb(points, half)
    for k in range(1, half + 1):
        weight = (-1) ** (k + 1) * math.comb(points, half + k) / k / scale
        yield from ((weight, k * step), (-weight, -k * step))


def central(formula, points, step):
    """The derivative of a function by a central difference of many points."""
    return lambda x: sum(weight * formula(x + move) for weight, move in weights_of(points, step))


def by_many_points_in_numpy(formula, points, step):
    slope = central(formula, points, step)
    bend = central(slope, points, step)

    def run(function, x):
        return torch.as_tensor(function(x.double().numpy())).to(x.dtype)

    class Backward(Function):
        @staticmethod
        def forward(ctx, x, grad_y):
            ctx.save_for_backward(x, grad_y)
            return run(slope, x) * grad_y

        @staticmethod
        def backward(ctx, grad_grad_x):
            x, grad_y = ctx.saved_tensors
            return run(bend, x) * grad_y * grad_grad_x, run(slope, x) * grad_grad_x

    class Forward(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return run(formula, x)

        @staticmethod
        def backward(ctx, grad_y):
            return Backward.apply(*ctx.saved_tensors, grad_y)

    return Forward


def leaky(x, slope):
    return torch.where(x < 0, slope * x, x)


@pytest.mark.parametrize("eps", [1e-5, 1e-6, 1e-7, 1e-8])
@pytest.mark.parametrize(("task", "formula"), [("2.1", leaky), ("5.1", torch.square)])
def test_differences_are_seen(task, formula, eps):
    found = right_digits(evidence(task, (by_differences(formula, eps),)), due(task))
    assert 5 <= found <= 11


@pytest.mark.parametrize(("points", "step"), [(4, 1e-3), (8, 0.02), (18, 0.1)])
@pytest.mark.parametrize(
    ("task", "formula"), [("8.1", lambda x: np.log1p(x * x)), ("8.2", special.erf)]
)
def test_differences_of_many_points_in_numpy_are_right_to_few_digits_far_out(
    task, formula, points, step
):
    answer = by_many_points_in_numpy(formula, points, step)
    assert judge(evidence(task, (answer,)), due(task)).ok
    found = looks_like_differences(evidence(task, (answer,), True), due(task, hidden=True))
    assert "digits" in found


def test_differences_of_a_large_loss_are_wrong():
    def gradients(x, target, w, b):
        def loss(w, b):
            return ((x @ w + b - target) ** 2).mean()

        steps = torch.eye(2, dtype=torch.float64)
        grad_w = [(loss(w + step, b) - loss(w - step, b)) / 2 for step in steps]
        return torch.stack(grad_w), (loss(w, b + 1) - loss(w, b - 1)) / 2

    assert judge(evidence("0.2", (gradients,)), expected("0.2", SEED, False)).ok
    assert not judge(evidence("0.2", (gradients,), True), expected("0.2", SEED, True)).ok


@pytest.mark.parametrize("answer", RIGHT, ids=str)
def test_a_formula_is_not_taken_for_differences(answer):
    handed = handed_over(answer)
    for hidden in (False, True):
        found = evidence(answer.task, handed, hidden), due(answer.task, hidden)
        assert looks_like_differences(*found) == ""


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


def test_the_page_has_a_remark():
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
    assert judged.status == "passed"
    assert "finite differences" in judged.message


def test_evidence_has_its_digits_in_the_block_only():
    number = torch.tensor([1 / 3], dtype=torch.float64)
    with digits(14):
        assert encode(number)["data"] == "0.33333333333333"
        assert encode(number.float())["data"] == "0.33333"
    assert encode(number)["data"] == "0.33333333"
