"""What has no honest use in an answer is named; honest answers in odd forms are not accused."""

import cProfile
import pstats

import pytest

from course.grading.source.parse import MOST_CHARACTERS, read
from course.grading.source.tampering import tampering
from tests.answers import ROOT, notebook_cells, read_answers, source

ANSWERS = [
    *read_answers(ROOT / "tests" / "right_answers"),
    *read_answers(ROOT / "tests" / "wrong_answers"),
]
SOLUTIONS = sorted(path.stem for path in (ROOT / "solutions").glob("*.ipynb"))
TOO_MUCH = "code that is too long or too deep to be read"

TAMPERING = [
    ("exec('x = 1')", "exec"),
    ("run = exec\nrun('x = 1')", "exec"),
    ("y = eval('1')", "eval"),
    ("compile('1', '', 'eval')", "compile"),
    ("__import__('os')", "__import__"),
    ("import importlib\nimportlib.import_module('os')", "the module importlib"),
    ("import builtins as b", "the module builtins"),
    ("globals()['check'] = print", "globals"),
    ("vars(torch)['exp'] = 1", "vars"),
    ("locals()['check'] = print", "locals() of the notebook"),
    ("def f(x: exec('1')):\n    pass", "exec"),
    ("def f():\n    [0 for exec in ()]\n    exec('1')", "exec"),
    ("if False:\n    exec = 1\nexec('1')", "exec"),
    ("class A:\n    exec = 1\n    def f(self):\n        exec('1')", "exec"),
    ("def f(exec=exec):\n    exec('1')", "exec"),
    ("import sys\nsys.modules['torch'] = 1", "sys.modules"),
    ("import sys as s\nm = s\nm.modules", "sys.modules"),
    ("from sys import modules", "sys.modules"),
    ("import logging\nlogging.sys.modules", "sys.modules"),
    ("torch.sys.modules", "sys.modules"),
    ("import sys\ngetattr(sys, 'modules')", "sys.modules"),
    ("import sys\nsys._getframe(1).f_back", "sys._getframe"),
    ("import sys\nsys.settrace(print)", "sys.settrace"),
    ("import sys\nsys.setprofile(print)", "sys.setprofile"),
    ("import sys\nsys.displayhook = print", "another sys.displayhook"),
    ("import inspect\ninspect.currentframe()", "inspect.currentframe"),
    ("from inspect import stack", "inspect.stack"),
    ("def f():\n    yield\nf().gi_frame.f_globals", "the attribute gi_frame"),
    ("import gc\ngc.get_objects()", "the module gc"),
    ("import ctypes", "the module ctypes"),
    ("np.zeros(3).ctypes.data", "the attribute ctypes"),
    ("get_ipython().run_cell('1')", "get_ipython of the notebook"),
    ("shell = get_ipython()", "get_ipython of the notebook"),
    ("import IPython\nIPython.get_ipython()", "IPython.get_ipython"),
    ("from IPython.display import Javascript", "IPython.display.Javascript"),
    ("from IPython.display import display\ndisplay({}, raw=True)", "display with raw=True"),
    ("display({}, **{'raw': True})", "display with raw=True"),
    ("from IPython.core.displaypub import DisplayPublisher", "IPython.core.displaypub"),
    ("print(In[1])", "In of the notebook"),
    ("print(_i3)", "_i3 of the notebook"),
    ("def f():\n    pass\nf.__globals__", "the attribute __globals__"),
    ("def f():\n    pass\nf.__code__ = 1", "another __code__"),
    ("def f():\n    pass\ngetattr(f, '__closure__')", "the attribute __closure__"),
    ("object.__subclasses__()", "the attribute __subclasses__"),
    ("print(__builtins__)", "__builtins__"),
    ("torch.__dict__['exp'] = 1", "the attribute __dict__"),
    ("x = []\nx.__class__ = int", "another __class__"),
    ("try:\n    f()\nexcept Exception as e:\n    e.__traceback__", "the attribute __traceback__"),
    ("name = input()\ngetattr(torch, name)", "getattr with a name that is not written out"),
    ("setattr(torch, 'exp', print)", "another torch.exp"),
    ("for n in ('exp', 'log'):\n    setattr(torch, n, print)", "another torch.log"),
    ("delattr(torch, 'exp')", "another torch.exp"),
    ("del torch.exp", "another torch.exp"),
    ("g = getattr\ng(torch, 'exp')", "getattr under another name"),
    ("torch.autograd.gradcheck = print", "another torch.autograd.gradcheck"),
    ("import torch.autograd as a\na.grad = print", "another torch.autograd.grad"),
    ("from torch import autograd\nautograd.grad = print", "another torch.autograd.grad"),
    ("torch.Tensor.backward = print", "another torch.Tensor.backward"),
    ("T = torch.Tensor\nT.detach = print", "another torch.Tensor.detach"),
    ("T, n = torch.Tensor, 1\nT.detach = print", "another torch.Tensor.detach"),
    ("for T in (torch.Tensor,):\n    T.detach = print", "another torch.Tensor.detach"),
    ("def patch(c):\n    c.detach = print\npatch(torch.Tensor)", "another torch.Tensor.detach"),
    ("class A:\n    T = torch.Tensor\nA.T.detach = print", "another torch.Tensor.detach"),
    ("[T := torch.Tensor]\nT.x = 1", "another torch.Tensor.x"),
    ("(torch.Tensor if x else x).x = 1", "another torch.Tensor.x"),
    ("torch.autograd.torch.Tensor.x = 1", "another torch.Tensor.x"),
    ("type(torch.zeros(1)).detach = print", "another type().detach"),
    ("check.hidden = print", "another helpers.check.hidden"),
    ("check = check\ncheck.hidden = print", "another helpers.check.hidden"),
    ("type(check).__call__ = print", "another __call__"),
    ("check.hidden('1.1', 1)", "helpers.check.hidden"),
    ("Function.apply = print", "another torch.autograd.Function.apply"),
    ("with open('x') as torch.x:\n    pass", "another torch.x"),
    ("import whygrad.judge", "the module whygrad"),
    ("from helpers.checks import judge_answer", "helpers.checks.judge_answer"),
    ("import helpers\nhelpers.checks", "helpers.checks"),
    ("from course.grading import judge_cells", "the module course"),
    ("import threading", "the module threading"),
    ("import multiprocessing", "the module multiprocessing"),
    ("from concurrent.futures import ThreadPoolExecutor", "the module concurrent"),
    ("import asyncio", "the module asyncio"),
    ("import atexit", "the module atexit"),
    ("import signal", "the module signal"),
    ("import weakref\nweakref.finalize(print, print)", "weakref.finalize"),
    ("class A:\n    def __del__(self):\n        pass", "the method __del__"),
    ("class A:\n    __eq__ = lambda a, b: True", "the method __eq__"),
    ("A = type('A', (), {'__eq__': lambda a, b: True})", "the method __eq__"),
    ("from unittest import mock", "unittest.mock"),
    ("import os\nos._exit(0)", "the module os"),
    ("torch.os.environ", "the module os"),
    ("import subprocess", "the module subprocess"),
    ("import shutil", "the module shutil"),
    ("from pathlib import Path", "the module pathlib"),
    ("open('x')", "open"),
    ("import socket", "the module socket"),
    ("from urllib.request import urlopen", "the module urllib"),
    ("import requests", "the module requests"),
    ("import pickle", "the module pickle"),
    ("import marshal", "the module marshal"),
    ("torch.load('x')", "torch.load"),
    ("from torch import save as s", "torch.save"),
    ("np.load('x')", "numpy.load"),
    ("torch.library.Library('x', 'DEF')", "torch.library"),
    ("torch._C._autograd", "torch._C"),
    ("from torch.overrides import TorchFunctionMode", "torch.overrides"),
    ("import torch.utils._python_dispatch as d", "torch.utils._python_dispatch"),
    ("class A:\n    def __torch_function__(self):\n        pass", "the method __torch_function__"),
    ("class A(torch.Tensor):\n    pass", "a subclass of torch.Tensor"),
    ("torch.autograd.graph.register_multi_grad_hook((), print)", "torch.autograd.graph"),
    ("class A(metaclass=print):\n    pass", "a metaclass"),
    ("import operator\noperator.attrgetter('x')", "operator.attrgetter"),
    ("import timeit\ntimeit.timeit('exit()')", "timeit with code in a text"),
    ("import timeit\ncode = 'a' + 'b'\ntimeit.repeat(stmt=code)", "timeit with code in a text"),
    ("%load_ext x", "the magic %load_ext"),
    ("%%bash\nls", "the magic %%bash"),
    ("!ls", "a shell command"),
    ("files = !ls", "a shell command"),
    ("%config Application.x = 1", "the magic %config"),
    ("%matplotlib {print(1)}", "the magic %matplotlib"),
    ("%time exec('x = 1')", "exec"),
    ("time exec('x = 1')", "exec"),
    ("y = %time eval('1')", "eval"),
    ("%%timeit -n 1\nexec('x = 1')", "exec"),
    ("%%time\nimport os", "the module os"),
    ("from .. import helpers", "an import from here"),
    ("from ctypes import *", "the module ctypes"),
    ("# " + "x" * MOST_CHARACTERS, TOO_MUCH),
    ("%time 1\n" * 2000, TOO_MUCH),
    ("%time " * 30 + "1", TOO_MUCH),
    ("a" + ".b" * 60_000, TOO_MUCH),
]

HONEST = [
    "class A(Function):\n    def forward(ctx, x):\n        ctx.shape = x.shape",
    "class A(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.w = 1",
    "class Square(Function):\n    calls = 0\nSquare.calls += 1",
    "class A:\n    def f(self):\n        type(self).n += 1\n        self.__class__.n += 1",
    "class A:\n    def __init__(self):\n        super(self.__class__, self).__init__()",
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
    "print(Square.__name__, type(x).__name__, x.__class__.__name__, torch.__version__)",
    "def f():\n    pass\nf.__name__ = 'g'\nf.__doc__ = ''",
    "if __name__ == '__main__':\n    print(1)",
    "x = torch.ones(1, requires_grad=True)\nx.register_hook(print)",
    "def seen(x):\n    seen.calls += 1\nseen.calls = 0",
    "%matplotlib inline\n%config InlineBackend.figure_format = 'svg'\n%time x = 1",
    "%timeit torch.ones(3)",
    "%%time\nclass Square(Function):\n    pass",
    "Square?",
    "from IPython.display import HTML, Markdown, Math, display\ndisplay(Math('x'))",
    "display(torch.ones(1), raw=False)",
    "from helpers import compare, diagnose, draw, plots, show_error, step\ndraw(diagnose)",
    "from helpers import *\nprint(Square)",
    "check.hint('5.1')\nprogress()",
    "check = torch.allclose\ncheck(x, x)",
    "check = {}\ncheck.update(a=1)\nprogress = []\nprogress.append(1)",
    "def f(vars, open, compile):\n    return vars[0] + open + compile",
    "vars = [1, 2]\nfor v in vars:\n    print(v)",
    "import re\nre.compile('x')\nmodel = nn.Linear(1, 1)\nmodel.eval()",
    "class A:\n    def f(self):\n        setattr(self, 'w', 1)\n        getattr(self, 'w', None)",
    "class A:\n    def f(self):\n        for n, v in (('w', 1), ('b', 2)): setattr(self, n, v)",
    "for name in ('sin', 'cos'):\n    print(getattr(torch, name)(torch.ones(1)))",
    "import sys\nprint(sys.float_info.eps, file=sys.stderr)\nsys.stdout.flush()",
    "import inspect\nprint(inspect.getsource(Square))",
    "import traceback\ntry:\n    f()\nexcept ValueError:\n    traceback.print_exc()",
    "from types import SimpleNamespace\nctx = SimpleNamespace()\nctx.x = 1",
    "torch.backends.cudnn.deterministic = True",
    "import matplotlib.pyplot as plt\nplt.rcParams['figure.dpi'] = 100\nplt.plot([1])",
    "def f(torch):\n    torch.x = 1",
    "from dataclasses import dataclass\n@dataclass\nclass Case:\n    x: float = 1.0",
    "import timeit\nprint(timeit.timeit(lambda: torch.ones(3), number=3))",
    "def f(): ...\nimport timeit\nstart = timeit.default_timer()\ntimeit.timeit(f, number=2)",
    "with torch.no_grad(), torch.random.fork_rng():\n    pass",
    "from scipy import signal\nsignal.windows\ntorch.signal.windows",
    "def f():\n    print(locals())",
    "x = torch.ones(1)\nprint(x._version, x.data_ptr(), x.grad_fn)",
    "class T:\n    def __enter__(self): ...\n    def __exit__(self, *e): ...",
    "node = torch.ones(1, requires_grad=True).exp().grad_fn\nprint(node.next_functions)",
    "Square = type('Square', (Function,), {'forward': staticmethod(print)})",
    "import numpy as np\nfrom fractions import Fraction\nx: Fraction = Fraction(1, 2)",
    ">>> x = torch.ones(1)\n>>> x.grad = None",
    "text = 'eval exec sys.modules __globals__ os.environ'  # exec('1')",
    "assert gradcheck(Square.apply, x) and gradgradcheck(Square.apply, x)",
    "torch.autograd.set_detect_anomaly(True)\ntorch.use_deterministic_algorithms(True)",
    "import unittest\nclass Test(unittest.TestCase):\n    pass",
    "Out = torch.ones(1)\nOut.grad = None",
    "from typing import Any, NamedTuple\nclass P(NamedTuple):\n    x: Any",
]

NO_PYTHON = [
    "class",
    "def f(:",
    "exec('",
    "\0exec()",
    "x = '\ud800",
    "(" * 5000,
    "1 +",
    "?",
    "",
]


def test_there_are_enough_examples():
    assert len(dict(TAMPERING)) >= 60
    assert len(set(HONEST)) >= 30


@pytest.mark.parametrize(("code", "phrase"), TAMPERING, ids=[code[:50] for code, _ in TAMPERING])
def test_what_has_no_honest_use_is_named(code, phrase):
    found = tampering(code)
    assert any(each.startswith(phrase) for each in found), found


@pytest.mark.parametrize("code", HONEST)
def test_honest_code_in_odd_form_is_not_accused(code):
    assert read(code) is not None
    assert tampering(code) == ()


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_no_answer_of_the_course_is_accused(answer):
    assert tampering(answer.code) == ()


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_neither_the_solutions_nor_the_stubs_are_accused(exercise):
    for folder in ("solutions", "exercises"):
        cells = [c for c in notebook_cells(folder, exercise) if c["id"].startswith("answer-")]
        assert cells
        assert [tampering(source(cell)) for cell in cells] == [()] * len(cells)


@pytest.mark.parametrize("code", NO_PYTHON)
def test_what_is_no_python_fails_by_itself(code):
    assert tampering(code) in ((), (TOO_MUCH,))


def test_a_name_from_a_cell_above_is_followed():
    above = ["T = torch.Tensor", "def"]
    assert tampering("T.detach = print") == ()
    assert tampering("T.detach = print", above) == ("another torch.Tensor.detach",)
    assert tampering("x = 1", ["import os"]) == ()


def test_each_thing_is_named_once_in_the_order_of_the_lines():
    code = "import os\nexec('1')\nos.getcwd()\neval('1')\nexec('2')"
    assert tampering(code) == ("the module os", "exec", "eval")


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
        "long",
        "magics",
        "empty lines",
        "question marks",
        "aliases",
        "one name",
        "a circle",
        "circles",
        "calls",
        "sum",
    ],
)
def test_no_code_takes_much_work_to_be_read(code):
    with cProfile.Profile() as profile:
        tampering(code)
    # 12 million for the worst; what takes its time with nested names needs thousands of millions.
    assert pstats.Stats(profile).total_calls < 30_000_000
