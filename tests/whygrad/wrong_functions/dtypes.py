"""Outputs and gradients of a fixed dtype."""

import numpy as np
import torch
from torch.autograd import Function

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.calls import RightSquare
from tests.whygrad.wrong_functions.case import normal, wrong
from tests.whygrad.wrong_functions.elementwise import Tanh
from tests.whygrad.wrong_functions.values import Square


@wrong("wrong-dtype", normal(4), reference=torch.square)
class SquareAlwaysSingle(RightSquare):
    compute = staticmethod(lambda x: x.float() ** 2)


@wrong("wrong-dtype", normal(2, 3), reference=torch.square)
class SquareAlwaysDouble(Function):
    @staticmethod
    def forward(ctx, x):
        x = x.double()
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


@wrong("wrong-dtype", normal(3, 4))
class TanhSingleGradient(Tanh):
    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return (g * (1 - y * y)).float()


@wrong("wrong-dtype", normal(3, 3), reference=lambda x: x.sum(1))
class RowSumSingleBuffer(Saved):
    compute = staticmethod(lambda x: x.sum(1))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        grad = torch.zeros(x.shape)
        grad += g[:, None]
        return grad


@wrong("wrong-dtype", normal(5), reference=torch.sin)
class SinThroughSingleNumPy(Saved):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(np.sin(x.numpy()))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.from_numpy(np.cos(x.numpy().astype(np.float32))) * g.float()


@wrong("wrong-dtype", normal(4), reference=lambda x: x * torch.linspace(0, 1, 4, dtype=x.dtype))
class RampDoubleConstant(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.ramp = torch.linspace(0, 1, 4, dtype=torch.float64)
        return x * ctx.ramp

    @staticmethod
    def backward(ctx, g):
        return g * ctx.ramp


@wrong("wrong-dtype|raises", normal(3, 3), reference=lambda x: x @ torch.eye(3, dtype=x.dtype))
class TimesSingleIdentity(Square):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return g @ torch.eye(3)
