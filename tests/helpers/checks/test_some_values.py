"""Numbers that some values bring out are told from code that is made for one size."""

import pytest
import torch
from torch.autograd import Function

from helpers.checks.evidence import measure_task
from helpers.checks.judge_answer import judge
from helpers.checks.task import FunctionTask

TASK = FunctionTask(
    id="31.1",
    title="Softplus",
    shares={"forward": 1},
    minutes=5,
    hints=("", "", ""),
    names=("x",),
    inputs=lambda sample, n: (sample.normal(n, 3),),
    others=(lambda sample, n: (sample.normal(n, 2, 4, scale=1000.0),),),
)


def softplus(x):
    return torch.log1p(torch.exp(-x.abs())) + x.clamp(min=0)


def overflows(x):
    return torch.log(1 + torch.exp(x))


def slope(x, grad_y):
    return torch.sigmoid(x) * grad_y


def nan_slope(x, grad_y):
    return torch.exp(x) / (1 + torch.exp(x)) * grad_y


def two_axes_alone(x):
    return softplus(x) if x.ndim == 2 else softplus(x) * float("nan")


def answer(value, gradient):
    class Softplus(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return value(x)

        @staticmethod
        def backward(ctx, grad_y):
            return gradient(*ctx.saved_tensors, grad_y)

    return Softplus


@pytest.mark.parametrize(
    ("value", "gradient", "name"),
    [
        (softplus, slope, "ok"),
        (overflows, slope, "wrong-forward"),
        (softplus, nan_slope, "wrong-gradient"),
        (two_axes_alone, slope, "fixed-size"),
    ],
)
def test_nan_and_inf_at_some_places_are_no_matter_of_the_size(value, gradient, name):
    mine, right = (
        measure_task(TASK, (answer(*each),), seed=2)
        for each in ((value, gradient), (softplus, slope))
    )
    assert judge(mine, right).names == (name,)
