"""Every row of the table of exceptions is triggered, and says what it means."""

import re
import warnings

import pytest
import torch
from torch.autograd import Function

from tests.whygrad.raising import Square, raised_by
from tests.whygrad.raising_codes import RAISING
from whygrad import diagnose
from whygrad.judge.inquiry import not_started
from whygrad.raised import ROWS, explanation
from whygrad.verdict import Raised

CASES = [(name, code) for name, codes in RAISING.items() for code in codes]
ONES = torch.ones(3, dtype=torch.float64)
PHASE = re.compile(r"(forward|backward|the call): ")


def raised_in_its_phase(code):
    phase = PHASE.match(code)
    with warnings.catch_warnings(action="ignore"):
        return raised_by(code[phase.end() :] if phase else code, phase[1] if phase else "backward")


def test_every_row_has_code_that_raises_it():
    assert sorted([*RAISING, *ODD]) == sorted(ROWS)


@pytest.mark.parametrize(("name", "code"), CASES, ids=[f"{n}: {c[-40:]!r}" for n, c in CASES])
def test_what_is_raised_is_explained_by_its_row(name, code):
    seen = raised_in_its_phase(code)
    found = explanation(seen)
    assert found is not None, seen
    assert found.name == name, seen
    for text in (found.why, found.look):
        assert re.fullmatch(r"[A-Z`].*[.?]", text), text
        assert not re.search(r"!|``|\{|  ", text), text


# The numbers of a reason, which could be in each other's place.
NUMBERS = {
    "gradients-miscounted": "2 3",
    "backward-misses-an-argument": "2 1",
    "forward-misses-an-argument": "2 1",
    "too-many-arguments": "1 2",
    "saved-too-few": "2 1",
    "grad-of-another-shape": "3 4",
    "value-does-not-fit": "2 3",
}


@pytest.mark.parametrize("name", NUMBERS)
def test_each_number_of_a_reason_is_in_its_place(name):
    found = explanation(raised_in_its_phase(RAISING[name][0]))
    assert " ".join(re.findall(r"\d+", found.why)) == NUMBERS[name]


STUBS = {
    "raise NotImplementedError": True,
    "raise NotImplementedError('to do')": True,
    "if True: raise NotImplementedError": True,
    "def f():\n    raise NotImplementedError\nf()": True,
    "Function.jvp(None)": False,
    "torch.empty(2, device='meta').tolist()": False,
    "raised = NotImplementedError\ny = Function.forward(x)": False,
    "raise ValueError": False,
}


@pytest.mark.parametrize("code", STUBS)
def test_a_stub_is_what_raises_in_a_line_of_its_own(code):
    assert not_started(raised_by(code, "forward")) == STUBS[code]


def odd(result):
    """A Function that returns something else than a tensor."""

    class Odd(Function):
        @staticmethod
        def forward(ctx, x):
            return result(x)

        @staticmethod
        def backward(ctx, g):
            return g

    return Odd


ODD = {
    "forward-returns-an-array": lambda x: x.numpy(),
    "forward-returns-a-number": lambda x: 2.0,
    "forward-returns-several": lambda x: (x * 2, (x,)),
}


@pytest.mark.parametrize("name", ODD)
def test_a_forward_that_returns_no_tensor_is_explained(name):
    found = diagnose(odd(ODD[name]), ONES)
    assert found.name == "wrong-forward"
    assert ROWS[name]["look"] in repr(found)


class SquareOfALine(Square):
    @staticmethod
    def backward(ctx, g):
        return torch.exp(2.0) * g


class SquareOfALineOnce(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.exp(2.0) * g if torch.is_grad_enabled() else 2 * x * g


class SquareOfThree(Square):
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x.view(3) * g


class SquareHalfWritten(Square):
    @staticmethod
    def backward(ctx, g):
        raise NotImplementedError


@pytest.mark.parametrize(("fn", "order"), [(SquareOfALine, 1), (SquareOfALineOnce, 2)])
def test_the_first_backward_and_the_second_are_explained_alike(fn, order):
    found = diagnose(fn, ONES, order=order)
    assert found.name == "raises"
    assert ROWS["must-be-a-tensor"]["look"] in repr(found)
    assert "return torch.exp(2.0) * g" in repr(found)


def test_other_sizes_are_explained_with_the_line():
    found = diagnose(SquareOfThree, ONES, reference=torch.square, strict=True)
    assert found.name == "fixed-size"
    assert ROWS["shape-of-another-size"]["look"] in repr(found)
    assert "`return 2 * x.view(3) * g`" in repr(found)


def test_a_stub_is_not_explained():
    found = diagnose(SquareHalfWritten, ONES)
    assert found.name == "not-started"
    assert "Why:" not in repr(found)


def test_what_no_row_fits_keeps_the_general_advice():
    assert explanation(Raised("OddError", "never heard of it", "forward")) is None
