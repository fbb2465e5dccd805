"""First order right, second order lost or wrong."""

import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal, positive, wrong
from tests.whygrad.wrong_functions.elementwise import Tanh
from tests.whygrad.wrong_functions.two_inputs import Divide, Product
from tests.whygrad.wrong_functions.values import Square


@wrong("second-order-lost", normal(3), order=2)
class SquareDetached(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x.detach() * g


@wrong("second-order-lost", normal(2, 3), reference=torch.square, order=2)
class SquareData(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x.data * g


@wrong("second-order-lost", normal(4), reference=torch.square, order=2)
class SquareNoGrad(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        with torch.no_grad():
            return 2 * x * g


@wrong("second-order-lost", normal(4), order=2)
class SquareOnce(Square):
    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


@wrong("second-order-lost", normal(3, 2), order=2)
class SquareNumPy(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.from_numpy(2 * x.detach().numpy() * g.detach().numpy())


@wrong("second-order-lost|raises", normal(3), reference=torch.square, order=2)
class SquareNumPyRaises(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.from_numpy(2 * x.numpy() * g.numpy())


@wrong("second-order-lost", normal(3), reference=torch.square, order=2)
class SquareRewrapped(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.tensor((2 * x * g).tolist(), dtype=x.dtype)


@wrong("second-order-lost", normal(5), order=2)
class SinhOnCtx(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.up, ctx.down = x.exp(), (-x).exp()
        return (ctx.up - ctx.down) / 2

    @staticmethod
    def backward(ctx, g):
        return g * (ctx.up + ctx.down) / 2


@wrong("second-order-lost", normal(2, 3), reference=torch.sinh, order=2)
class SinhSavedIntermediate(Function):
    @staticmethod
    def forward(ctx, x):
        cosh = torch.cosh(x)
        ctx.save_for_backward(cosh)
        return torch.sinh(x)

    @staticmethod
    def backward(ctx, g):
        (cosh,) = ctx.saved_tensors
        return g * cosh


@wrong("second-order-lost", normal(4), reference=torch.exp, order=2)
class ExpSavedCopy(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y.clone())
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


@wrong("second-order-term-left-out", normal(4), order=2)
class TanhHalfDetached(Tanh):
    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (1 - y * y.detach())


@wrong("second-order-lost", normal(3), reference=torch.tanh, order=2)
class TanhGradientDetached(Tanh):
    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g.detach() * (1 - y * y)


@wrong("second-order-lost", normal(3), normal(3, seed=1), order=2)
class ProductCrossTermsLost(Product):
    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b.detach(), g * a.detach()


@wrong(
    "second-order-lost|second-order-term-left-out",
    normal(3),
    positive(3, seed=1),
    reference=torch.div,
    order=2,
)
class DivideSavedQuotient(Divide):
    @staticmethod
    def forward(ctx, a, b):
        ctx.quotient = a / b
        ctx.save_for_backward(b)
        return ctx.quotient.clone()

    @staticmethod
    def backward(ctx, g):
        (b,) = ctx.saved_tensors
        return g / b, -g * ctx.quotient / b


@wrong("second-order-lost", normal(2, 3), normal(3, 2, seed=1), order=2)
class MatMulOneSideDetached(Saved):
    compute = staticmethod(torch.matmul)

    @staticmethod
    def backward(ctx, g):
        A, B = ctx.saved_tensors
        return g @ B.data.t(), A.t() @ g


@wrong("second-order-lost", normal(2, 3), reference=lambda x: torch.softmax(x, 1), order=2)
class SoftmaxKeptOnCtx(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.p = torch.softmax(x, 1)
        return ctx.p.clone()

    @staticmethod
    def backward(ctx, g):
        return ctx.p * (g - (g * ctx.p).sum(1, keepdim=True))


@wrong("wrong-factor", normal(3), order=2)
class SquareWrongAtBothOrders(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return x.detach() * g


@wrong("second-order-term-left-out", normal(2, 3), reference=lambda x: torch.softmax(x, 1), order=2)
class SoftmaxMeanAsNumbers(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, 1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        mean = torch.from_numpy((g * y).detach().numpy().sum(1, keepdims=True))
        return y * (g - mean)


@wrong("second-order-lost", normal(3, 2), reference=torch.square, order=2)
class SquareView(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.T)
        return x**2

    @staticmethod
    def backward(ctx, g):
        (turned,) = ctx.saved_tensors
        return 2 * turned.T * g


@wrong("second-order-lost", normal(3), reference=torch.square, order=2)
class SquareCopyWithGrad(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.clone().requires_grad_())
        return x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g
