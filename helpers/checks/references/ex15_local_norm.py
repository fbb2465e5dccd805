"""Give the right LocalNorm of exercise 15, and two more ways to its sums."""

import torch
from torch.autograd import Function


class LocalNorm(Function):
    """x (N, C), size a whole number from 1 on; returns the normalised rows, (N, C)."""

    @staticmethod
    def forward(ctx, x, size):
        before, after = size // 2, (size - 1) // 2
        square, channels = x**2, x.shape[1]
        sums = [square[:, max(c - before, 0) : c + after + 1].sum(1) for c in range(channels)]
        scale = 1 + torch.stack(sums, dim=1) / size
        y = x * scale**-0.75
        ctx.save_for_backward(x, scale)
        ctx.size = size
        return y

    @staticmethod
    def backward(ctx, grad_y):
        x, scale = ctx.saved_tensors
        before, after = ctx.size // 2, (ctx.size - 1) // 2
        r = grad_y * x * scale**-1.75
        sums = [r[:, max(c - after, 0) : c + before + 1].sum(1) for c in range(x.shape[1])]
        windows = torch.stack(sums, dim=1)
        return grad_y * scale**-0.75 - 1.5 / ctx.size * x * windows, None


class LocalNormRunning(LocalNorm):
    """LocalNorm whose sum runs along: one square comes in, and one goes out."""

    @staticmethod
    def forward(ctx, x, size):
        before, after = size // 2, (size - 1) // 2
        square, channels = x**2, x.shape[1]
        total = square[:, : after + 1].sum(1)
        sums = [total]
        for c in range(1, channels):
            if c + after < channels:
                total = total + square[:, c + after]
            if c > before:
                total = total - square[:, c - before - 1]
            sums.append(total)
        scale = 1 + torch.stack(sums, dim=1) / size
        ctx.save_for_backward(x, scale)
        ctx.size = size
        return x * scale**-0.75


class LocalNormCumsum(LocalNorm):
    """LocalNorm whose sums are differences of those from channel 0 on."""

    @staticmethod
    def forward(ctx, x, size):
        before, after = size // 2, (size - 1) // 2
        whole, channels = torch.cumsum(x**2, dim=1), x.shape[1]
        sums = []
        for c in range(channels):
            total = whole[:, min(c + after, channels - 1)]
            sums.append(total - whole[:, c - before - 1] if c > before else total)
        scale = 1 + torch.stack(sums, dim=1) / size
        ctx.save_for_backward(x, scale)
        ctx.size = size
        return x * scale**-0.75
