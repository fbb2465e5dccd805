"""Answers that raise odd things, or wait for somebody."""

from tests.hostile.case import ZERO, Case, Statuses
from tests.hostile.make import trick

_RAISER = """
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        raise {what}
    @staticmethod
    def backward(ctx, grad_y):
        return grad_y
"""


def raises(title: str, what: str, before: str = "", status: Statuses = "") -> Case:
    """Return a submission whose forward raises something, inside the check."""
    allowed = status or {"failed", "error", "not-gradable", "died"}
    return trick(title, before + _RAISER.format(what=what), allowed, whole=True)


_ODD = """
class Odd(BaseException):
    def __str__(self):
        {said}
    __repr__ = __str__
"""

CASES = [
    raises("raises KeyboardInterrupt", "KeyboardInterrupt"),
    raises("raises SystemExit", "SystemExit(0)"),
    raises("raises GeneratorExit", "GeneratorExit"),
    raises("raises StopIteration", "StopIteration"),
    raises("raises a BaseException of its own", "Odd", _ODD.format(said="return 'odd'")),
    raises("whose text raises", "Odd", _ODD.format(said="raise Odd")),
    raises("whose text is no text", "Odd", _ODD.format(said="return 5")),
    raises("whose text is huge", "Odd", _ODD.format(said="return 'x' * 50_000_000"), ZERO),
    raises("whose text cannot be written", "Odd", _ODD.format(said="return chr(0xD800) * 9")),
    raises("whose text ends Python", "Odd", _ODD.format(said="import os; os._exit(0)"), "died"),
    raises("whose text is a page", "ValueError('</pre><script>alert(1)</script>')"),
    raises(
        "an exception that is its own cause",
        "error",
        "error = ValueError(1)\nerror.__cause__ = error.__context__ = error\n",
    ),
    raises(
        "an ExceptionGroup without end",
        "error",
        "error = ValueError(1)\nfor _ in range(900):\n    error = ExceptionGroup('x', [error])\n",
    ),
    trick("raises NotImplementedError", "raise NotImplementedError", whole=True),
    trick("waits for input()", "name = input('name: ')", "error", whole=True),
    trick("waits for getpass()", "import getpass\ngetpass.getpass()", "error", whole=True),
    trick("reads standard input to its end", "import sys\nsys.stdin.read()"),
    trick("breakpoint()", "breakpoint()"),
    trick("%debug", "try:\n    1 / 0\nexcept ZeroDivisionError:\n    pass\n%debug"),
    trick(
        "pdb.set_trace in forward",
        """
import pdb
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        pdb.set_trace()
        return x
""",
        whole=True,
    ),
    trick(
        "interrupts itself", "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile 1: 1"
    ),
]
