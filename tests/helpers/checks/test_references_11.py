"""The right answers to exercise 11, held to PyTorch's own functions under every transform."""

import pytest
import torch
from torch import func
from torch.autograd import Function, gradcheck, gradgradcheck
from torch.nn import functional as F

from helpers.checks.references import ex11


def numbers(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def silu(x):
    return F.silu(1.5 * x) / 1.5


def swish(x):
    return ex11.Swish.apply(x, 1.5)


@pytest.mark.parametrize("shape", [(), (5,), (0, 3), (2, 3)], ids=str)
def test_swish_is_silu_at_first_and_at_second_order(shape):
    x = numbers(*shape).requires_grad_()
    torch.testing.assert_close(swish(x), silu(x))
    assert gradcheck(swish, x)
    assert gradgradcheck(swish, x)


def test_swish_goes_through_transforms_as_silu_does():
    batch = numbers(4, 3)
    for transform in (func.grad, lambda fn: func.jacrev(func.jacrev(fn))):
        mine, right = (
            func.vmap(transform(lambda x, fn=fn: fn(x).sum()))(batch) for fn in (swish, silu)
        )
        torch.testing.assert_close(mine, right)


@pytest.mark.parametrize("in_dims", [(0, 0), (1, None), (None, 2), (2, 1)], ids=str)
def test_the_rule_of_the_angle_is_that_of_atan2(in_dims):
    shapes = [(2, 5) if dim is None else (*(2, 5)[:dim], 3, *(2, 5)[dim:]) for dim in in_dims]
    a, b = (numbers(*shape, seed=seed) for seed, shape in enumerate(shapes))
    mine, right = (
        func.vmap(func.grad(lambda a, b, fn=fn: fn(a, b).square().sum(), (0, 1)), in_dims)(a, b)
        for fn in (ex11.Angle.apply, torch.atan2)
    )
    torch.testing.assert_close(mine, right)


@pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")  # forward mode's own
def test_the_jvp_of_the_angle_is_that_of_atan2():
    a, b = numbers(4), numbers(4, seed=1)
    mine, right = (func.jacfwd(fn, (0, 1))(a, b) for fn in (ex11.Angle.apply, torch.atan2))
    torch.testing.assert_close(mine, right)
    given = (a.requires_grad_(), b.requires_grad_())
    assert gradcheck(ex11.Angle.apply, given, check_forward_ad=True)


@pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")  # forward mode's own
def test_jvp_and_backward_find_what_was_saved_for_each_as_the_lesson_says():
    seen = {}

    class Saves(Function):
        @staticmethod
        def forward(x):
            return 2 * x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs, output)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, grad_y):
            seen["backward"] = len(ctx.saved_tensors)
            return 2 * grad_y

        @staticmethod
        def jvp(ctx, x_t):
            seen["jvp"] = len(ctx.saved_tensors)
            return 2 * x_t

    x = numbers(3)
    func.jvp(Saves.apply, (x,), (x,))
    func.grad(lambda x: Saves.apply(x).sum())(x)
    assert seen == {"jvp": 1, "backward": 2}
