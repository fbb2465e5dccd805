"""Custom Functions and graphs that the tests of `whygrad.graph` share."""

import torch
from torch import nn
from torch.autograd import Function


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return y * grad_y


class ExpOnCtx(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.exp_x = torch.exp(x)
        ctx.kept = [x + 1, "no tensor"]
        return ctx.exp_x.clone()

    @staticmethod
    def backward(ctx, grad_y):
        return ctx.exp_x * grad_y


class TwoOutputs(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w, x + w

    @staticmethod
    def backward(ctx, grad_product, grad_sum):
        x, w = ctx.saved_tensors
        return w * grad_product + grad_sum, x * grad_product + grad_sum


def leaf(*shape: int) -> torch.Tensor:
    """A leaf with the values 0.5 … 1.5, which is no view of another tensor."""
    values = torch.linspace(0.5, 1.5, torch.Size(shape).numel())
    return values.reshape(shape).clone().requires_grad_()


def training_step():
    model = nn.Linear(10, 1)
    loss = nn.functional.mse_loss(model(leaf(4, 10).detach()), torch.zeros(4, 1))
    return {"loss": loss, **dict(model.named_parameters())}


def square_double():
    x = leaf(3)
    out = Square.apply(x)
    (grad_x,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    return {"grad_x": grad_x, "x": x, "out": out}


def exp_double():
    x = leaf(3)
    out = Exp.apply(x)
    (grad_x,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    return {"grad_x": grad_x, "x": x, "out": out}


def views():
    x = leaf(2, 3)
    a, b = (x * 2).view(3, 2).expand(4, 3, 2).unbind(2)
    return {"a": a, "product": a * b, "x": x}


def view_of_leaf():
    x = leaf(2, 3)
    return {"row": x[0], "x": x}


def leaf_that_is_a_view():
    x = torch.arange(6.0)[2:].requires_grad_()
    return {"x": x, "y": x.exp()}


def two_outputs():
    x, w = leaf(3), leaf(3)
    product, total = TwoOutputs.apply(x, w)
    return {"y": (product * total).sum(), "x": x, "w": w}


def second_output_only():
    x, w = leaf(3), leaf(3)
    return {"total": TwoOutputs.apply(x, w)[1], "x": x}


def many_builtins():
    x, w = leaf(4, 4), leaf(4, 4)
    q, r = torch.linalg.qr(x @ w + torch.eye(4))
    values, _ = torch.sort(torch.softmax(q, dim=1) + r.tril(), dim=0)
    return {"y": torch.cat([values, x.T], dim=1).logsumexp(1).prod()}


def in_place():
    x = leaf(4)
    y = x * 1
    y[:2].mul_(3)
    return {"y": y.sum(), "x": x}


def shared():
    x = leaf(3)
    for _ in range(4):
        x = torch.tanh(x) * x + x
    return {"x": x}


def convolution():
    x, w = leaf(1, 2, 8, 8), leaf(3, 2, 3, 3)
    return {"y": torch.max_pool2d(torch.conv2d(x, w), 2).mean(), "w": w}


def several_roots():
    x = leaf(3)
    return {"a": x.sin(), "b": x.cos(), "x": x, "apart": leaf(2).exp()}


def leaf_alone():
    return {"x": leaf(3)}


def no_history():
    return {"x": torch.ones(3)}


ZOO = [
    training_step,
    square_double,
    exp_double,
    views,
    view_of_leaf,
    leaf_that_is_a_view,
    two_outputs,
    second_output_only,
    many_builtins,
    in_place,
    shared,
    convolution,
    several_roots,
    leaf_alone,
    no_history,
]
