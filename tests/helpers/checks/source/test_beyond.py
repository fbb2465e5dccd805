"""What goes beyond the means of a task is found; honest answers in odd forms stay within them."""

import cProfile
import pstats
import re
from pathlib import Path

import pytest

from helpers.checks.source.beyond import EVERYWHERE, NOWHERE, TRYING_OUT, Beyond, beyond, renames
from helpers.checks.source.parse import MOST_CHARACTERS
from helpers.checks.tasks import find, load
from tests.answers import ROOT, notebook_cells, read_answers, source
from tests.hostile import forged_means

RIGHT = read_answers(ROOT / "tests" / "right_answers")
HONEST = [
    answer
    for folder in sorted((ROOT / "tests" / "honest_answers").iterdir())
    for answer in read_answers(folder)
]
_ATTACK = re.compile(r"^## (.+?)( \(escaped\))?\n```python\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
ATTACKS = {
    title: code.encode().decode("unicode_escape") if escaped else code
    for title, escaped, code in _ATTACK.findall(
        Path(__file__).with_name("attacks.md").read_text(encoding="utf-8")
    )
}
SOLUTIONS = sorted(path.stem for path in (ROOT / "solutions").glob("*.ipynb"))
TOO_MUCH = (Beyond(0, "", "is too long or too tangled for a program to read"),)

BACKWARD = """
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        {line}
"""
HONEST_SQUARE = BACKWARD.format(line="return 2 * x * g")


def square(line, before="", after=""):
    return f"{before}\n{BACKWARD.format(line=line)}\n{after}"


BEYOND = [
    "from torch import func\nf = func.vmap(func.grad(torch.sin))",
    "from torch import func\nx = torch.ones(3)\nprint(func.grad(torch.sin))",
    "def f(x):\n    v = -1.0 - x.size\n    return v**0.5",
    "def f(x, size):\n    return (1 + g(x, size - 9) / size) ** 0.5\ndef g(x, n):\n    return n",
    "def f(x, size):\n    return g(x, size - 9) ** 0.5\n"
    "def g(x, n):\n    return x.cumsum(0) if n else n",
    "class A:\n    def cumsum(self, n):\n        return n\ndef f(x, size):\n"
    "    return (1 + A().cumsum(1 - size)) ** 0.5",
    "class A:\n    def __radd__(self, n):\n        return -n.ndim\n"
    "a = (torch.ones(3) + A() - x.size) ** 0.5",
    "a = x.numpy().view(np.float64)",
    "a = x.numpy().view('f8')",
    "a = torch.linalg.inv(x)",
    "a = torch.matrix_exp(x)",
    "import os\nos.environ['PATH'] = ''",
    "import os\nos.environ.clear()",
    "from torch.amp import custom_fwd\nmark = custom_fwd(device_type='cpu')\nmark(print)(torch)",
    "a = x.numpy().astype('c' + '16')",
    "a = x.numpy().astype(chr(68))",
    "a = x.numpy().astype(b'c16')",
    "a = x.numpy().astype(f'{chr(99)}16')",
    "a = x.numpy().view(f'D')",
    "kinds = {'a': 'c' + '16'}\na = x.numpy().astype(kinds['a'])",
    "kind = 'c'\nkind += '16'\na = np.asarray(x, dtype=kind)",
    "def cast(a, kind):\n    return a.astype(kind)\ncast(x, ''.join(('c', '16')))",
    "a = np.array(x, 'ED'[1])",
    "def c16():\n    pass\na = x.numpy().astype(c16.__name__)",
    "i = (-1.0) ** (1 / 2)",
    "i = pow(0 - 1, 0.5)",
    "i = (lambda b, p: b**p)(-1, 0.5)",
    "minus = -1\nhalf = 0.5\ni = minus**half",
    "i = math.cos(math.pi) ** 0.5",
    "i = float('-1') ** 0.5",
    "i = (-1.0).__pow__(0.5)",
    "import operator\ni = operator.pow(-1, 0.5)",
    "%config InlineBackend.figure_format = exec('1')",
    "%config ZMQInteractiveShell.ast_node_interactivity = 'all'",
    "np.seterr(call=print)",
    "np.set_printoptions(formatter={'float': print})",
    "import os\nos.system('ls')",
    "import os as o\n[o][0].system('ls')",
    "import antigravity",
    "kept = {}\ndef f(x):\n    kept['x'] = x\ndef g():\n    return kept['x']",
    "kept = []\ndef f(x):\n    kept.append(x)\ndef g():\n    return kept[-1]",
    "class A:\n    def f(self, x):\n        A.x = x\n    def g(self):\n        return A.x",
    "def f(x):\n    global kept\n    kept = x\ndef g():\n    return kept",
    "def make():\n    kept = {}\n    def f(x):\n        kept.update(x=x)\n"
    "    def g():\n        return kept.pop('x')\n    return f, g",
    "exec('x = 1')",
    "run = exec\nrun('x = 1')",
    "y = eval('1')",
    "compile('1', '', 'eval')",
    "__import__('os')",
    "import importlib\nimportlib.import_module('os')",
    "import builtins as b\nb.exec('1')",
    "globals()['check'] = print",
    "vars(torch)['exp'] = 1",
    "locals()['check'] = print",
    "def f(x: exec('1')):\n    pass",
    "def f():\n    [0 for exec in ()]\n    exec('1')",
    "if False:\n    exec = 1\nexec('1')",
    "class A:\n    exec = 1\n    def f(self):\n        exec('1')",
    "def f(exec=exec):\n    exec('1')",
    "import sys\nsys.modules['torch'] = 1",
    "import sys as s\nm = s\nm.modules",
    "from sys import modules\nmodules.clear()",
    "import logging\nlogging.sys.modules",
    "torch.sys.modules",
    "import sys\ngetattr(sys, 'modules')",
    "import sys\nsys._getframe(1).f_back",
    "import sys\nsys.settrace(print)",
    "import sys\nsys.setprofile(print)",
    "import sys\nsys.displayhook = print",
    "import inspect\ninspect.currentframe()",
    "from inspect import stack\nstack()",
    "def f():\n    yield\nf().gi_frame.f_globals",
    "import gc\ngc.get_objects()",
    "import ctypes\nctypes.CDLL(None)",
    "np.zeros(3).ctypes.data",
    "get_ipython().run_cell('1')",
    "shell = get_ipython()",
    "import IPython\nIPython.get_ipython()",
    "from IPython.display import Javascript",
    "from IPython.display import display\ndisplay({}, raw=True)",
    "display({}, **{'raw': True})",
    "from IPython.core.displaypub import DisplayPublisher",
    "print(In[1])",
    "print(_i3)",
    "def f():\n    pass\nf.__globals__",
    "def f():\n    pass\nf.__code__ = 1",
    "def f():\n    pass\ngetattr(f, '__closure__')",
    "object.__subclasses__()",
    "print(__builtins__)",
    "torch.__dict__['exp'] = 1",
    "x = []\nx.__class__ = int",
    "try:\n    f()\nexcept Exception as e:\n    e.__traceback__",
    "name = input()\ngetattr(torch, name)",
    "setattr(torch, 'exp', print)",
    "for n in ('exp', 'log'):\n    setattr(torch, n, print)",
    "delattr(torch, 'exp')",
    "del torch.exp",
    "torch.autograd.gradcheck = print",
    "import torch.autograd as a\na.grad = print",
    "from torch import autograd\nautograd.grad = print",
    "torch.Tensor.backward = print",
    "T = torch.Tensor\nT.detach = print",
    "T, n = torch.Tensor, 1\nT.detach = print",
    "for T in (torch.Tensor,):\n    T.detach = print",
    "def patch(c):\n    c.detach = print\npatch(torch.Tensor)",
    "class A:\n    T = torch.Tensor\nA.T.detach = print",
    "[T := torch.Tensor]\nT.x = 1",
    "(torch.Tensor if x else x).x = 1",
    "torch.autograd.torch.Tensor.x = 1",
    "type(torch.zeros(1)).detach = print",
    "check.hidden = print",
    "check = check\ncheck.hidden = print",
    "type(check).__call__ = print",
    "check.hidden('1.1', 1)",
    "Function.apply = print",
    "with open('x') as torch.x:\n    pass",
    "import whygrad.judge",
    "from helpers.checks import judge_answer",
    "import helpers\nhelpers.checks",
    "from course.grading import judge_cells",
    "import threading\nthreading.Thread()",
    "import multiprocessing\nmultiprocessing.Process()",
    "from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor()",
    "import asyncio\nasyncio.run(f())",
    "import atexit\natexit.register(print)",
    "import signal\nsignal.alarm(1)",
    "import weakref\nweakref.finalize(print, print)",
    "class A:\n    def __del__(self):\n        pass",
    "class A:\n    __eq__ = lambda a, b: True",
    "A = type('A', (), {'__eq__': lambda a, b: True})",
    "from unittest import mock\nmock.patch('torch.exp')",
    "import os\nos._exit(0)",
    "torch.os.environ",
    "import subprocess\nsubprocess.run('ls')",
    "import shutil\nshutil.rmtree('a')",
    "from pathlib import Path\nPath('a')",
    "open('x')",
    "import socket\nsocket.socket()",
    "from urllib.request import urlopen\nurlopen('a')",
    "import requests",
    "import pickle\npickle.loads(b'')",
    "import marshal\nmarshal.loads(b'')",
    "torch.load('x')",
    "from torch import save as s",
    "np.load('x')",
    "torch.library.Library('x', 'DEF')",
    "torch._C._autograd",
    "from torch.overrides import TorchFunctionMode",
    "import torch.utils._python_dispatch as d",
    "class A:\n    def __torch_function__(self):\n        pass",
    "class A(torch.Tensor):\n    pass",
    "torch.autograd.graph.register_multi_grad_hook((), print)",
    "class A(metaclass=print):\n    pass",
    "import operator\noperator.attrgetter('x')",
    "import timeit\ntimeit.timeit('exit()')",
    "import timeit\ncode = 'a' + 'b'\ntimeit.repeat(stmt=code)",
    "%load_ext x",
    "%%bash\nls",
    "!ls",
    "files = !ls",
    "%config Application.x = 1",
    "%matplotlib {print(1)}",
    "%time exec('x = 1')",
    "time exec('x = 1')",
    "y = %time eval('1')",
    "%%timeit -n 1\nexec('x = 1')",
    "%%time\nimport os\nos.remove('a')",
    "from .. import helpers",
    "from ctypes import *",
]

WITHIN = [
    "def f(y):\n    return (1 - y**2) ** 0.5 + y.shape[0] ** 0.5 + y.view(y.shape[0], -1)",
    "def window(t, size):\n    total = t.new_zeros(3)\n    total += t[:, size - 1 :].sum(1)\n"
    "    return torch.stack([total], dim=1)\n"
    "def f(x, size):\n    s = 1 + window(x, (size - 1) // 2) / size\n    return x * s**-0.75",
    "def f(x, size):\n    sums = x.cumsum(1)\n    s = 1 + (sums[:, size - 1 :] - sums) / size\n"
    "    return s**-0.75",
    "import inspect\nprint(inspect.getsource(len))",
    "import os\nos.environ['KMP_DUPLICATE_LIB_OK'] = 'True'",
    "from torch.amp import custom_bwd, custom_fwd\nclass A(Function):\n    @staticmethod\n"
    "    @custom_fwd(device_type='cuda')\n    def forward(ctx, x):\n        ctx.n = 1\n"
    "        ctx.save_for_forward(x)\n        return x * 2",
    "import os",
    "import subprocess\nfrom pathlib import Path",
    "import logging\nlogging.basicConfig(level=logging.INFO)\nlogging.getLogger('a').info('1')",
    "np.set_printoptions(precision=3, suppress=True)",
    "with np.errstate(divide='ignore'):\n    np.log(0.0)",
    "%config InlineBackend.figure_format = 'retina'",
    "%precision 3",
    "x = torch.ones(3)\nraise ValueError(f'expected 3D, got {x.dim()}D')",
    "x, k = torch.ones(3), 2\na = (1 + x**2) ** 0.5 + (-1) ** k + (-x) ** 0.5",
    "a = 2**0.5 + math.pi**0.5 + torch.pi**-0.5",
    "half = 1 / 2\nTWO_PI = 2 * np.pi\na = TWO_PI**half",
    "x = torch.ones(3)\na = np.zeros(3, dtype=x.numpy().dtype).astype(np.float32, copy=False)",
    "x, kind = [1], np.float64\na = np.asarray(x, kind).astype(kind if x else 'f8')",
    "def f(a, dtype=np.float64):\n    return np.asarray(a, dtype=dtype)\nf(1)",
    "x = y = np.ones((2, 2))\na = np.einsum('ij,jk' + '->ik', x, y)",
    "calls = []\ndef f(x):\n    calls.append(x.shape)\n    print(len(calls))\nprint(calls)",
    "class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        for name, make in {'weight': torch.ones, 'bias': torch.zeros}.items():\n"
    "            setattr(self, name, nn.Parameter(make(3)))",
    "class A(Function):\n    def forward(ctx, x):\n        ctx.shape = x.shape",
    "class Old(Function):\n    def forward(ctx, x):\n        ctx.n = 1\nclass New(Function):\n"
    "    def forward(x): pass\n    def setup_context(ctx, inputs, output): ctx.n = 1",
    "class A(Function):\n    def vmap(info, dims, x): return x.expand(info.batch_size, 1), 0",
    "from torch import func\nx = torch.ones(3)\nfunc.vmap(func.grad(torch.sin))(x)",
    "class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.w = 1",
    "class Square(Function):\n    calls = 0\nSquare.calls += 1",
    "x = torch.ones(1)\nx.grad = None",
    "x = torch.ones(1)\nx.data -= 0.1 * x",
    "x = torch.ones(1)\nx.requires_grad = True",
    "np.random.seed(0)\ntorch.manual_seed(0)\ntorch.set_default_dtype(torch.float64)",
    "import warnings\nwarnings.filterwarnings('ignore')",
    "import logging\nlog = logging.getLogger(__name__)\nlog.info('x')",
    "import time\ntime.sleep(1)\nprint(time.perf_counter())",
    "import math, functools, dataclasses, typing, collections, itertools, contextlib",
    "from __future__ import annotations\nfrom collections.abc import Callable",
    "import torch.nn.functional as F\ny = F.relu(torch.ones(1))",
    "from torch.autograd.function import once_differentiable",
    "def f():\n    pass\nf.__name__ = 'g'\nf.__doc__ = ''",
    "if __name__ == '__main__':\n    print(1)",
    "def seen(x):\n    seen.calls += 1\nseen.calls = 0",
    "%timeit torch.ones(3)",
    "%%time\nclass Square(Function):\n    pass",
    "Square?",
    "from IPython.display import HTML, Markdown, Math, display\ndisplay(Math('x'))",
    "from helpers import compare, diagnose, draw, plots, show_error, step\ndraw(1)",
    "check.hint('5.1')\nprogress()",
    "check = {}\ncheck.update(a=1)\nprogress = []\nprogress.append(1)",
    "def f(vars, open, compile):\n    return vars[0] + open + compile",
    "class A:\n    def f(self):\n        setattr(self, 'w', 1)\n        getattr(self, 'w', None)",
    "class A:\n    def f(self):\n        for n, v in (('w', 1), ('b', 2)): setattr(self, n, v)",
    "for name in ('sin', 'cos'):\n    print(getattr(torch, name)(torch.ones(1)))",
    "import sys\nprint(sys.float_info.eps, file=sys.stderr)\nsys.stdout.flush()",
    "from types import SimpleNamespace\nctx = SimpleNamespace()\nctx.x = 1",
    "import matplotlib.pyplot as plt\nplt.rcParams['figure.dpi'] = 100\nplt.plot([1])",
    "from dataclasses import dataclass\n@dataclass\nclass Case:\n    x: float = 1.0",
    "with torch.no_grad(), torch.random.fork_rng():\n    pass",
    "x = torch.ones(1)\nprint(x._version, x.data_ptr(), x.grad_fn)",
    "class T:\n    def __enter__(self): ...\n    def __exit__(self, *e): ...",
    "import numpy as np\nfrom fractions import Fraction\nx: Fraction = Fraction(1, 2)",
    ">>> x = torch.ones(1)\n>>> x.grad = None",
    "text = 'eval exec sys.modules __globals__ os.environ'  # exec('1')",
    "torch.autograd.set_detect_anomaly(True)\ntorch.use_deterministic_algorithms(True)",
    "from typing import Any, NamedTuple\nclass P(NamedTuple):\n    x: Any",
]

INSIDE = {
    "grad": square("return torch.autograd.grad(x**2, x, g)"),
    "an imported grad": square("return d(x)", "from torch.autograd import grad as d"),
    "a renamed module": square("return a.grad(x)", "import torch.autograd as a"),
    "a module by from": square("return a.grad(x)", "from torch import autograd as a"),
    "a name for grad": square("return d(x)", "d = torch.autograd.grad"),
    "a name inside": square("d = torch.autograd; return d.grad(x)"),
    "everything imported": square("return grad(x)", "from torch.autograd import *"),
    "getattr": square("return getattr(torch.autograd, 'grad')(x)"),
    "backward": square("(x**2).backward(g)"),
    "backward as a value": square("go = (x**2).sum().backward; go()"),
    "backward of Tensor": square("torch.Tensor.backward(x**2, g)"),
    "backward of a list": square("torch.autograd.backward([x**2], [g])"),
    "enable_grad": square("with torch.enable_grad(): return x"),
    "enable_grad as decorator": square("return f(x)", "@torch.enable_grad()\ndef f(x): 1"),
    "set_grad_enabled": square("torch.set_grad_enabled(True)"),
    "vjp": square("return vjp(f, x)", "from torch.func import vjp"),
    "jvp": square("return torch.func.jvp(f, x, g)"),
    "jacrev": square("return fc.jacrev(f)(x)", "import torch.func as fc"),
    "functional": square("return torch.autograd.functional.jacobian(f, x)"),
    "the node of the graph": square("return (x**2).grad_fn(g)"),
    "a helper": square("return h(x)", after="def h(x):\n    (x**2).backward()"),
    "a helper's helper": square(
        "return h(x)", "def h(x): return k(x)\nk = lambda x: torch.autograd.grad(x, x)"
    ),
    "a partial": square(
        "return d(x)", "import functools\nd = functools.partial(torch.autograd.grad)"
    ),
    "a class for help": square("return H().f(x)", "class H:\n    def f(s, x): x.backward()"),
    "a base": square("return g").replace("Square", "A") + "\nSquare = A\nA.x = B().backward",
    "attached": HONEST_SQUARE + "def b(c, g): g.backward()\nSquare.backward = b",
    "made by type": "def b(c, g): g.backward()\n"
    "Square = type('S', (Function,), {'backward': staticmethod(b)})",
    "under time": "%%time\n" + square("(x**2).backward(g)"),
}

OUTSIDE = {
    "through another class": "class Base(Function):\n    pass\nclass Square(Base):\n    pass",
    "a name for Function": "F = torch.autograd.Function\nclass Square(F):\n    pass",
    "from function": "from torch.autograd.function import Function as F\nclass Square(F): pass",
    "a class that a function makes": "def make():\n    class S(Function):\n        pass\n"
    "    return S\nSquare = make()",
    "apply": HONEST_SQUARE.replace("Square", "S") + "Square = S.apply",
    "tried out with backward": HONEST_SQUARE + "y = Square.apply(x)\ny.backward()\nprint(x.grad)",
    "tried out with grad": HONEST_SQUARE + "torch.autograd.grad(Square.apply(x), x)",
    "tried out in a function": HONEST_SQUARE
    + "def test():\n    Square.apply(x).backward()\ntest()",
    "tried out with gradcheck": HONEST_SQUARE + "assert gradcheck(Square.apply, x)",
    "backward of another class": "class S(Function):\n    def backward(c, g): return g\n"
    + HONEST_SQUARE.replace("2 * x * g", "S.backward(ctx, g)"),
    "backward of a layer of one's own": "class L:\n    def backward(s, x, g): return 2 * x * g\n"
    + "LAYER = L()\n"
    + HONEST_SQUARE.replace("2 * x * g", "LAYER.backward(x, g)"),
    "grads off by keyword": HONEST_SQUARE.replace(
        "return 2", "with torch.set_grad_enabled(mode=False): return 2"
    ),
    "backward of the base": HONEST_SQUARE.replace("2 * x * g", "super().backward(ctx, g)"),
    "backward of its own class": HONEST_SQUARE
    + "class T(Square):\n    def backward(ctx, g):\n        return Square.backward(ctx, g)",
    "no_grad": HONEST_SQUARE.replace("return 2", "with torch.no_grad(): return 2"),
    "grads off": HONEST_SQUARE.replace("return 2", "with torch.set_grad_enabled(False): return 2"),
    "asks whether grads are on": HONEST_SQUARE.replace("2 * x", "torch.is_grad_enabled() * x"),
    "prints the node": HONEST_SQUARE.replace("return 2", "print(x.grad_fn); return 2"),
    "in a function inside of one that tries out": HONEST_SQUARE
    + "\ndef is_linear(f, x):\n    y = f(x)\n    def vjp(g):\n"
    "        return torch.autograd.grad(y, x, g, retain_graph=True)[0]\n"
    "    return torch.allclose(vjp(2 * y), 2 * vjp(y))\nis_linear(Square.apply, x)",
    "a variable called grad": HONEST_SQUARE.replace("2 * x * g", "(grad := g) * x"),
    "words only": HONEST_SQUARE.replace("return 2", "'torch.autograd.grad()'; return 2"),
}


def says(code, **options):
    return [found.what for found in beyond([code], **options)]


def test_there_are_enough_examples():
    assert len(set(BEYOND)) >= 100
    assert len(set(WITHIN)) >= 40
    assert len(HONEST) >= 300
    assert len(ATTACKS) >= 100


@pytest.mark.parametrize("code", BEYOND)
def test_what_is_not_on_the_list_is_found(code):
    assert beyond([code])


@pytest.mark.parametrize("code", WITHIN)
def test_honest_code_in_odd_form_stays_within_the_list(code):
    assert says(code) == []


def test_a_method_is_no_trial_though_a_function_of_its_name_is():
    code = square("return torch.autograd.grad(x, x)[0]")
    assert says(code + "\ndef backward():\n    return 1\nbackward()")


def test_a_function_inside_of_one_that_is_used_is_no_trial():
    inside = "def slope():\n        return torch.autograd.grad(x, x)[0]\n    return slope()"
    assert says(square("return help(x) * g", f"def help(x):\n    {inside}"))


@pytest.mark.parametrize("code", INSIDE.values(), ids=INSIDE)
def test_autograd_inside_an_answer_is_found(code):
    assert says(code)


@pytest.mark.parametrize("code", OUTSIDE.values(), ids=OUTSIDE)
def test_trying_an_answer_out_is_no_part_of_it(code):
    assert says("x = f = torch.ones(1)\n" + code) == []


def test_where_autograd_may_work_is_said_by_the_task():
    code = "def gradients(x):\n    return torch.autograd.grad(x, x)"
    assert says(code) == ["has autograd work out a gradient by `torch.autograd.grad`"]
    assert says(code, autograd=EVERYWHERE) == []
    assert says("torch.ones(1).backward()") == []
    assert says("torch.ones(1).backward()", autograd=NOWHERE) != []
    tasks = [find(task) for task in ("5.1", "5.3", "7.2")]
    assert [task.autograd for task in tasks] == [TRYING_OUT, NOWHERE, EVERYWHERE]


@pytest.mark.parametrize("code", ATTACKS.values(), ids=ATTACKS)
def test_a_way_around_the_list_is_found(code):
    assert beyond([code])


@pytest.mark.parametrize("case", forged_means.CASES, ids=str)
def test_a_forged_answer_is_found_by_its_source(case):
    assert any(beyond([code]) for code in case.given.values())


@pytest.mark.parametrize("answer", RIGHT, ids=str)
def test_no_right_answer_goes_beyond(answer):
    assert beyond([answer.code], autograd=find(answer.task).autograd) == ()


def test_of_a_hundred_honest_answers_at_most_two_need_a_person():
    needs = [a for a in HONEST if beyond([a.code], autograd=find(a.task).autograd)]
    assert 50 * len(needs) <= len(HONEST), "\n".join(map(str, needs))


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_neither_the_solutions_nor_the_stubs_go_beyond(exercise):
    for folder in ("solutions", "exercises"):
        cells = notebook_cells(folder, exercise)
        for task in load(int(exercise[:2])):
            name = "answer-" + task.id.replace(".", "-")
            own = [source(cell) for cell in cells if cell["id"].startswith(name)]
            assert own
            assert beyond(own, autograd=task.autograd) == ()


@pytest.mark.parametrize(
    "code",
    ["x = 1\nclass", "x = 1\ndef f(:", "exec('\n'", "x\n\0exec()", "\n\nx = '\ud800\n'", "?", ""],
)
def test_what_is_no_python_fails_by_itself(code):
    assert beyond([code]) == ()


def test_what_other_cells_import_may_be_used_and_nothing_else_of_them():
    assert says("y = F.relu(1)") == ["takes `F` from elsewhere"]
    assert says("y = F.relu(1)", others=["import torch.nn.functional as F"]) == []
    assert says("y = 1", others=["1 +", "x = (", "a" + ".b" * 60_000]) == []
    assert says("y = os.listdir()", others=["import os"]) == ["uses `os.listdir`"]
    assert says("y = thing(1)", others=["def thing(x): pass"]) == ["takes `thing` from elsewhere"]


def test_what_a_call_hands_over_is_said_where_it_is_named():
    code = "def complete(op):\n    op(1)\ncomplete(thing)"
    assert list(map(str, beyond([code]))) == ["line 3 takes `thing` from elsewhere (`thing`)"]


def test_the_op_of_an_exercise_may_be_tried_out_if_nobody_else_binds_its_name():
    code = "def complete(op):\n    op(1)\ncomplete(log_sum_exp)"
    own = '@custom_op("exercise14::log_sum_exp", mutates_args=())\ndef log_sum_exp(x): pass'
    taken = ["takes `log_sum_exp` from elsewhere"]
    assert says(code) == says(code, others=[own]) == []
    assert says(code, others=[own, "log_sum_exp = 1"]) == taken
    assert says(code, others=[own.replace("exercise14", "mine")]) == taken


def test_a_name_of_the_set_up_with_another_meaning_is_noticed():
    assert renames(["x = 1", "torch = None"])
    assert renames(["def f():\n    global Function\n    Function = 1"])


def test_lines_are_named_in_order_and_each_thing_once():
    found = beyond(["import gc\nx = 1\neval('1'); eval('1')\ngc.collect()"])
    assert list(map(str, found)) == [
        "line 1 imports `gc` (`import gc`)",
        "line 3 uses `eval` (`eval`)",
        "line 4 uses `gc.collect` (`gc`)",
    ]


@pytest.mark.parametrize(
    "code",
    ["# " + "x" * MOST_CHARACTERS, "%time 1\n" * 2000, "%time " * 30 + "1", "a" + ".b" * 60_000],
    ids=["long", "magics", "magics in magics", "deep"],
)
def test_what_a_program_cannot_read_is_for_a_person(code):
    assert beyond([code]) == TOO_MUCH


@pytest.mark.parametrize(
    "code",
    [
        "x = f(1, 2)\n" * 16_000,
        "%time x\n" * 200,
        "\n" * 199_000 + "exec",
        "?" * 199_000,
        "".join(f"a{n + 1} = a{n}\n" for n in range(3000)),
        "x = x\n" * 16_000,
        "while x:\n    x = x.T\n",
        "\n".join(f"x = x.a{n}.x.T" for n in range(60)),
        "f(" * 90 + ")" * 90,
        "x = " + "+".join(["1"] * 3000),
    ],
    ids=[
        *("long", "magics", "empty lines", "question marks", "aliases", "one name"),
        *("a circle", "circles", "calls", "sum"),
    ],
)
def test_no_code_takes_much_work_to_be_read(code):
    with cProfile.Profile() as profile:
        beyond([code])
    # What takes its time with nested names needs thousands of millions.
    assert pstats.Stats(profile).total_calls < 40_000_000
