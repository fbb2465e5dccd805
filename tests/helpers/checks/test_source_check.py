"""What looks like tampering is found in a source, by kind; honest code in odd forms is not."""

import cProfile
import pstats

import pytest

from helpers.checks.cell_code import MOST_CHARACTERS
from helpers.checks.source_check import Flag, flags, listed
from helpers.checks.tasks import load
from tests.answers import ROOT, notebook_cells, read_answers, source
from tests.hostile import forged_hooks

FOLDERS = [ROOT / "tests" / "right_answers", ROOT / "tests" / "honest_answers"]
HONEST = [answer for folder in FOLDERS for answer in read_answers(folder)]
SOLUTIONS = sorted(path.stem for path in (ROOT / "solutions").glob("*.ipynb"))
TANGLED = (Flag(0, "is too long or too tangled for a program to read"),)

FLAGGED = {
    "code in texts": [
        "exec('x = 1')",
        "run = exec\nrun('x = 1')",
        "y = eval('1')",
        "compile('1', '', 'eval')",
        "def f(x: exec('1')):\n    pass",
        "if False:\n    exec = 1\nexec('1')",
        "class A:\n    exec = 1\n    def f(self):\n        exec('1')",
        "def f(exec=exec):\n    exec('1')",
        "import timeit\ntimeit.timeit('exit()')",
        "import timeit\ntimeit.timeit(lambda: 0, code)",
        "@torch.library.custom_op('a::b', mutates_args=())\ndef f(x: order) -> int:\n    pass",
        "import timeit\ncode = 'a' + 'b'\ntimeit.repeat(stmt=code)",
        "import torch.utils.benchmark as b\nb.Timer('x').timeit()",
        "import sympy\nsympy.lambdify((), 'x')",
        "import pickle\npickle.loads(b'')",
        "import pandas\npandas.read_pickle('a')",
        "import marshal\nmarshal.loads(b'')",
        "torch.load('x')",
        "np.load('x')",
        "np.testing.measure(code)",
        "import logging.config\nlogging.config.dictConfig({})",
        "import inspect\ninspect.signature(f, eval_str=True)",
        "text = '__globals__'",
        "print('{0.__globals__}'.format(print))",
    ],
    "modules that lead out": [
        "import antigravity",
        "import os\nos.system('ls')",
        "import os as o\n[o][0].system('ls')",
        "from ctypes import *",
        "from .. import helpers",
        "__import__('os')",
        "import importlib\nimportlib.import_module('os')",
        "import builtins as b\nb.exec('1')",
        "import sys\nsys.modules['torch'] = 1",
        "import sys as s\nm = s\nm.modules",
        "from sys import modules\nmodules.clear()",
        "import logging\nlogging.sys.modules",
        "torch.sys.modules",
        "import sys\ngetattr(sys, 'modules')",
        "getattr(*(torch, 'sys'))",
        "import random\nrandom._os.system('ls')",
        "engine = torch.autograd",
        "dict(torch.inspect.getmembers(own))",
        "import unittest\nunittest.TestLoader().loadTestsFromName('a.b')",
        "import unittest.async_case as c\nc.inspect",
        "from unittest import mock\nmock.patch('torch.exp')",
        "from tqdm.contrib.concurrent import thread_map",
        "torch.library.Library('x', 'DEF')",
        "torch.ops.aten.mul",
        "torch._C._autograd",
        "import whygrad.judge",
        "from helpers.checks import judge_answer",
        "import helpers\nhelpers.checks",
        "from course.grading import judge_cells",
        "check.hidden('1.1', 1)",
        "from IPython.core.displaypub import DisplayPublisher",
        "match torch:\n    case object(autograd=a):\n        pass",
    ],
    "imports in a class": [
        "class A:\n    from builtins import exec as go",
        "class A:\n    if True:\n        import math",
        "class A(nn.Module):\n    try:\n        from torch.autograd import grad\n    finally:\n"
        "        pass",
    ],
    "frames, code and memory": [
        "import sys\nsys._getframe(1).f_back",
        "import sys\nsys.settrace(print)",
        "import inspect\ninspect.currentframe()",
        "def f():\n    yield\nf().gi_frame.f_globals",
        "class A:\n    g = (i for i in ())\nA.g.gi_frame",
        "import gc\ngc.get_objects()",
        "import ctypes\nctypes.CDLL(None)",
        "np.zeros(3).ctypes.data",
        "def f():\n    pass\nf.__globals__",
        "def f():\n    pass\ngetattr(f, '__closure__')",
        "object.__subclasses__()",
        "print(__builtins__)",
        "try:\n    f()\nexcept Exception as e:\n    e.__traceback__",
        "match e:\n    case Exception(__traceback__=t):\n        pass",
        "globals()['check'] = print",
        "vars(torch)['exp'] = 1",
        "from types import SimpleNamespace\nSimpleNamespace(__array_interface__={})",
        "from types import SimpleNamespace\nSimpleNamespace(**more)",
        "def look(self):\n    return self.f_builtins",
        "def look(self, name):\n    return getattr(self, name)",
        "import traceback\nnext(traceback.walk_stack(None))",
        "def own(): pass\ntype(own)(code, {})",
        "vars(exit)['_ip'].run_cell(code)",
        "import contextlib\nc = contextlib.nullcontext()\nvars(c)['x'] = 1",
        "class A:\n    __match_args__ = ('f_builtins',)",
        "class A:\n    def __getattr__(self, name):\n        return place",
        "x.as_strided((9,), (1,), 99)",
        "open('x')",
        "import pathlib\npathlib.Path('x').read_text()",
    ],
    "what is not its own is changed": [
        "setattr(torch, 'exp', print)",
        "for n in ('exp', 'log'):\n    setattr(torch, n, print)",
        "name = input()\ngetattr(torch, name)",
        "delattr(torch, 'exp')",
        "del torch.exp",
        "import torch.autograd as a\na.grad = print",
        "torch.Tensor.backward = print",
        "T = torch.Tensor\nT.detach = print",
        "T, n = torch.Tensor, 1\nT.detach = print",
        "for T in (torch.Tensor,):\n    T.detach = print",
        "def patch(c):\n    c.detach = print\npatch(torch.Tensor)",
        "class A:\n    T = torch.Tensor\nA.T.detach = print",
        "class T:\n    pass\nT = torch.Tensor\nT.detach = print",
        "[T := torch.Tensor]\nT.x = 1",
        "Tensor.detach = print",
        "T = type(x)\nT.data = 1\nT.x = 1",
        "(torch.Tensor if x else x).x = 1",
        "type(torch.zeros(1)).detach = print",
        "check = check\ncheck.hidden = print",
        "with open('x') as torch.x:\n    pass",
        "import functools\nfunctools.wraps(f)(torch)",
    ],
    "what is called around operations": [
        "from torch.overrides import TorchFunctionMode",
        "import torch.utils._python_dispatch as d\nd.x",
        "class A:\n    def __torch_function__(self):\n        pass",
        "class A:\n    def __del__(self):\n        pass",
        "class A(torch.Tensor):\n    pass",
        "class A(metaclass=print):\n    pass",
        "A = type('A', (), {'x': 1})",
        "torch.autograd.graph.register_multi_grad_hook((), print)",
        "class A(Function):\n    def forward(ctx, x):\n        x.register_hook(print)",
        "class A(Function):\n    def forward(ctx, x):\n        ctx.register_prehook(print)",
        "hooks = [type(torch.ones(1)).register_hook]",
        "class A(torch.nn.Parameter):\n    pass",
        "import threading\nthreading.Thread()",
    ],
    "the notebook": [
        "get_ipython().run_cell('1')",
        "from IPython.display import display\ndisplay({}, raw=True)",
        "class A:\n    def _repr_mimebundle_(self):\n        pass",
        "%load_ext x",
        "%%bash\nls",
        "!ls",
        "files = !ls",
        "%config Application.x = 1",
        "%config InlineBackend.figure_format = exec('1')",
        "%matplotlib {print(1)}",
        "%time exec('x = 1')",
        "time exec('x = 1')",
        "y = %time eval('1')",
        "%%timeit -n 1\nexec('x = 1')",
    ],
}

QUIET = [
    "import os, sys\nos.environ['KMP_DUPLICATE_LIB_OK'] = 'True'\nprint(sys.float_info.eps)",
    "import torch.nn.functional as F\nfrom torch.autograd.function import once_differentiable",
    "import math, functools, dataclasses, typing, collections, itertools, contextlib, unittest",
    "from __future__ import annotations\nfrom collections.abc import Callable",
    "import inspect\nprint(inspect.getsource(len), inspect.signature(len))",
    "import logging\nlog = logging.getLogger(__name__)\nlog.propagate = False\nlog.info('x')",
    "import pathlib\npathlib.Path('a.png').stat()",
    "import warnings\nwith warnings.catch_warnings(record=True):\n    pass",
    "from helpers import compare, diagnose, draw, plots, show_error, step\ndraw(1)",
    "check.hint('5.1')\nprogress()",
    "check = {}\ncheck.update(a=1)\nfunc = max = None\ndef f(func, np):\n    return func(np)",
    "from IPython.display import HTML, Markdown, Math, display\ndisplay(Math('x'))",
    "import matplotlib.pyplot as plt\nplt.rcParams['figure.dpi'] = 100\nplt.savefig('a.png')",
    "%config InlineBackend.figure_format = 'retina'",
    "%matplotlib inline\n%timeit torch.ones(3)\n%precision 3",
    "%%time\nclass Square(Function):\n    pass",
    "Square?",
    ">>> x = torch.ones(1)\n>>> x.grad = None",
    "class A(Function):\n    def forward(ctx, x):\n        ctx.shape = x.shape\n        ctx._n = 1",
    "class A(nn.Module):\n    def __init__(self):\n        self.__w = 1",
    "class A(nn.Module):\n    def f(self):\n        setattr(self, 'w', getattr(self, 'v', None))",
    "class Square(Function):\n    calls = 0\nSquare.calls += 1",
    "def seen(x):\n    seen.calls += 1\nseen.calls = 0",
    "from types import SimpleNamespace\nctx = SimpleNamespace()\nctx.x = 1",
    "for p in net.parameters():\n    p.data -= 0.1 * p.grad\n    p.grad = None",
    "x = torch.ones(1)\nx.requires_grad = True\nx.register_hook(print)",
    "x = torch.ones(1)\nprint(x._version, x.data_ptr(), x.grad_fn)",
    "from typing import Any, NamedTuple, Protocol\nclass P(NamedTuple):\n    x: Any",
    "from dataclasses import dataclass\n@dataclass\nclass Case:\n    x: float = 1.0",
    "class WrongError(ValueError):\n    pass\nclass Registry(dict):\n    pass",
    "match x:\n    case torch.Tensor():\n        pass\n    case [first, *rest]:\n        pass",
    "text = 'import math, then see torch.load'  # exec('1')\nprint('__________')",
    'def f():\n    """Call `exec(1)`, or `__globals__`."""',
    "if __name__ == '__main__':\n    print('__main__', type(x))",
    "from fractions import Fraction\nhalf: Fraction = Fraction(1, 2)",
    "torch.compile(Square.apply, backend='aot_eager')\nnet.eval()\nmodel.compile()",
    "try:\n    f()\nexcept ValueError as error:\n    print(error.args)",
]


@pytest.mark.parametrize("code", [code for codes in FLAGGED.values() for code in codes])
def test_what_looks_like_tampering_is_found(code):
    assert flags([code])


@pytest.mark.parametrize("code", QUIET)
def test_honest_code_in_odd_form_is_not(code):
    assert flags([code]) == ()


@pytest.mark.parametrize("case", forged_hooks.CASES, ids=str)
def test_a_hook_into_the_notebook_is_found_by_its_source(case):
    assert any(flags([code]) for code in case.given.values())


def test_of_a_hundred_right_answers_at_most_three_are_flagged():
    found = [answer for answer in HONEST if flags([answer.code])]
    assert len(HONEST) > 300
    assert 100 * len(found) <= 3 * len(HONEST), "\n".join(map(str, found))


@pytest.mark.parametrize("exercise", SOLUTIONS)
def test_neither_the_solutions_nor_the_stubs_are_flagged(exercise):
    for folder in ("solutions", "exercises"):
        cells = notebook_cells(folder, exercise)
        for task in load(int(exercise[:2])):
            name = "answer-" + task.id.replace(".", "-")
            own = [source(cell) for cell in cells if cell["id"].startswith(name)]
            assert own
            assert flags(own) == ()


@pytest.mark.parametrize(
    "code",
    ["x = 1\nclass", "x = 1\ndef f(:", "exec('\n'", "x\n\0exec()", "\n\nx = '\ud800\n'", ""],
)
def test_what_is_no_python_fails_by_itself(code):
    assert flags([code]) == ()


def test_a_name_means_what_other_cells_import_as_it():
    code = "y = tool.system('ls')"
    assert flags([code]) == ()
    assert listed(flags([code], ["import os as tool"])) == "line 1 uses `os.system`"
    assert flags(["y = 1"], ["1 +", "x = (", "%time " * 30, "a" + ".b" * 60_000]) == ()


def test_lines_are_named_in_order_and_each_thing_once():
    found = flags(["import gc\nx = 1\neval('1'); eval('1')\ngc.get_objects()\n!ls\nopen('x')"])
    said = "line 3 uses `eval`, line 4 uses `gc.get_objects`, line 5 uses the magic `%ls`, 1 more"
    assert listed(found) == said


@pytest.mark.parametrize(
    "code",
    [
        "# " + "x" * MOST_CHARACTERS,
        "a" + "\u0300\u0323" * 10_000,
        "%time 1\n" * 2000,
        "%time " * 30 + "1",
        "a" + ".b" * 20_000,
        "x = " + "-" * 40_000 + "1",
        "'" + "a" + "\u0300" * 40 + "'",
        "x = 0x" + "f" * 5000,
    ],
    ids=["long", "marks", "magics", "magics in magics", "deep", "minus", "text", "number"],
)
def test_what_a_program_cannot_read_is_for_a_person(code):
    assert flags([code]) == TANGLED


@pytest.mark.parametrize(
    "code",
    [
        "x = f(1, 2)\n" * 4000,
        "%time x\n" * 100,
        "\n" * 49_000 + "x",
        "?" * 49_000,
        "x = x\n" * 8000,
        "f(" * 90 + ")" * 90,
        "x = " + "+".join(["1"] * 900),
        "x = " + repr("f(" * 5000),
        "é\u0301 = 1\n" * 5000,
    ],
    ids=["long", "magics", "empty lines", "marks", "one name", "calls", "sum", "text", "accents"],
)
def test_no_code_takes_much_work_to_be_read(code):
    with cProfile.Profile() as profile:
        assert flags([code]) in ((), TANGLED)
    assert pstats.Stats(profile).total_calls < 10_000_000
