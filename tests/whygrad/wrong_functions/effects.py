"""Inputs and incoming gradients changed in place."""

import torch
from torch.autograd import Function
from torch.nn import functional as F

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, positive, wrong
from tests.whygrad.wrong_functions.elementwise import Tanh
from tests.whygrad.wrong_functions.two_inputs import Product


@wrong("modifies-input", normal(3), reference=torch.exp)
class ExpInPlace(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp_()
        ctx.save_for_backward(y)
        return y.clone()

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


@wrong("modifies-input", normal(3, 4))
class SoftmaxShiftsItsInput(Function):
    @staticmethod
    def forward(ctx, x):
        x -= x.max(1, keepdim=True).values
        y = x.exp() / x.exp().sum(1, keepdim=True)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(1, keepdim=True))


@wrong("modifies-input", normal(6), reference=torch.relu)
class ReluThroughNumPy(Function):
    @staticmethod
    def forward(ctx, x):
        array = x.numpy()
        array[array < 0] = 0
        ctx.save_for_backward(x)
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x > 0)


@wrong("modifies-input", normal(3), positive(3, seed=1), reference=torch.mul)
class ProductNormalisesItsWeight(Product):
    @staticmethod
    def forward(ctx, a, b):
        y = a * b
        ctx.save_for_backward(a.clone(), b.clone())
        b /= b.norm()
        return y

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b, g * a


@wrong("modifies-input|keeps-state", normal(4), reference=torch.sin)
class SinOverwritesSavedInput(Saved):
    compute = staticmethod(torch.sin)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return x.cos_().mul_(g)


@wrong("modifies-input|keeps-state|returns-input", normal(4), reference=torch.square)
class SquareReturnsSavedMemory(Saved):
    compute = staticmethod(torch.square)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return x.data.mul_(2 * g)


@wrong("keeps-state|modifies-input", normal(4), reference=torch.tanh)
class TanhOverwritesItsOutput(Tanh):
    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y.data.square_().neg_().add_(1).mul_(g)


@wrong("modifies-grad-output", normal(3, 4), reference=torch.relu)
class ReluMasksGradient(Saved):
    compute = staticmethod(torch.relu)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        g[x < 0] = 0
        return g


@wrong("modifies-grad-output", normal(4))
class TanhMultipliesGradient(Tanh):
    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g.mul_(1 - y * y)


@wrong("modifies-grad-output", normal(5), reference=torch.sin)
class SinThroughNumPyGradient(Saved):
    compute = staticmethod(torch.sin)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        array = g.detach().numpy()
        array *= x.cos().numpy()
        return torch.from_numpy(array.copy())


@wrong("modifies-grad-output", normal(2, 3), normal(3, seed=1), reference=torch.mul)
class ProductScalesGradientLast(Product):
    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        grad_w = (g * x).sum(0)
        g *= w
        return g, grad_w


@wrong("modifies-grad-output|not-linear-in-grad-output", normal(4), reference=F.softplus)
class SoftplusClampsGradientInPlace(Saved):
    compute = staticmethod(F.softplus)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g.clamp_(-1, 1) * torch.sigmoid(x)
