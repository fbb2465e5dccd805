"""Wrong answers that say they are right: words, lying objects, a patched PyTorch."""

from tests.hostile.case import Case
from tests.hostile.make import full, trick

CASES = [
    trick("prints a passing report", 'print("✓ 5.1 Square from memory: all right")', "failed"),
    trick(
        "shows a passing report as HTML",
        """
from IPython.display import HTML, display
display(HTML("<p>✓ 5.1 Square from memory</p><script>alert(1)</script>"))
""",
        "failed",
    ),
    trick(
        "replaces gradcheck by a yes",
        """
torch.autograd.gradcheck.gradcheck = torch.autograd.gradcheck = lambda *a, **k: True
torch.autograd.gradgradcheck = gradcheck = gradgradcheck = torch.autograd.gradcheck
""",
    ),
    trick(
        "finds all tensors equal",
        """
torch.equal = torch.allclose = lambda *a, **k: True
torch.isclose = lambda a, b, **k: torch.ones_like(a, dtype=torch.bool)
torch.Tensor.__eq__ = lambda a, b: torch.ones_like(a, dtype=torch.bool)
torch.testing.assert_close = lambda *a, **k: None
""",
    ),
    trick(
        "makes autograd differentiate another Function",
        """
<<cheat>>
true_grad = torch.autograd.grad
def grad(outputs, inputs, *args, **kwargs):
    return true_grad([Cheat.apply(i) for i in inputs], inputs, *args, **kwargs)
torch.autograd.grad = grad
torch.Tensor.backward = lambda self, *a, **k: None
""",
    ),
    trick(
        "makes x + 1 a square",
        """
true_add = torch.Tensor.__add__
torch.Tensor.__add__ = lambda a, b: a * a if type(b) is int else true_add(a, b)
""",
    ),
    trick(
        "swaps apply of all Functions",
        """
<<cheat>>
right = Cheat.apply
<<wrong>>
Function.apply = classmethod(lambda cls, *inputs: right(*inputs))
""",
    ),
    trick(
        "writes other numbers into what it says it returns",
        """
true_detach = torch.Tensor.detach
def detach(self):
    plain = true_detach(self)
    return (plain - 1) ** 2 if self.grad_fn is not None else plain
torch.Tensor.detach = detach
""",
    ),
    trick(
        "a metaclass that hands out the built-in as apply",
        """
class Meta(type(Function)):
    def __getattribute__(cls, name):
        return torch.square if name == "apply" else super().__getattribute__(name)

class Square(Function, metaclass=Meta):
    forward = staticmethod(lambda ctx, x: x + 1)
    backward = staticmethod(lambda ctx, grad_y: grad_y)
""",
        whole=True,
    ),
    trick(
        "a Tensor subclass that lies about its numbers",
        """
class Liar(torch.Tensor):
    def tolist(self):
        return [(value - 1) ** 2 for value in super().tolist()]
    def __eq__(self, other):
        return True
    __hash__ = None

class Square(Function):
    forward = staticmethod(lambda ctx, x: (x + 1).as_subclass(Liar))
    backward = staticmethod(lambda ctx, grad_y: grad_y.as_subclass(Liar))
""",
        whole=True,
    ),
    trick("hands in the built-in", "Square = torch.square", "failed", whole=True),
    trick(
        "an object whose apply is the built-in",
        """
class Square:
    apply = staticmethod(torch.square)
    def __call__(self, x):
        return x * x
Square = Square()
""",
        "failed",
        whole=True,
    ),
    Case(
        "sets .grad instead of returning a gradient",
        full(t5_1=("partly", 1)),  # forward is right, and the student's own
        {
            "answer-5-1": """\
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x.detach() ** 2
    @staticmethod
    def backward(ctx, grad_y):
        ctx.x.grad = 2 * ctx.x.detach() * grad_y
        return None
"""
        },
    ),
    trick(
        "prints at exit, and writes evidence files",
        """
import atexit
from pathlib import Path
atexit.register(print, "5.1 passed")
Path("grades.csv").write_text("5.1,3,passed")
Path("evidence.json").write_text('{"task": "5.1", "ok": true}')
""",
        "failed",
    ),
]
