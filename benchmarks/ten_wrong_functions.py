"""Ten wrong Functions, small and of many kinds, each with the order at which its mistake shows."""

import torch.nn.functional as F
from ten_functions import Linear, MatrixProduct, Product, Softmax, Square, numbers
from torch.autograd import Function
from torch.nn.grad import conv1d_input, conv1d_weight


class Conv1d(Function):
    """conv1d, whose gradient of the weight is reversed along the kernel."""

    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return F.conv1d(x, w, b)

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        grad_w = conv1d_weight(x, w.shape, grad_y).flip(2)
        return conv1d_input(x.shape, w, grad_y), grad_w, grad_y.sum((0, 2))


class SoftmaxDiagonal(Softmax):
    """Softmax of each row, with the diagonal of its Jacobian alone."""

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return y * (1 - y) * grad_y


class LinearMean(Linear):
    """x @ w.T + b, whose gradient of the bias is the mean over the batch."""

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return grad_y @ w, grad_y.T @ x, grad_y.mean(0)


class SquareHalved(Square):
    """x², without the factor 2."""

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return x * grad_y


class ProductSwapped(Product):
    """x times w, with the gradients in each other's places."""

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return grad_y * x, grad_y * w


class MatrixProductTransposed(MatrixProduct):
    """x @ w, without the transposition of w."""

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return grad_y @ w, x.T @ grad_y


class LayerNorm(Function):
    """Each row normalized, whose mean and variance count as constants in backward."""

    @staticmethod
    def forward(ctx, x):
        std = x.std(1, correction=0, keepdim=True)
        ctx.save_for_backward(std)
        return (x - x.mean(1, keepdim=True)) / std

    @staticmethod
    def backward(ctx, grad_y):
        (std,) = ctx.saved_tensors
        return grad_y / std


class ReluInPlace(Function):
    """ReLU, whose backward writes into the incoming gradient."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        grad_y[x < 0] = 0
        return grad_y


class Sinh(Function):
    """sinh, whose backward needs a tensor that forward made: a second derivative is lost."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.cosh())
        return x.sinh()

    @staticmethod
    def backward(ctx, grad_y):
        (slope,) = ctx.saved_tensors
        return slope * grad_y


class CubeDetached(Function):
    """x³, whose backward detaches one of its two factors."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 3 * x * x.detach() * grad_y


_X = numbers(3, 4)
WRONG_FUNCTIONS = (
    (Conv1d, (numbers(2, 2, 6), numbers(3, 2, 3, seed=1), numbers(3, seed=2)), 1),
    (SoftmaxDiagonal, (_X,), 1),
    (LinearMean, (_X, numbers(2, 4, seed=1), numbers(2, seed=2)), 1),
    (SquareHalved, (_X,), 1),
    (ProductSwapped, (_X, numbers(3, 4, seed=1)), 1),
    (MatrixProductTransposed, (_X, numbers(4, 4, seed=1)), 1),
    (LayerNorm, (_X,), 1),
    (ReluInPlace, (_X,), 1),
    (Sinh, (_X,), 2),
    (CubeDetached, (_X,), 2),
)
