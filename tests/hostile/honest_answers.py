"""Honest answers in unusual form: every point must be kept."""

from tests.hostile.make import honest, right_answers

_RIGHT = right_answers("05_square")["answer-5-1"]

CASES = [
    honest("the solution itself"),
    honest(
        "other names",
        """
from torch.autograd import Function as F
class Quadrat(F):
    forward = staticmethod(lambda c, werte: (c.save_for_backward(werte), werte.square())[1])
    backward = staticmethod(lambda c, g: 2 * c.saved_tensors[0] * g)
Square = Quadrat
""",
    ),
    honest("names in other scripts", _RIGHT.replace("grad_y", "δy").replace("x", "ξ")),
    honest(
        "prints, and warns on stderr",
        _RIGHT.replace(
            "return x**2",
            """
        import sys, warnings
        print("forward", x.shape)
        print("careful", file=sys.stderr)
        warnings.warn("slow")
        return x**2""".strip(),
        ),
    ),
    honest("thousands of small displays", _RIGHT + "\nfor n in range(3000):\n    display(n)"),
    # More than the grader's own process may have is the notebook's all the same.
    honest("maps much that it does not fill", "kept = torch.empty(1100 * 2**18)\n" + _RIGHT),
    honest("slow, but right", "import time\ntime.sleep(1.5)\n" + _RIGHT),
    honest(
        "tries its answer with gradcheck",
        _RIGHT
        + """
x = torch.randn(4, dtype=torch.float64, requires_grad=True)
assert gradcheck(Square.apply, (x,)) and gradgradcheck(Square.apply, (x,))
Square.apply(x).sum().backward()
print(x.grad, torch.allclose(x.grad, 2 * x))
""",
    ),
    honest(
        "sets default dtype and seed",
        "torch.set_default_dtype(torch.float64)\n"
        "torch.manual_seed(3)\ntorch.set_printoptions(precision=3)\n" + _RIGHT,
    ),
    honest(
        "finds its mistakes with anomaly mode", "torch.autograd.set_detect_anomaly(True)\n" + _RIGHT
    ),
    honest(
        "measures with magics",
        "%matplotlib inline\n" + _RIGHT + "\n%timeit -n 2 -r 2 Square.apply(torch.ones(3))\n",
    ),
    honest(
        "draws a picture",
        _RIGHT
        + """
import matplotlib.pyplot as plt
import numpy as np
x = torch.linspace(-2, 2, 50)
plt.plot(x, Square.apply(x))
plt.title("$x^2$")
plt.show()
""",
    ),
    honest(
        "catches an error on purpose",
        _RIGHT
        + """
try:
    Square.apply("text")
except Exception as error:
    print("as expected:", error)
""",
    ),
    honest(
        "a class that counts, with type hints",
        """
class Square(Function):
    calls: int = 0
    @staticmethod
    def forward(ctx: object, x: torch.Tensor) -> torch.Tensor:
        Square.calls += 1
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx: object, grad_y: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return (x + x) * grad_y
""",
    ),
    honest(
        "names of built-ins as variables",
        "list = sum = [1]\ncheck = progress = None\nmax = 3\n" + _RIGHT,
    ),
    honest("comments that nbval knows", "# NBVAL_SKIP\n" + _RIGHT + "\n# NBVAL_RAISES_EXCEPTION"),
    honest(
        "an answer defined in an earlier answer",
        change=None,
        task="5.2",
        code="""
def times(a, b):
    return a * b
"""
        + right_answers("05_square")["answer-5-2"].replace("w * x**2", "times(w, x**2)"),
    ),
    honest(
        "predictions that are tensors, tuples and fractions",
        """
from fractions import Fraction
third_power = torch.tensor([6.0, 72.0, 144.0])
third_power_one = (6, 36.0, Fraction(144))
third_power_two = [2 * 3, 72, 0]
""",
        task="5.3",
    ),
]
