"""Wrong Functions as authors write them, each with the line and the tensor at fault."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from scipy import special
from torch.amp import custom_bwd, custom_fwd
from torch.autograd import Function
from torch.nn import functional as F

from tests.whygrad.wrong_functions.case import normal, positive


class BinaryFocalLoss(Function):
    """Focal loss with gamma 2, summed over all logits."""

    @staticmethod
    @custom_fwd(device_type="cpu")
    def forward(ctx, logits, labels):
        probs = torch.sigmoid(logits)
        hit = torch.where(labels > 0, probs, 1 - probs)
        log_hit = hit.log()
        ctx.vars = hit, log_hit, labels
        return -((1 - hit) ** 2 * log_hit).sum()

    @staticmethod
    @custom_bwd(device_type="cpu")
    def backward(ctx, grad_output):
        hit, log_hit, labels = ctx.vars
        miss = 1 - hit
        sign = torch.where(labels > 0, 1.0, -1.0).to(hit)
        log_hit.mul_(2 * hit)
        return grad_output * sign * miss**2 * (log_hit - miss), None


class TverskyLoss(Function):
    """One minus the Tversky index of each image, summed."""

    @staticmethod
    def forward(ctx, scores, mask, alpha):
        probs = scores.sigmoid().flatten(1)
        mask = mask.flatten(1).to(probs)
        inter = (probs * mask).sum(1, keepdim=True)
        false_pos = (probs * (1 - mask)).sum(1, keepdim=True)
        false_neg = ((1 - probs) * mask).sum(1, keepdim=True)
        denom = inter + alpha * false_pos + (1 - alpha) * false_neg
        ctx.alpha, ctx.shape = alpha, scores.shape
        ctx.buffers = [probs, mask, inter, denom]
        return (1 - inter / denom).sum()

    @staticmethod
    def backward(ctx, grad_output):
        probs, mask, inter, denom = ctx.buffers
        numer = mask * denom - inter * ctx.alpha
        grad_probs = -numer / denom.pow_(2)
        grad_scores = grad_output * grad_probs * probs * (1 - probs)
        return grad_scores.reshape(ctx.shape), None, None


class QuickGelu(Function):
    """x times the sigmoid of 1.702 x; the local gradient is ready before backward."""

    @staticmethod
    def forward(x):
        return x * torch.sigmoid(1.702 * x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        gate = torch.sigmoid(1.702 * x)
        ctx.local_grad = gate * (1 + 1.702 * x * (1 - gate))

    @staticmethod
    def backward(ctx, grad_output):
        local_grad = ctx.local_grad
        local_grad *= grad_output
        return local_grad


class LogMeanExp(Function):
    """Logarithm of the mean of exp(x) along a dimension, with the maximum taken out."""

    @staticmethod
    def forward(ctx, x, dim):
        peak = x.amax(dim, keepdim=True)
        weights = torch.exp(x - peak)
        total = weights.sum(dim, keepdim=True)
        ctx.save_for_backward(weights, total)
        ctx.dim = dim
        out = total.log_().add_(peak)
        return out.squeeze(dim) - math.log(x.shape[dim])

    @staticmethod
    def backward(ctx, grad_output):
        weights, total = ctx.saved_tensors
        return weights / total * grad_output.unsqueeze(ctx.dim), None


class StableSoftmax(Function):
    """Softmax, made safe against overflow."""

    @staticmethod
    def forward(ctx, scores, dim=-1):
        scores -= scores.amax(dim, keepdim=True)
        probs = scores.exp()
        probs = probs / probs.sum(dim, keepdim=True)
        ctx.save_for_backward(probs)
        ctx.dim = dim
        return probs

    @staticmethod
    def backward(ctx, grad_output):
        (probs,) = ctx.saved_tensors
        dot = (grad_output * probs).sum(ctx.dim, keepdim=True)
        return probs * (grad_output - dot), None


class PruneSmall(Function):
    """Drop small weights; the first column is a bias and stays."""

    @staticmethod
    def forward(ctx, weight, threshold):
        keep = weight.abs() >= threshold
        keep[:, 0] = True
        body = weight[:, 1:]
        body[body.abs() < threshold] = 0
        ctx.save_for_backward(keep)
        return weight.clone()

    @staticmethod
    def backward(ctx, grad_weight):
        (keep,) = ctx.saved_tensors
        return grad_weight * keep, None


def rotate_half(t):
    half = t.shape[-1] // 2
    return torch.cat((-t[..., half:], t[..., :half]), dim=-1)


class ApplyRotary(Function):
    """Rotary position embedding of queries; the angles are constants."""

    @staticmethod
    def forward(ctx, Q, cos, sin):
        turned = rotate_half(Q) * sin
        Q *= cos
        ctx.save_for_backward(cos, sin)
        return Q + turned

    @staticmethod
    def backward(ctx, dY):
        cos, sin = ctx.saved_tensors
        return dY * cos - rotate_half(dY * sin), None, None


class CappedRelu(Function):
    """Relu with a ceiling."""

    @staticmethod
    def forward(ctx, input, ceiling):
        ctx.save_for_backward(input)
        ctx.ceiling = ceiling
        return input.clamp(min=0, max=ceiling)

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        outside = (input <= 0) | (input >= ctx.ceiling)
        grad_output[outside] = 0.0
        return grad_output, None


def with_gain(tensor, fan_in):
    gain = math.sqrt(2 / fan_in)
    return tensor.mul_(gain)


class EqualizedLinear(Function):
    """Linear layer whose weight is scaled at run time."""

    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x @ with_gain(weight.t().clone(), weight.shape[1])

    @staticmethod
    def backward(ctx, grad_output):
        x, weight = ctx.saved_tensors
        grad = with_gain(grad_output, weight.shape[1])
        grad_x = grad @ weight if ctx.needs_input_grad[0] else None
        grad_weight = grad.t() @ x if ctx.needs_input_grad[1] else None
        return grad_x, grad_weight


class ScaledTanh(Function):
    """LeCun's tanh."""

    AMPLITUDE, SLOPE = 1.7159, 2 / 3

    @classmethod
    def forward(cls, ctx, x):
        y = cls.AMPLITUDE * torch.tanh(cls.SLOPE * x)
        ctx.save_for_backward(y)
        return y

    @classmethod
    def backward(cls, ctx, grad_output):
        y = ctx.saved_tensors[0].detach()
        return grad_output * cls.SLOPE * (cls.AMPLITUDE - y * y / cls.AMPLITUDE)


class Digamma(Function):
    @staticmethod
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return torch.special.digamma(z)

    @staticmethod
    def backward(ctx, grad_psi):
        (z,) = ctx.saved_tensors
        return grad_psi * torch.special.polygamma(1, z)


class LogGamma(Function):
    """log Γ, whose derivative is a Function of its own."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.lgamma(x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        psi = Digamma.apply(x.detach())
        return grad_output * psi


class GaussianGate(Function):
    """exp(-x² / 2σ²) with one learned σ."""

    @staticmethod
    def forward(ctx, x, sigma):
        ctx.vars = x, sigma
        return torch.exp(-0.5 * (x / sigma) ** 2)

    @staticmethod
    def backward(ctx, grad_output):
        x, sigma = ctx.vars
        z = x.data / sigma
        gate = torch.exp(-0.5 * z**2) * grad_output
        return -gate * z / sigma, (gate * z**2 / sigma).sum()


class HuberPenalty(Function):
    """Huber's penalty of each residual."""

    @staticmethod
    @custom_fwd(device_type="cpu")
    def forward(ctx, pred, target, delta):
        residual = pred - target
        size = residual.abs()
        ctx.save_for_backward(pred, target)
        ctx.delta = delta
        return torch.where(size < delta, 0.5 * residual**2, delta * (size - 0.5 * delta))

    @staticmethod
    @custom_bwd(device_type="cpu")
    def backward(ctx, grad_output):
        pred, target = ctx.saved_tensors
        grad = grad_output.data.clone()
        grad = grad * (pred - target).clamp(-ctx.delta, ctx.delta)
        return grad, -grad, None


MISH_SLOPES = {
    "plain": lambda x: torch.tanh(F.softplus(x)) + x * x.sigmoid() / F.softplus(x).cosh() ** 2,
}


class MishActivation(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.tanh(F.softplus(x))

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        with torch.no_grad():
            slope = MISH_SLOPES["plain"](x)
        return grad_output * slope


@torch.no_grad()
def radial_basis(x, centers, gamma):
    return torch.exp(-gamma * (x.unsqueeze(-1) - centers) ** 2)


class RadialExpand(Function):
    """Expand each number in Gaussians around given centers."""

    @staticmethod
    def forward(ctx, x, centers, gamma):
        ctx.save_for_backward(x, centers)
        ctx.gamma = gamma
        return radial_basis(x, centers, gamma)

    @staticmethod
    def backward(ctx, grad_basis):
        x, centers = ctx.saved_tensors
        basis = radial_basis(x, centers, ctx.gamma)
        offset = x.unsqueeze(-1) - centers
        local = -2 * ctx.gamma * offset * basis * grad_basis
        return local.sum(-1), -local.flatten(0, -2).sum(0), None


class LogBesselI0(Function):
    """log I₀(x), by SciPy."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        array = x.detach().numpy()
        return torch.as_tensor(np.log(special.i0e(array)) + abs(array), dtype=x.dtype)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        kappa = x.detach().cpu().numpy()
        ratio = torch.as_tensor(special.i1e(kappa) / special.i0e(kappa)).to(x)
        return grad_output * ratio


class LogAbsDet(Function):
    """log |det A| of a matrix, or of each of several, by NumPy."""

    @staticmethod
    def forward(ctx, A):
        ctx.save_for_backward(A)
        return A.new_tensor(np.linalg.slogdet(A.detach().numpy())[1])

    @staticmethod
    def backward(ctx, grad_output):
        (A,) = ctx.saved_tensors
        inverse = A.new_tensor(np.linalg.inv(A.detach().numpy()))
        return grad_output[..., None, None] * inverse.mT


class SwishBeta(Function):
    """x σ(βx); the gate is kept for backward."""

    @staticmethod
    def forward(ctx, x, beta):
        gate = torch.sigmoid(beta * x)
        ctx.save_for_backward(x, gate)
        ctx.beta = beta
        return x * gate

    @staticmethod
    def backward(ctx, grad_output):
        x, gate = ctx.saved_tensors
        return grad_output * gate * (1 + ctx.beta * x * (1 - gate)), None


class InverseSquareRootUnit(Function):
    """x / √(1 + x²)."""

    @staticmethod
    def forward(x):
        return x / torch.sqrt(1 + x * x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        shrink = torch.rsqrt(1 + inputs[0] ** 2)
        ctx.save_for_backward(shrink)

    @staticmethod
    def backward(ctx, grad_output):
        (shrink,) = ctx.saved_tensors
        return grad_output * shrink**3


class CappedLogits(Function):
    """Logits between -cap and cap, computed in float32."""

    @staticmethod
    def forward(ctx, logits, cap):
        bounded = torch.tanh(logits.to(torch.float32) / cap)
        ctx.save_for_backward(bounded)
        ctx.cap = cap
        return cap * bounded

    @staticmethod
    def backward(ctx, grad_output):
        (bounded,) = ctx.saved_tensors
        return grad_output * (1 - bounded**2), None


class Sinc(Function):
    """sin(x) / x, and 1 at 0."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.where(x == 0, 1.0, torch.sin(x) / x)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        rise = x * torch.cos(x) - torch.sin(x)
        slope = rise / (x * x)
        return grad_output * slope


class PositiveEntropy(Function):
    """x log x where x is positive, and 0 elsewhere."""

    @staticmethod
    def forward(ctx, x):
        positive = x > 0
        ctx.save_for_backward(x, positive)
        return torch.where(positive, x * torch.log(x), 0.0)

    @staticmethod
    def backward(ctx, grad_output):
        x, positive = ctx.saved_tensors
        log_x = torch.log(x)
        return grad_output * positive * (log_x + 1)


class FlatAnchors(Function):
    """Squared anchors as one long vector."""

    @staticmethod
    def forward(ctx, anchors):
        ctx.save_for_backward(anchors)
        return anchors.reshape(-1) ** 2

    @staticmethod
    def backward(ctx, grad_flat):
        (anchors,) = ctx.saved_tensors
        grad_rows = grad_flat.view(4, 3)
        return 2 * anchors * grad_rows


class ColorEnergy(Function):
    """Mean square of each pixel over its channels."""

    @staticmethod
    def forward(ctx, pixels):
        ctx.save_for_backward(pixels)
        return pixels.pow(2).mean(-1)

    @staticmethod
    def backward(ctx, grad_energy):
        (pixels,) = ctx.saved_tensors
        grad_pixels = 2 * pixels / 3
        return grad_energy.unsqueeze(-1) * grad_pixels


@dataclass(frozen=True, eq=False)
class Case:
    """A wrong Function, and what a report should say about it.

    Attributes:
        fn: the Function.
        inputs: what it is applied to.
        name: the mistake's name, which may be that of a remark.
        at: each line that may be blamed, and the piece of it that the report must quote.
        tensors: the names that may be given to the tensor at fault.
        order: 2 if the mistake is in double backward.
    """

    fn: type[Function]
    inputs: tuple[Any, ...]
    name: str
    at: dict[str, str]
    tensors: tuple[str, ...]
    order: int = 1

    def __str__(self) -> str:
        return self.fn.__name__


def lost(fn, inputs, at, *tensors, name="second-order-lost"):
    """Return a case whose history is cut, so that double backward is wrong."""
    return Case(fn, inputs, name, at, tensors, order=2)


LABELS = torch.tensor([[0, 1, 1, 0], [1, 0, 0, 1], [1, 1, 0, 0]])
MASK = (normal(2, 3, 4, seed=1) > 0).long()
ANGLES = normal(3, 4, seed=1)
SIGMA = torch.tensor(1.3, dtype=torch.float64)
MATRIX = normal(3, 3) + 3 * torch.eye(3, dtype=torch.float64)
WITH_ZERO = torch.tensor([[-1.2, 0.0, 0.7], [2.1, -0.4, 1.5]], dtype=torch.float64)

IN_PLACE = [
    Case(
        BinaryFocalLoss,
        (normal(3, 4), LABELS),
        "keeps-state",
        {"log_hit.mul_(2 * hit)": "log_hit.mul_("},
        ("log_hit",),
    ),
    Case(
        TverskyLoss,
        (normal(2, 3, 4), MASK, 0.7),
        "keeps-state",
        {"grad_probs = -numer / denom.pow_(2)": "denom.pow_("},
        ("denom",),
    ),
    Case(
        QuickGelu,
        (normal(3, 4),),
        "keeps-state",
        {"local_grad *= grad_output": "local_grad *="},
        ("local_grad",),
    ),
    Case(
        LogMeanExp,
        (normal(3, 4), 1),
        "wrong-gradient",
        {"out = total.log_().add_(peak)": "total.log_()"},
        ("total",),
    ),
    Case(
        StableSoftmax,
        (normal(3, 4),),
        "modifies-input",
        {"scores -= scores.amax(dim, keepdim=True)": "scores -="},
        ("scores",),
    ),
    Case(
        PruneSmall,
        (normal(3, 4), 0.5),
        "modifies-input",
        {"body[body.abs() < threshold] = 0": "body[body.abs() < threshold]"},
        ("weight",),
    ),
    Case(
        ApplyRotary,
        (normal(3, 4).requires_grad_(), ANGLES.cos(), ANGLES.sin()),
        "modifies-input",
        {"Q *= cos": "Q *="},
        ("Q",),
    ),
    Case(
        CappedRelu,
        (3 * normal(3, 4), 2.0),
        "modifies-grad-output",
        {"grad_output[outside] = 0.0": "grad_output[outside]"},
        ("grad_output",),
    ),
    Case(
        EqualizedLinear,
        (normal(3, 4), normal(5, 4, seed=1)),
        "modifies-grad-output",
        {"return tensor.mul_(gain)": "tensor.mul_("},
        ("grad_output",),
    ),
]

CUT = [
    lost(
        ScaledTanh,
        (normal(3, 4),),
        {"y = ctx.saved_tensors[0].detach()": ".detach()"},
        "y",
    ),
    lost(
        LogGamma,
        (positive(3, 4),),
        {"psi = Digamma.apply(x.detach())": "x.detach()"},
        "x",
        "psi",
    ),
    lost(GaussianGate, (normal(3, 4), SIGMA), {"z = x.data / sigma": "x.data"}, "x"),
    lost(
        HuberPenalty,
        (2 * normal(3, 4), normal(3, 4, seed=1), 1.0),
        {"grad = grad_output.data.clone()": "grad_output.data"},
        "grad_output",
        "grad",
    ),
    lost(
        MishActivation,
        (normal(3, 4),),
        {
            "with torch.no_grad():": "no_grad",
            'slope = MISH_SLOPES["plain"](x)': 'MISH_SLOPES["plain"](x)',
        },
        "slope",
    ),
    lost(
        RadialExpand,
        (normal(3), normal(4, seed=1), 0.7),
        {
            "@torch.no_grad()": "no_grad",
            "return torch.exp(-gamma * (x.unsqueeze(-1) - centers) ** 2)": "torch.exp(",
            "basis = radial_basis(x, centers, ctx.gamma)": "radial_basis(",
        },
        "basis",
        name="second-order-term-left-out",
    ),
    lost(
        LogBesselI0,
        (normal(3, 4),),
        {
            "kappa = x.detach().cpu().numpy()": ".numpy()",
            "ratio = torch.as_tensor(special.i1e(kappa) / special.i0e(kappa)).to(x)": "as_tensor(",
        },
        "x",
        "ratio",
    ),
    lost(
        LogAbsDet,
        (MATRIX,),
        {"inverse = A.new_tensor(np.linalg.inv(A.detach().numpy()))": "np.linalg.inv("},
        "A",
        "inverse",
    ),
    lost(
        SwishBeta,
        (normal(3, 4), 1.5),
        {
            "gate = torch.sigmoid(beta * x)": "torch.sigmoid(beta * x)",
            "ctx.save_for_backward(x, gate)": "save_for_backward(x, gate)",
        },
        "gate",
        name="second-order-term-left-out",
    ),
    lost(
        InverseSquareRootUnit,
        (normal(3, 4),),
        {
            "shrink = torch.rsqrt(1 + inputs[0] ** 2)": "torch.rsqrt(",
            "ctx.save_for_backward(shrink)": "save_for_backward(shrink)",
        },
        "shrink",
    ),
]

VALUES = [
    Case(
        CappedLogits,
        (normal(3, 4), 5.0),
        "wrong-dtype",
        {"bounded = torch.tanh(logits.to(torch.float32) / cap)": "logits.to(torch.float32)"},
        ("logits", "bounded"),
    ),
    Case(
        Sinc,
        (WITH_ZERO,),
        "wrong-gradient",
        {"slope = rise / (x * x)": "rise / (x * x)"},
        ("slope",),
    ),
    Case(
        PositiveEntropy,
        (normal(3, 4),),
        "wrong-gradient",
        {"log_x = torch.log(x)": "torch.log(x)"},
        ("log_x",),
    ),
    Case(
        FlatAnchors,
        (normal(4, 3),),
        "fixed-size",
        {"grad_rows = grad_flat.view(4, 3)": "grad_flat.view(4, 3)"},
        ("grad_flat", "grad_rows"),
    ),
    Case(
        ColorEnergy,
        (normal(4, 3),),
        "fixed-size",
        {"grad_pixels = 2 * pixels / 3": "2 * pixels / 3"},
        ("pixels", "grad_pixels"),
    ),
]

CASES = [*IN_PLACE, *CUT, *VALUES]
