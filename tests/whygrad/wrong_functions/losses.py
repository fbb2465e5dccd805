"""Losses and normalisations of rows with a wrong gradient."""

import torch
from torch.nn import functional as F

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, wrong
from tests.whygrad.wrong_functions.reductions import MeanSquaredDifference, Softmax


@wrong("wrong-gradient", normal(3, 4), reference=lambda x: F.normalize(x, dim=1))
class NormaliseRowsNoProjection(Saved):
    compute = staticmethod(lambda x: x / x.norm(dim=1, keepdim=True))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / x.norm(dim=1, keepdim=True)


@wrong("wrong-gradient", normal(3, 4), reference=lambda x: torch.softmax(x, 1))
class SoftmaxDiagonalOnly(Softmax):
    @staticmethod
    def backward(ctx, g):
        y = torch.softmax(ctx.saved_tensors[0], 1)
        return g * y * (1 - y)


@wrong("wrong-gradient", normal(3, 3))
class SoftmaxSumsColumns(Softmax):
    @staticmethod
    def backward(ctx, g):
        y = torch.softmax(ctx.saved_tensors[0], 1)
        return y * (g - (g * y).sum(0, keepdim=True))


@wrong("grad-output-ignored", normal(2, 4), reference=lambda x: torch.logsumexp(x, 1))
class LogSumExpIgnoresGradient(Saved):
    compute = staticmethod(lambda x: torch.logsumexp(x, 1))

    @staticmethod
    def backward(ctx, g):
        return torch.softmax(ctx.saved_tensors[0], 1)


@wrong("wrong-gradient", normal(3, 5), reference=lambda x: F.layer_norm(x, (5,)))
class LayerNormScaleOnly(Saved):
    compute = staticmethod(lambda x: F.layer_norm(x, x.shape[1:]))

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (x.var(1, unbiased=False, keepdim=True) + 1e-5).sqrt()


@wrong("wrong-gradient", normal(2, 4), normal(2, 4, seed=1), reference=F.cosine_similarity)
class CosineNoProjection(Saved):
    compute = staticmethod(F.cosine_similarity)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        scale = g[:, None] / (a.norm(dim=1, keepdim=True) * b.norm(dim=1, keepdim=True))
        return scale * b, scale * a


@wrong("sum-or-mean", normal(3, 4), normal(3, 4, seed=1), reference=F.mse_loss)
class MseNotDivided(MeanSquaredDifference):
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return 2 * g * (a - b), 2 * g * (b - a)


@wrong("wrong-factor", normal(3, 4), normal(3, 4, seed=1))
class MseNoTwo(MeanSquaredDifference):
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * (a - b) / a.numel(), g * (b - a) / a.numel()


@wrong("wrong-sign", normal(4), normal(4, seed=1), reference=F.mse_loss)
class MseTargetSign(MeanSquaredDifference):
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        grad = 2 * g * (a - b) / a.numel()
        return grad, grad


@wrong("grad-output-ignored", normal(2, 3), normal(2, 3, seed=1), reference=F.mse_loss)
class MseIgnoresGradient(MeanSquaredDifference):
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return 2 * (a - b) / a.numel(), 2 * (b - a) / a.numel()


@wrong("sum-or-mean", normal(4, 3), [0, 2, 1, 1])
class CrossEntropyNotDivided(Saved):
    @staticmethod
    def forward(ctx, x, labels):
        ctx.save_for_backward(x)
        ctx.labels = labels
        return -torch.log_softmax(x, 1)[range(len(x)), labels].mean()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        grad = torch.softmax(x, 1)
        grad[range(len(x)), ctx.labels] -= 1
        return g * grad, None
