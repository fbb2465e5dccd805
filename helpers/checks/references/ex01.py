"""Right answers to exercise 1."""

from torch.autograd import Function

from helpers.checks.references.slipped import with_backward
from helpers.checks.task import Slip


class Affine(Function):
    """x V + c with x (N, in), V (in, out) and c (out), or without c."""

    @staticmethod
    def forward(ctx, x, V, c):
        ctx.save_for_backward(x, V)
        ctx.has_c = c is not None
        y = x @ V
        return y if c is None else y + c

    @staticmethod
    def backward(ctx, grad_y):
        x, V = ctx.saved_tensors
        grad_c = grad_y.sum(0) if ctx.has_c else None
        return grad_y @ V.T, x.T @ grad_y, grad_c


class Columns(Function):
    """W X + b with X (in, N), W (out, in) and b (out), or without b."""

    @staticmethod
    def forward(ctx, X, W, b):
        ctx.save_for_backward(X, W)
        ctx.has_b = b is not None
        Y = W @ X
        return Y if b is None else Y + b[:, None]

    @staticmethod
    def backward(ctx, grad_Y):
        X, W = ctx.saved_tensors
        grad_b = grad_Y.sum(1) if ctx.has_b else None
        return W.T @ grad_Y, grad_Y @ X.T, grad_b


REFERENCES = {"1.1": Affine, "1.2": Columns, "1.3": [4.0, 3.0, 3.0, 4.0]}


def _layout_of_lesson_1(ctx, grad_y):
    x, V = ctx.saved_tensors
    return grad_y @ V, grad_y.T @ x, grad_y.sum(0) if ctx.has_c else None


def _transposed_v(ctx, grad_y):
    x, V = ctx.saved_tensors
    return grad_y @ V.T, grad_y.T @ x, grad_y.sum(0) if ctx.has_c else None


def _columns_as_in_lesson_1(ctx, grad_Y):
    X, W = ctx.saved_tensors
    return W.T @ grad_Y, grad_Y.T @ X, grad_Y.sum(1) if ctx.has_b else None


_OTHER_LAYOUT = (
    "This is the formula of lesson 1, where the matrix is (out, in). Here V is (in, out): its rows "
    "and columns have changed places."
)
_SHAPES = (
    "Write the shapes beside each product: (N, out), (in, out), (N, in). What is due has which?"
)

SLIPS = {
    "1.1": [
        Slip(with_backward(Affine, _layout_of_lesson_1), "raises", _OTHER_LAYOUT, _SHAPES),
        Slip(with_backward(Affine, _transposed_v), "transposed", _OTHER_LAYOUT, _SHAPES),
    ],
    "1.2": [
        Slip(
            with_backward(Columns, _columns_as_in_lesson_1),
            "raises",
            "This is the formula of lesson 1, where a sample is a row. Here a sample is a column, "
            "and the index that is summed over is the last one of both tensors.",
            "Write the shapes beside the product: (out, N) and (in, N) are to give (out, in).",
        ),
    ],
}
