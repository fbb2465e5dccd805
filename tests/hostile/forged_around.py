"""Functions that do nothing, with PyTorch's own operations before, after or beside them."""

from tests.hostile.case import Case
from tests.hostile.make import full, trick

_SAME = """
class Same(Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()
    @staticmethod
    def backward(ctx, grad_y):
        return grad_y
"""

CASES = [
    trick(
        "squares in apply what the Function returns",
        _SAME
        + """
class Square(Same):
    @classmethod
    def apply(cls, x):
        return torch.square(super().apply(x))
""",
        "failed",
        whole=True,
    ),
    trick(
        "squares in a function around the Function",
        _SAME
        + """
def Square(x):
    return torch.square(Same.apply(x))
""",
        "failed",
        whole=True,
    ),
    trick(
        "squares before the Function",
        _SAME
        + """
def Square(x):
    return Same.apply(x * x)
""",
        "failed",
        whole=True,
    ),
    trick(
        "squares beside a Function whose result is multiplied by zero",
        _SAME
        + """
def Square(x):
    return Same.apply(x) * 0 + x**2
""",
        "failed",
        whole=True,
    ),
    trick(
        "squares in a subclass of Tensor",
        _SAME
        + """
class Squared(torch.Tensor):
    @property
    def grad_fn(self):
        return Same.apply(torch.ones(1, requires_grad=True)).grad_fn
def Square(x):
    y = Same.apply(x)
    return (y * y).as_subclass(Squared)
""",
        whole=True,
    ),
    trick(
        "hides the square behind more nodes than are looked at",
        _SAME
        + """
def Square(x):
    y = torch.square(Same.apply(x))
    for _ in range(500):
        y = y.view_as(y)
    return Same.apply(y)
""",
        whole=True,
    ),
    trick(
        "writes the square into a view",
        _SAME
        + """
def Square(x):
    y = Same.apply(x)
    y.view(-1).square_()
    return y
""",
        "failed",
        whole=True,
    ),
    trick(
        "has a Function of PyTorch's own do the rest",
        _SAME
        + """
import torch.utils.checkpoint
def Square(x):
    return torch.utils.checkpoint.checkpoint(torch.square, Same.apply(x), use_reentrant=True)
""",
        whole=True,
    ),
    trick(
        "multiplies the weight outside of the Function",
        """
class Squared(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2
    @staticmethod
    def backward(ctx, grad_y):
        return 2 * ctx.saved_tensors[0] * grad_y
def WeightedSquare(x, w):
    return w * Squared.apply(x)
""",
        "failed",
        task="5.2",
        whole=True,
    ),
    Case(
        "keeps all numbers of its input in a list on ctx",
        full("06_exp", t6_1=("partly", 2)),  # that costs the second derivative
        {
            "answer-6-1": """
class Inverse(Function):
    @staticmethod
    def forward(ctx, x):
        y = 1 / x
        ctx.save_for_backward(y)
        ctx.numbers = x.tolist()
        return y
    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return -grad_y * y * y
"""
        },
        exercise="06_exp",
    ),
    Case(
        "keeps all numbers of its input in one on ctx",
        full("06_exp", t6_1=("partly", 2)),  # that costs the second derivative
        {
            "answer-6-1": """
class Inverse(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.number = int.from_bytes(x.numpy().tobytes(), "little")
        y = 1 / x
        ctx.save_for_backward(y)
        return y
    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return -grad_y * y * y + 0 * ctx.number
"""
        },
        exercise="06_exp",
    ),
    Case(
        "leaves the second derivative to autograd where backward is recorded",
        full("08_cube", t8_1=("partly", 1)),  # forward is in NumPy, as the task asks
        {
            "answer-8-1": """
class LogOne(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.as_tensor(np.log1p(x.numpy() ** 2))
    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        if torch.is_grad_enabled():
            return 2 * x / (1 + x**2) * grad_y
        a = x.numpy()
        return torch.as_tensor(2 * a / (1 + a * a)) * grad_y
"""
        },
        exercise="08_cube",
    ),
]
