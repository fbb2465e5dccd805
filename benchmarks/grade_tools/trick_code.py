"""The code of the tricks, as a student would type it into an answer cell."""

# No part of them is right: each part has points of its own.
WRONG = {
    "5.1": """
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return 3 * x

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return x * grad_y
""",
    "5.2": """
class WeightedSquare(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return w * x**2

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return 2 * grad_y * w * x, grad_y * x**2
""",
    "5.3": """
third_power = third_power_one = third_power_two = [1, 2, 3]
""",
}

GRADCHECK = """
import torch.autograd

torch.autograd.gradcheck = torch.autograd.gradgradcheck = lambda *a, **k: True
gradcheck = gradgradcheck = torch.autograd.gradcheck
"""

REFERENCE_MEASURED = """
import helpers.checks.answer_check as module
from helpers.checks.references import reference

measure = module.evidence_of


def measure_reference(task, answers, **more):
    right = reference(task.id)
    return measure(task, right if isinstance(right, tuple) else (right,), **more)


module.evidence_of = measure_reference
"""

TRANSFORMER = r"""
import re


def right(task):
    from helpers.checks.references import reference

    found = reference(task)
    return found if isinstance(found, tuple) else (found,)


def rewrite(lines):
    text = "".join(lines)
    text = re.sub(r'(check(?:\.hidden)?)\("(5\.\d)",.*\)', r'\1("\2", *right("\2"))', text)
    passed = "for t in Checker.get_results():\n"
    passed += "    for r in t.test_case_results: r.passed = True\n"
    text = re.sub(r"(?m)^results = Grading", lambda found: passed + found[0], text)
    return text.splitlines(keepends=True)


get_ipython().input_transformers_cleanup.append(rewrite)
"""

CALLED_WITH_A_NUMBER = {
    "5.1": """
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        get_ipython().displayhook(3)
        return x
""",
    "5.2": """
class WeightedSquare(Function):
    @staticmethod
    def forward(ctx, x, w):
        get_ipython().displayhook(4)
        return x
""",
}

GRADERS_CLASS = """
try:
    from otter.test_files import OKTestFile
    from otter.test_files.abstract_test import TestCaseResult

    def run(self, environment):
        self.test_case_results = [
            TestCaseResult(test_case=case, message="", passed=True) for case in self.test_cases
        ]

    OKTestFile.run = run
except ImportError:
    pass
"""

ENDED = """
import os

os._exit(0)
"""

WARNING = {
    "5.1": """
import sys
import warnings


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        warnings.warn("Square is called", stacklevel=2)
        print("Square is called", file=sys.stderr)
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y
"""
}
