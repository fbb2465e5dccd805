"""The line that a report names is the author's own, not one of a library that it called."""

import json

import numpy as np
import pytest
import torch
from torch.autograd import Function

from tests.whygrad.wrong_functions.case import normal
from whygrad.diagnosing import diagnose
from whygrad.measure.encode import encode_raised

X = normal(2, 3)


def raised_by(call):
    try:
        call()
    except Exception as error:
        return encode_raised(error, "forward")
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(
    "call",
    [
        lambda: np.linalg.cholesky(np.full((2, 2), -1.0)),
        lambda: np.stack([np.ones(2), np.ones(3)]),
        lambda: json.loads("{"),
        lambda: torch.nn.functional.linear(torch.ones(2, 3), torch.ones(2, 4)),
    ],
    ids=["NumPy", "an array function of NumPy", "the standard library", "PyTorch"],
)
def test_the_line_is_the_one_that_called_the_library(call):
    found = raised_by(call)
    assert found.file == "test_authors_line.py"
    assert found.line.startswith("lambda: ")


def test_a_library_s_own_line_is_named_where_no_other_is():
    code = compile("def stop():\n    raise ValueError('no')\n", "/x/site-packages/made.py", "exec")
    made = {}
    exec(code, made)  # a Function of an installed package
    try:
        made["stop"]()
    except ValueError as error:
        error.__traceback__ = error.__traceback__.tb_next  # without the line of this test
        found = encode_raised(error, "forward")
    assert (found.file, found.number) == ("made.py", 2)


def test_the_report_names_the_line_of_forward():
    class Cholesky(Function):
        @staticmethod
        def forward(ctx, x):
            return torch.as_tensor(np.linalg.cholesky(x.numpy()))

        @staticmethod
        def backward(ctx, g):
            return g

    found = diagnose(Cholesky, X)
    assert found.verdict.raised.method == "Cholesky.forward"
    assert "`return torch.as_tensor(np.linalg.cholesky(x.numpy()))`" in found.message
    assert ".." not in found.message
