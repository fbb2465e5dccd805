"""Tensors that are not contiguous, and an absent bias."""

import numpy as np
import torch
from torch.nn import functional as F

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, wrong
from tests.whygrad.wrong_functions.matrices import LINEAR, Linear
from tests.whygrad.wrong_functions.values import Square


@wrong("needs-contiguous", normal(3, 4), reference=torch.square)
class SquareViewsItsInput(Saved):
    compute = staticmethod(lambda x: x.view(-1).square().view(x.shape))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


@wrong("needs-contiguous", normal(3, 4))
class SquareViewsTheGradient(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return (2 * x.reshape(-1) * g.view(-1)).reshape(x.shape)


@wrong("needs-contiguous", normal(3, 4), reference=torch.square)
class SquareAssumesStrides(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        rows, columns = x.shape
        return 2 * x * torch.as_strided(g, (rows, columns), (columns, 1))


@wrong("needs-contiguous", normal(3, 4), reference=torch.square)
class SquareReadsMemoryOrder(Saved):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        flat = np.square(x.numpy().ravel(order="K"))
        return torch.from_numpy(flat).reshape(x.shape)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


@wrong("needs-bias", *LINEAR, reference=F.linear)
class LinearAlwaysBias(Linear):
    @staticmethod
    def backward(ctx, g):
        x, W, _ = ctx.saved_tensors
        return g @ W, g.t() @ x, g.sum(0)


@wrong("needs-bias", *LINEAR, reference=F.linear)
class LinearBiasShapeInBackward(Linear):
    @staticmethod
    def forward(ctx, x, W, b=None):
        ctx.save_for_backward(x, W, b)
        return F.linear(x, W, b)

    @staticmethod
    def backward(ctx, g):
        x, W, b = ctx.saved_tensors
        return g @ W, g.t() @ x, g.sum(0).reshape(b.shape)


@wrong("needs-bias", *LINEAR, reference=F.linear)
class LinearReturnsGradientForNoBias(Linear):
    @staticmethod
    def forward(ctx, x, W, b=None):
        ctx.save_for_backward(x, W)
        return x @ W.t() if b is None else x @ W.t() + b

    @staticmethod
    def backward(ctx, g):
        x, W = ctx.saved_tensors
        return g @ W, g.t() @ x, g.sum(0)


@wrong("needs-bias|raises", *LINEAR[:2], None, reference=F.linear)
class LinearMeetsNone(LinearAlwaysBias):
    pass
