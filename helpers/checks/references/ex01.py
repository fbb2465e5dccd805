"""Right answers to exercise 1."""

from torch.autograd import Function

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
SLIPS = {
    "1.3": [
        Slip(
            [4.0, 3.0, 3.0, 3.0],
            "wrong-gradient-count",
            "Every argument of forward counts, also one that is a plain number: it gets None.",
        ),
        Slip(
            [3.0, 4.0, 3.0, 4.0],
            "transposed",
            "grad_V has the shape of V, which is (4, 3) in this layout.",
        ),
        Slip(
            [4.0, 3.0, 5.0, 4.0],
            "not-summed",
            "The gradient of c is summed over the batch of 5: it has the shape of c.",
        ),
        Slip(
            [4.0, 3.0, 3.0, 5.0],
            "wrong-gradient-count",
            "ctx is no input: nothing is returned for it.",
        ),
    ]
}
