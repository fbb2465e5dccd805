"""Right numbers by means that are not the answer's own, each hidden in another way."""

from tests.hostile.case import Case
from tests.hostile.make import full, right_answers, trick

# A backward that hands the work to autograd; the second line says how autograd is reached.
_SQUARE = """
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2
    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return slope(x, grad_y)
"""
_WAYS = {
    "getattr": """
def slope(x, g):
    with torch.inference_mode(False):
        y = getattr(torch, "square")(x)
        return getattr(getattr(torch, "autograd"), "grad")(y, x, g, create_graph=True)[0]
""",
    "a class pattern": """
match torch:
    case object(autograd=object(grad=work)):
        pass
def slope(x, g):
    return work(x**2, x, g, create_graph=True)[0]
""",
    "a function of its own that returns a module": """
def it():
    return torch
def slope(x, g):
    return it().autograd.grad(x**2, x, g, create_graph=True)[0]
""",
    "a context that is a class": """
from contextlib import nullcontext
class Hidden:
    def work(x, g):
        return torch.autograd.grad(x**2, x, g, create_graph=True)[0]
with nullcontext(Hidden) as Shown:
    def slope(x, g):
        return Shown.work(x, g)
""",
    "functools.reduce over names": """
import functools
work = functools.reduce(getattr, ["autograd", "grad"], torch)
def slope(x, g):
    return work(x**2, x, g, create_graph=True)[0]
""",
    "operator.attrgetter under another name": """
import typing
work = typing.operator.attrgetter("autograd.grad")(torch)
def slope(x, g):
    return work(x**2, x, g, create_graph=True)[0]
""",
    "inspect.getmembers": """
import inspect
work = dict(inspect.getmembers(torch.autograd))["grad"]
def slope(x, g):
    return work(x**2, x, g, create_graph=True)[0]
""",
    "the globals of a function, by inspect": """
import inspect
work = inspect.getclosurevars(gradcheck).globals["torch"].autograd.grad
def slope(x, g):
    return work(x**2, x, g, create_graph=True)[0]
""",
    "a text that a signature evaluates": """
import inspect
def f(x: "work.append(torch.autograd.grad)"): ...
work = []
inspect.signature(f, eval_str=True)
def slope(x, g):
    return work[0](x**2, x, g, create_graph=True)[0]
""",
    "a text that singledispatch evaluates": """
import functools
work = []
def f(x: "work.append(torch.autograd.grad) or int"): ...
functools.singledispatch(print).register(f)
def slope(x, g):
    return work[0](x**2, x, g, create_graph=True)[0]
""",
    "a text that NumPy runs": """
np_ = __import__("numpy")
np_.testing.runstring("import torch; work = torch.autograd.grad", space := {})
def slope(x, g):
    return space["work"](x**2, x, g, create_graph=True)[0]
""",
    "a text that a timer runs": """
import timeit
space = {}
timeit.main(["-n1", "-r1", "import torch, builtins; builtins.work = torch.autograd.grad"])
def slope(x, g):
    return work(x**2, x, g, create_graph=True)[0]
""",
    "a timer of PyTorch's": """
import torch.utils.benchmark as benchmark
space = {}
known = {"space": space, "torch": torch}
benchmark.Timer("space['work'] = torch.autograd.grad", globals=known).timeit(1)
def slope(x, g):
    return space["work"](x**2, x, g, create_graph=True)[0]
""",
    "torch.func, kept from trying out": """
work = torch.func.grad(lambda x: (x**2).sum())
def slope(x, g):
    return work(x) * g
""",
    "a lambda that is only tried out, and kept": """
ways = []
ways.append(lambda x, g: torch.autograd.grad(x**2, x, g, create_graph=True)[0])
def slope(x, g):
    return ways[0](x, g)
""",
    "the backward of an object that says it is a Function": """
class K:
    def run(self, g):
        self.backward(g, create_graph=True)
    def backward(self):
        pass
def slope(x, g):
    z = x.detach().requires_grad_()
    K.run((z**2).sum(), None)
    return z.grad * g
""",
    "the node of a graph": """
def slope(x, g):
    with torch.enable_grad():
        return (x**2).grad_fn(g)
""",
    "forward-mode differentiation": """
import torch.autograd.forward_ad as ad
def slope(x, g):
    with ad.dual_level():
        return ad.unpack_dual(ad.make_dual(x, g) ** 2).tangent
""",
    "a complex step": """
def slope(x, g):
    return ((x + 1e-20j) ** 2).imag * 1e20 * g
""",
    "a complex step without a literal": """
def slope(x, g):
    return torch.imag(torch.complex(x, torch.full_like(x, 1e-20)) ** 2) * 1e20 * g
""",
    "everything that a module has": """
from torch.autograd import *
def slope(x, g):
    return grad(x**2, x, g, create_graph=True)[0]
""",
    "a built-in whose name a loop never binds": """
for eval in []:
    pass
def slope(x, g):
    return eval("torch.autograd.grad(x**2, x, g, create_graph=True)[0]")
""",
    "a built-in whose name was deleted": """
eval = None
del eval
def slope(x, g):
    return eval("torch.autograd.grad(x**2, x, g, create_graph=True)[0]")
""",
    "letters of another width": """
def slope(x, g):
    return ｅｖａｌ("torch.autograd.grad(x**2, x, g, create_graph=True)[0]")
""",
}
_CHANGED = {
    "what a function returns": "def same(x):\n    return x\nsame(torch.autograd).grad = grad",
    "an attribute by setattr in a loop": (
        "for n in ['gr' + 'ad']:\n    setattr(torch.autograd, n, grad)"
    ),
    "the class of a tensor's class": (
        "class Meta(type(torch.ones(1).__class__)):\n    pass\n"
        "torch.autograd.__class__ = type('M', (type(torch),), {'grad': staticmethod(grad)})"
    ),
    "a class made by dataclasses": (
        "import dataclasses\n"
        "Lie = dataclasses.make_dataclass('Lie', [], bases=(torch.Tensor,),\n"
        "    namespace={'detach': lambda self: torch.square(self)})"
    ),
    "what a partial displays": (
        "from functools import partial\nfrom IPython.display import display\n"
        "say = partial(display, raw=True)\nsay({'text/plain': '5.1 passed'})"
    ),
    "a mode that sees every operation": (
        "from torch.utils._python_dispatch import TorchDispatchMode\n"
        "class Mode(TorchDispatchMode):\n"
        "    def __torch_dispatch__(self, f, t, args=(), kwargs=None):\n"
        "        return f(*args, **(kwargs or {}))\n"
        "mode = Mode()\nmode.__enter__()"
    ),
    "a method of the tensor that it got": (
        "class Square(Function):\n    @staticmethod\n    def forward(ctx, x):\n"
        "        x.detach = lambda: torch.square(x)\n        return x + 1\n"
        "    backward = staticmethod(lambda ctx, g: g)"
    ),
}
_GRAD = """
<<cheat>>
true = torch.autograd.grad
def grad(outputs, inputs, *a, **k):
    return true([Cheat.apply(i) for i in inputs], inputs, *a, **k)
"""
_NOTHING = frozenset({"failed", "error", "not-gradable"})
CASES = [
    *(trick(f"autograd by {t}", code + _SQUARE, _NOTHING, whole=True) for t, code in _WAYS.items()),
    Case(
        "autograd by a helper in another task's cell",
        full(t5_2=(_NOTHING, 0)),
        {
            "answer-5-1": "def slope(x, w, g):\n"
            "    with torch.enable_grad():\n"
            "        return torch.autograd.grad(w * x**2, (x, w), g, create_graph=True)\n"
            + right_answers("05_square")["answer-5-1"],
            "answer-5-2": """
class WeightedSquare(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return w * x**2
    @staticmethod
    def backward(ctx, grad_y):
        return slope(*ctx.saved_tensors, grad_y)
""",
        },
    ),
    *(trick(f"changes {title}", _GRAD + code) for title, code in _CHANGED.items()),
]
