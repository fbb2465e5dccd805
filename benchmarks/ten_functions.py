"""Ten right Functions of many kinds, each with inputs of about a dozen numbers."""

import torch
from torch.autograd import Function


class Square(Function):
    """x²."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y


class Exp(Function):
    """e to the x, which keeps its output."""

    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return y * grad_y


class Swish(Function):
    """x times its sigmoid."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        share = x.sigmoid()
        return grad_y * share * (1 + x * (1 - share))


class Product(Function):
    """x times w, element by element."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return grad_y * w, grad_y * x


class MatrixProduct(Function):
    """x @ w."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return grad_y @ w.T, x.T @ grad_y


class Linear(Function):
    """x @ w.T + b."""

    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return grad_y @ w, grad_y.T @ x, grad_y.sum(0)


class SumOfSquares(Function):
    """One number."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x**2).sum()

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y


class Softmax(Function):
    """Softmax of each row."""

    @staticmethod
    def forward(ctx, x):
        y = x.softmax(1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return y * (grad_y - (grad_y * y).sum(1, keepdim=True))


class MeanSquaredError(Function):
    """The mean of squared differences."""

    @staticmethod
    def forward(ctx, x, target):
        ctx.save_for_backward(x, target)
        return ((x - target) ** 2).mean()

    @staticmethod
    def backward(ctx, grad_y):
        x, target = ctx.saved_tensors
        grad_x = 2 * (x - target) * grad_y / x.numel()
        return grad_x, -grad_x


class UnitRows(Function):
    """Each row divided by its length."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / x.norm(dim=1, keepdim=True)

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        length = x.norm(dim=1, keepdim=True)
        y = x / length
        return (grad_y - y * (grad_y * y).sum(1, keepdim=True)) / length


def numbers(*shape: int, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


_X, _OTHER = numbers(3, 4), numbers(3, 4, seed=1)
FUNCTIONS = (
    (Square, (_X,)),
    (Exp, (_X,)),
    (Swish, (_X,)),
    (Product, (_X, _OTHER)),
    (MatrixProduct, (_X, numbers(4, 2, seed=1))),
    (Linear, (_X, numbers(2, 4, seed=1), numbers(2, seed=2))),
    (SumOfSquares, (_X,)),
    (Softmax, (_X,)),
    (MeanSquaredError, (_X, _OTHER)),
    (UnitRows, (_X,)),
)
