"""Products of matrices and vectors with a wrong gradient."""

import torch
from torch.nn import functional as F

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, wrong


class Linear(Saved):
    """x (N, in), W (out, in), b (out) to (N, out)."""

    compute = staticmethod(lambda x, W, b: x @ W.t() + b)


class MatMul(Saved):
    """A times B, in batches too."""

    compute = staticmethod(torch.matmul)


LINEAR = (normal(4, 3), normal(5, 3, seed=1), normal(5, seed=2))
SQUARE = (normal(4, 3), normal(3, 3, seed=1), normal(3, seed=2))


@wrong("transposed", *SQUARE, reference=F.linear)
class LinearWeightTransposedSquare(Linear):
    @staticmethod
    def backward(ctx, g):
        x, W, _ = ctx.saved_tensors
        return g @ W, x.t() @ g, g.sum(0)


@wrong("transposed|wrong-shape", *LINEAR)
class LinearWeightTransposed(Linear):
    @staticmethod
    def backward(ctx, g):
        x, W, _ = ctx.saved_tensors
        return g @ W, x.t() @ g, g.sum(0)


@wrong("wrong-gradient", *SQUARE)
class LinearThroughTransposedWeight(Linear):
    @staticmethod
    def backward(ctx, g):
        x, W, _ = ctx.saved_tensors
        return g @ W.t(), g.t() @ x, g.sum(0)


@wrong("not-summed|wrong-shape", *LINEAR, reference=F.linear)
class LinearBiasNotSummed(Linear):
    @staticmethod
    def backward(ctx, g):
        x, W, _ = ctx.saved_tensors
        return g @ W, g.t() @ x, g


@wrong("sum-or-mean", *LINEAR)
class LinearWeightMean(Linear):
    @staticmethod
    def backward(ctx, g):
        x, W, _ = ctx.saved_tensors
        return g @ W, g.t() @ x / len(x), g.sum(0)


@wrong("swapped-gradients|wrong-shape", *LINEAR, reference=F.linear)
class LinearSwapped(Linear):
    @staticmethod
    def backward(ctx, g):
        x, W, _ = ctx.saved_tensors
        return g.t() @ x, g @ W, g.sum(0)


@wrong("raises", *LINEAR)
class LinearNoTranspose(Linear):
    @staticmethod
    def backward(ctx, g):
        x, W, _ = ctx.saved_tensors
        return g @ W.t(), g.t() @ x, g.sum(0)


@wrong("swapped-gradients", normal(3, 3), normal(3, 3, seed=1))
class MatMulSwapped(MatMul):
    @staticmethod
    def backward(ctx, g):
        A, B = ctx.saved_tensors
        return A.t() @ g, g @ B.t()


@wrong("wrong-gradient", normal(2, 3, 3), normal(2, 3, 3, seed=1), reference=torch.bmm)
class BatchedMatMulNoTranspose(MatMul):
    @staticmethod
    def backward(ctx, g):
        A, B = ctx.saved_tensors
        return g @ B, A.transpose(1, 2) @ g


@wrong("transposed", normal(2, 3, 3), normal(2, 3, 3, seed=1), reference=torch.bmm)
class BatchedMatMulTransposed(MatMul):
    @staticmethod
    def backward(ctx, g):
        A, B = ctx.saved_tensors
        return g @ B.transpose(1, 2), g.transpose(1, 2) @ A


@wrong("not-summed|wrong-shape", normal(2, 3, 4), normal(4, 2, seed=1), reference=torch.matmul)
class MatMulSharedNotSummed(MatMul):
    @staticmethod
    def backward(ctx, g):
        A, B = ctx.saved_tensors
        return g @ B.t(), A.transpose(1, 2) @ g


@wrong("transposed", normal(3), normal(3, 3, seed=1), normal(3, seed=2))
class BilinearTransposed(Saved):
    compute = staticmethod(lambda x, M, y: x @ M @ y)

    @staticmethod
    def backward(ctx, g):
        x, M, y = ctx.saved_tensors
        return g * M @ y, g * torch.outer(y, x), g * M.t() @ x


@wrong("transposed|wrong-shape", normal(4, 3), normal(3, seed=1), reference=torch.mv)
class MatVecTransposed(Saved):
    compute = staticmethod(torch.mv)

    @staticmethod
    def backward(ctx, g):
        M, x = ctx.saved_tensors
        return torch.outer(x, g), M.t() @ g


@wrong("transposed", normal(3, 3), normal(3, 3, seed=1), reference=lambda A, B: (A @ B).trace())
class TraceTransposed(Saved):
    compute = staticmethod(lambda A, B: (A @ B).trace())

    @staticmethod
    def backward(ctx, g):
        A, B = ctx.saved_tensors
        return g * B, g * A


@wrong("wrong-gradient|not-summed", normal(3), normal(3, seed=1), reference=torch.outer)
class OuterContractsTheWrongSide(Saved):
    compute = staticmethod(torch.outer)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g.t() @ b, g @ a


@wrong("grad-output-ignored", normal(3), normal(3, seed=1), reference=torch.dot)
class DotIgnoresGradient(Saved):
    compute = staticmethod(torch.dot)

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return b.clone(), a.clone()
