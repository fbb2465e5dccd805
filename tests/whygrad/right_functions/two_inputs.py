"""Right Functions of several tensors, with and without broadcasting."""

import torch
import torch.nn.functional as F
from torch.autograd import Function

from tests.whygrad.right_functions.case import Case, exactly, numbers


class Mul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b, g * a


class ThriftyMul(Mul):
    """None where nothing is asked."""

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        grad_a = g * b if ctx.needs_input_grad[0] else None
        grad_b = g * a if ctx.needs_input_grad[1] else None
        return grad_a, grad_b


class BroadcastMul(Mul):
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return (g * b).sum_to_size(a.shape), (g * a).sum_to_size(b.shape)


class Div(Function):
    @staticmethod
    def forward(ctx, a, b):
        y = a / b
        ctx.save_for_backward(b, y)
        return y

    @staticmethod
    def backward(ctx, g):
        b, y = ctx.saved_tensors
        return g / b, -g * y / b


class Power(Function):
    @staticmethod
    def forward(ctx, base, exponent):
        y = base**exponent
        ctx.save_for_backward(base, exponent, y)
        return y

    @staticmethod
    def backward(ctx, g):
        base, exponent, y = ctx.saved_tensors
        return g * exponent * base ** (exponent - 1), g * y * base.log()


class Hypot(Function):
    @staticmethod
    def forward(ctx, a, b):
        r = torch.hypot(a, b)
        ctx.save_for_backward(a, b, r)
        return r

    @staticmethod
    def backward(ctx, g):
        a, b, r = ctx.saved_tensors
        return g * a / r, g * b / r


class Atan2(Function):
    @staticmethod
    def forward(y, x):
        return torch.atan2(y, x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        y, x = ctx.saved_tensors
        square = x * x + y * y
        return g * x / square, -g * y / square


class Maximum(Function):
    """A tie is shared."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.share = (a > b).to(a.dtype) + 0.5 * (a == b)
        return torch.maximum(a, b)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.share, g * (1 - ctx.share)


class Where(Function):
    @staticmethod
    def forward(ctx, condition, a, b):
        ctx.save_for_backward(condition)
        return torch.where(condition, a, b)

    @staticmethod
    def backward(ctx, g):
        (condition,) = ctx.saved_tensors
        return None, g * condition, g * ~condition


class Lerp(Function):
    @staticmethod
    def forward(ctx, a, b, t):
        ctx.save_for_backward(a, b, t)
        return a + t * (b - a)

    @staticmethod
    def backward(ctx, g):
        a, b, t = ctx.saved_tensors
        return g * (1 - t), g * t, g * (b - a)


class AddBias(Function):
    @staticmethod
    def forward(ctx, x, b):
        return x + b

    @staticmethod
    def backward(ctx, g):
        return g, g.sum(0)


class RowScale(Function):
    """A row of shape (1, D) scales every row."""

    @staticmethod
    def forward(ctx, x, row):
        ctx.save_for_backward(x, row)
        return x * row

    @staticmethod
    def backward(ctx, g):
        x, row = ctx.saved_tensors
        return g * row, (g * x).sum(0, keepdim=True)


class ColumnScale(RowScale):
    """A column of shape (N, 1) scales every column."""

    @staticmethod
    def backward(ctx, g):
        x, column = ctx.saved_tensors
        return g * column, (g * x).sum(1, keepdim=True)


class OuterSum(Function):
    @staticmethod
    def forward(ctx, a, b):
        return a[:, None] + b

    @staticmethod
    def backward(ctx, g):
        return g.sum(1), g.sum(0)


class Affine(Function):
    """x times a number without a dimension, and a bias that may be None."""

    @staticmethod
    def forward(ctx, x, scale, bias=None):
        ctx.save_for_backward(x, scale)
        ctx.shape = None if bias is None else bias.shape
        y = x * scale
        return y if bias is None else y + bias

    @staticmethod
    def backward(ctx, g):
        x, scale = ctx.saved_tensors
        grad_bias = None if ctx.shape is None else g.sum_to_size(ctx.shape)
        return g * scale, (g * x).sum(), grad_bias


class MeanSquare(Function):
    """The target is data: it gets no gradient."""

    @staticmethod
    def forward(ctx, x, target):
        ctx.save_for_backward(x, target)
        return ((x - target) ** 2).mean()

    @staticmethod
    def backward(ctx, g):
        x, target = ctx.saved_tensors
        return g * 2 * (x - target) / x.numel(), None


class MeanSquareOfBoth(MeanSquare):
    @staticmethod
    def backward(ctx, g):
        grad, _ = MeanSquare.backward(ctx, g)
        return grad, -grad


def affine(x, scale, bias=None):
    return x * scale if bias is None else x * scale + bias


A, B = numbers(3, 4), numbers(3, 4, seed=8)
POSITIVE = numbers(5, low=0.3)

CASES = [
    Case("product", Mul, (A, B), torch.mul, 2),
    Case("product of a tensor with itself", Mul, (A, A), torch.mul, 2),
    Case("product with its own transpose", Mul, (A[:, :3], A[:, :3].T), torch.mul, 2),
    Case("product, thrifty", ThriftyMul, (A, B), torch.mul, 2),
    Case("product, huge and tiny", Mul, (1e6 * A, 1e-6 * B), torch.mul, 2),
    Case("product that broadcasts", BroadcastMul, (A, numbers(4)), torch.mul, 2),
    Case("product over an outer axis", BroadcastMul, (numbers(3, 1), numbers(1, 4)), None, 2),
    Case("product with a number", BroadcastMul, (A, exactly(2.0).reshape(())), torch.mul, 2),
    Case("quotient", Div, (A, B.abs() + 0.5), torch.div, 2),
    Case("power of tensors", Power, (POSITIVE, POSITIVE.flip(0)), torch.pow, 2),
    Case("hypotenuse", Hypot, (A, B), torch.hypot, 2),
    Case("atan2 in all quadrants", Atan2, (numbers(8), numbers(8, seed=9)), torch.atan2, 2),
    Case("maximum", Maximum, (A, B), torch.maximum, 2),
    Case("maximum with ties", Maximum, (exactly(1.0, 2.0, 3.0), exactly(1.0, 0.0, 3.0)), None, 2),
    Case("where with a boolean", Where, (A > 0, A, B), torch.where, 2),
    Case("lerp of three tensors", Lerp, (A, B, numbers(3, 4, low=0.0)), torch.lerp, 2),
    Case("bias summed over the batch", AddBias, (A, numbers(4)), torch.add, 2),
    Case("bias where the batch is as wide", AddBias, (numbers(4, 4), numbers(4)), torch.add, 2),
    Case("a row of shape (1, D)", RowScale, (A, numbers(1, 4)), torch.mul, 2),
    Case("a column of shape (N, 1)", ColumnScale, (A, numbers(3, 1)), torch.mul, 2),
    Case("a column for three and three", ColumnScale, (numbers(3, 3), numbers(3, 1)), None, 2),
    Case("outer sum", OuterSum, (numbers(3), numbers(4)), None, 2),
    Case("affine with a bias", Affine, (A, exactly(2.0).reshape(()), numbers(4)), affine, 2),
    Case("affine without its bias", Affine, (A, exactly(2.0).reshape(()), None), affine, 2),
    Case("affine, bias left out", Affine, (A, exactly(2.0).reshape(())), affine, 2),
    Case(
        "a target that gets None",
        MeanSquare,
        (A, B),
        lambda x, t: F.mse_loss(x, t.detach()),
        2,
        blind=False,
    ),
    Case("a target that gets its gradient", MeanSquareOfBoth, (A, B), F.mse_loss, 2),
]
