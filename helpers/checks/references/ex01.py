"""Right answers to exercise 1."""

from torch.autograd import Function


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
