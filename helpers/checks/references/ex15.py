"""Give the right answers to exercise 15, Capstone."""

import math

import torch
from torch.autograd import Function

_STEPS = 200  # more than any answer needs, since the grader compares how much is computed


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


class Attention(Function):
    """q (n, d), k (m, d), v (m, e); returns attention, (n, e). Can be differentiated twice."""

    @staticmethod
    def forward(ctx, q, k, v):
        scores = q @ k.T / math.sqrt(q.shape[1])
        y = torch.softmax(scores, dim=1) @ v
        ctx.save_for_backward(q, k, v)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        q, k, v = ctx.saved_tensors
        root = math.sqrt(k.shape[1])
        P = torch.softmax(q @ k.T / root, dim=1)  # again, so that it has a history
        A = grad_y @ v.T
        B = P * (A - (A * P).sum(1, keepdim=True))
        C = B / root  # the gradient of q kᵀ
        return C @ k, C.T @ q, P.T @ grad_y


class FixedPoint(Function):
    """x (N, D), W (D, D); returns the rows z, (N, D), with z = tanh(z Wᵀ + x)."""

    @staticmethod
    def forward(ctx, x, W):
        z = torch.zeros_like(x)
        for _ in range(_STEPS):
            z = torch.tanh(z @ W.T + x)
        ctx.save_for_backward(z, W)
        return z

    @staticmethod
    def backward(ctx, grad_z):
        z, W = ctx.saved_tensors
        s = 1 - z**2
        u = torch.zeros_like(z)
        for _ in range(_STEPS):
            u = grad_z + (s * u) @ W
        grad_x = s * u
        return grad_x, grad_x.T @ z


REFERENCES = {
    "15.1": LocalNorm,
    "15.2": Attention,
    "15.3": FixedPoint,
    "15.4": [2.0, 1.0, 1.75, 12.0],
}
