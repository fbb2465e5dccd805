"""A Function that writes in place and says so is no mistake; what it does is looked at."""

import torch
from torch.autograd import Function
from torch.autograd.function import FunctionCtx
from torch.utils.checkpoint import checkpoint

from whygrad import diagnose
from whygrad.measure.marks import noting_marks, places

DOUBLE = torch.float64


def numbers(*shape):
    generator = torch.Generator().manual_seed(29)
    return torch.randn(shape, generator=generator, dtype=DOUBLE)


class DoubleInPlace(Function):
    """2 x, written over x."""

    factor = 2

    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @classmethod
    def backward(cls, ctx, grad_y):
        return cls.factor * grad_y


class HalfInPlace(DoubleInPlace):
    factor = 1


class Unsaid(DoubleInPlace):
    @staticmethod
    def forward(ctx, x):
        return x.mul_(2).clone()


def test_a_function_that_says_that_it_writes_in_place_is_right():
    x = numbers(3, 4)
    assert diagnose(DoubleInPlace, x, order=2).ok
    assert diagnose(DoubleInPlace, x, reference=lambda x: 2 * x, order=2).ok
    assert diagnose(lambda x: DoubleInPlace.apply(x.clone()), x, order=2).ok
    found = diagnose(HalfInPlace, x)
    assert (found.name, "0.5 times" in found.message) == ("wrong-factor", True)


def test_the_forward_of_one_that_writes_in_place_is_held_against_the_reference():
    found = diagnose(DoubleInPlace, numbers(3, 4), reference=lambda x: 3 * x)
    assert found.name == "wrong-forward"


def test_who_writes_in_place_and_does_not_say_so_is_named():
    assert diagnose(Unsaid, numbers(3, 4)).name == "modifies-input"


def test_statistics_that_are_said_to_be_written_are_no_mistake():
    class Counted(Function):
        @staticmethod
        def forward(ctx, x, count):
            count.add_(1)
            ctx.mark_dirty(count)
            return 2 * x, count

        @staticmethod
        def backward(ctx, grad_y, grad_count):
            return 2 * grad_y, None

    assert diagnose(Counted, numbers(3), torch.zeros(1, dtype=torch.int64)).ok


def test_marks_are_noted_and_still_made():
    class Both(Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.mark_dirty(x)
            size = y.abs()
            ctx.mark_non_differentiable(size)
            return x.mul_(2), size

        @staticmethod
        def backward(ctx, grad_x, grad_size):
            return 2 * grad_x, None

    before = FunctionCtx.mark_dirty
    x, y = numbers(3).requires_grad_().clone(), numbers(3).requires_grad_()
    with noting_marks() as marks:
        outputs = Both.apply(x, y)
    assert FunctionCtx.mark_dirty is before
    assert places((y, x), marks.dirty) == places(outputs, marks.constant) == [1]
    assert marks.plain == []
    assert [out.requires_grad for out in outputs] == [True, False]


class Sine(Function):
    sign = 1

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @classmethod
    def backward(cls, ctx, grad_y):
        return cls.sign * grad_y * ctx.saved_tensors[0].cos()


class MinusSine(Sine):
    sign = -1


def test_a_function_in_a_reentrant_checkpoint_is_looked_at():
    x = numbers(3, 4)
    assert diagnose(lambda x: checkpoint(Sine.apply, x, use_reentrant=True), x).ok
    found = diagnose(lambda x: checkpoint(MinusSine.apply, x, use_reentrant=True), x)
    assert found.name == "wrong-sign"


def test_a_backward_that_forbids_a_second_derivative_says_so():
    class Once(Sine):
        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, grad_y):
            return grad_y * ctx.saved_tensors[0].cos()

    assert diagnose(Once, numbers(3)).ok
    found = diagnose(Once, numbers(3), order=2)
    assert found.name == "second-order-lost"
    assert "cannot be differentiated, and says so" in found.verdict.findings[0].why
