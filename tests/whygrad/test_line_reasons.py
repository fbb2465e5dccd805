"""A report names the line and the tensor behind a mistake."""

import json

import numpy as np
import pytest
import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from whygrad.diagnosing import diagnose

X = torch.tensor([[1.0, -2.0, 0.5], [-3.0, 0.25, 2.0]], dtype=torch.float64)
CASES = []


def says(name, *words, order=1, inputs=(X,)):
    """Note a Function with a mistake, and what a report says of the line."""

    def noted(function):
        CASES.append(pytest.param(function, name, words, order, inputs, id=function.__name__))
        return function

    return noted


class Sine(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.cos()


@says("modifies-input", "`row`, which shares memory with `x`, is changed by `row.clamp_(min=0)`")
class InputByView(Sine):
    @staticmethod
    def forward(ctx, x):
        row = x[1]
        row.clamp_(min=0)
        ctx.save_for_backward(x)
        return x.sin()


@says("modifies-input", "An array in `array = x.numpy()`", "shares its memory with `x`")
class InputByArray(Sine):
    @staticmethod
    def forward(ctx, x):
        array = x.numpy()
        array[0] = 0
        ctx.save_for_backward(x)
        return x.sin()


@says("modifies-grad-output", "`g` is changed by `g[x < 0] = 0.0`")
class GradOutput(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        g[x < 0] = 0.0
        return g


@says("modifies-grad-output", "A tensor which shares memory with `g` is changed by `g.data[1:]")
class GradOutputByData(Sine):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        g.data[1:].div_(2)
        return g * x.cos()


@says("keeps-state", "`slope`, stored in `ctx.kept[1]`, is changed by `slope.mul_(g)`")
class OnCtx(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.kept = [2, x.cos()]
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        _, slope = ctx.kept
        return slope.mul_(g)


@says("keeps-state", "`OnClass.scale` is changed by `OnClass.scale.mul_(2)`")
class OnClass(Function):
    scale = torch.ones((), dtype=torch.float64)

    @staticmethod
    def forward(ctx, x):
        return x * 1

    @staticmethod
    def backward(ctx, g):
        OnClass.scale.mul_(2)
        return g * OnClass.scale


@says(
    "second-order-lost",
    "The history of `x` ends in `plain = x.detach()`",
    "by `.detach()`",
    order=2,
)
class Detached(Sine):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        plain = x.detach()
        return g * plain.cos()


@says("second-order-lost", "`g.detach() * x.data.cos()`", "`x`, by `.data`", order=2)
class Data(Sine):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g.detach() * x.data.cos()


@says("second-order-lost", "`slope = x.cos()`", "by `no_grad`", order=2)
class WithoutGrad(Sine):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        with torch.no_grad():
            slope = x.cos()
        return g * slope


@says("second-order-lost", "`slope = np.cos(x.detach().numpy())`", "by NumPy", order=2)
class ByNumPy(Sine):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        slope = np.cos(x.detach().numpy())
        return g * torch.from_numpy(slope)


@says("second-order-lost", "`slope = x.cos()` on line ", " is kept for backward", order=2)
class MadeInForward(Function):
    @staticmethod
    def forward(ctx, x):
        slope = x.cos()
        ctx.slope = slope
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        return g * ctx.slope


@says("second-order-lost", "`ctx.save_for_backward(x.detach())`", order=2)
class MadeInSetup(Function):
    @staticmethod
    def forward(x):
        return x.sin()

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x.detach())

    backward = Sine.backward


@says("second-order-lost", "`g * x.cos()`", "by the decorator `once_differentiable`", order=2)
class Once(Sine):
    backward = once_differentiable(Sine.backward)


@says("wrong-dtype", "`low = x.float()`", "casts float64 to float32")
class Cast(Sine):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        low = x.float()
        return low.sin()


@says(
    "wrong-gradient",
    "is inf at [0, 0], where `root` is 0, by the division in `slope = 1 / root / 2`",
    "The first nan is made by `g * slope * root.sign()`",
)
class NotFinite(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs().sqrt() * 0 + x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        root = (x - x[0, 0]).abs().sqrt()
        slope = 1 / root / 2
        return g * slope * root.sign()


@says("missing-gradient", "`Asked.backward` ended at `return None` on line")
class Asked(Sine):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        if ctx.needs_input_grad[0]:
            return None
        return g * x.cos()


@says("missing-gradient", "`NoReturn.backward` ended at `grad_x = ", ", and reached no `return`.")
class NoReturn(Sine):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        grad_x = g * x.cos()  # noqa: F841


@says("fixed-size", "The number 2 is a size of x: `g.expand(x.shape) / 2`")
class Fixed(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.mean(0)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g.expand(x.shape) / 2


@pytest.mark.parametrize(("function", "name", "words", "order", "inputs"), CASES)
def test_the_line_and_the_tensor_are_named(function, name, words, order, inputs):
    found = diagnose(function, *inputs, order=order).verdict
    named = [one for group in (*found.groups, found.remarks) for one in group if one.name == name]
    assert named, found.names
    for each in words:
        assert each in named[0].where
    assert "of test_line_reasons.py" in named[0].where


def test_a_right_function_has_no_line_to_name():
    assert not any(one.where for one in diagnose(Sine, X, order=2).remarks)


def test_evidence_with_a_log_is_plain_json():
    evidence = diagnose(Detached, X, order=2).evidence
    assert json.loads(json.dumps(evidence)) == evidence
    assert "0x" not in json.dumps(evidence)
