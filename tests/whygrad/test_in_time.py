"""A loop that ends with the author's numbers and not with others is stopped, and nobody accused."""

import signal
import threading
from types import TracebackType

import pytest
import torch
from torch.autograd import Function

from whygrad import diagnose
from whygrad.measure import largely
from whygrad.measure.encode import encode_raised
from whygrad.measure.run_once import Holding
from whygrad.measure.trial import in_time

X = torch.tensor([[1.2, 1.5, 2.0]], dtype=torch.float64)


class Series(Function):
    """1 + 1/x + 1/x² + …, term by term: it has no end where a number is 1 or less."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        term, total = torch.ones_like(x), torch.ones_like(x)
        while term.max() > 1e-12:
            term = term / x
            total = total + term
        return total

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return -grad_y / (x - 1) ** 2


class WrongSeries(Series):
    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return grad_y / (x - 1) ** 2


class EndlessBackward(Function):
    """x², whose backward loops until no number is below 1."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        while x.min() < 1:
            x = x * 1.0
        return 2 * x * grad_y


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(largely, "LEAST", 0.2)
    monkeypatch.setattr(largely, "TIMES", 1)


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("fn", [Series, EndlessBackward])
def test_what_does_not_end_with_other_numbers_is_not_examined(fn, order):
    found = diagnose(fn, X, order=order)
    assert found.ok, found.message
    assert "times as long as the first call" in found.left_out["other numbers"]
    assert "other numbers" not in found.examined
    assert "first order" in found.examined
    assert signal.getsignal(signal.SIGPROF) is signal.SIG_DFL


def test_a_mistake_beside_an_endless_loop_is_named():
    assert diagnose(WrongSeries, X).name == "wrong-sign"


def test_with_a_reference_nobody_is_accused_either():
    found = diagnose(Series, X, reference=lambda x: x / (x - 1))
    assert found.ok, found.message
    assert "other numbers" not in found.examined


def test_large_inputs_are_stopped_as_well():
    found = diagnose(Series, X.repeat(200, 1))
    assert found.ok, found.message
    assert "times as long as the first call" in found.left_out["other numbers"]


def test_it_can_be_stopped_between_two_lines():
    """Where Python leaves a `with`, some instructions belong to no line."""

    def loop():
        with torch.no_grad():
            yield

    frame = loop().gi_frame
    lines = [line for line, *_ in frame.f_code.co_positions()]
    error = ValueError().with_traceback(TracebackType(None, frame, 2 * lines.index(None), -1))
    assert encode_raised(error, "forward").number == 0


def test_nothing_is_stopped_without_a_limit_beside_the_main_thread_or_beside_another_timer():
    limited = Holding(torch.square, seconds=1.0)

    def given(call):
        with in_time(call) as stoppable:
            return stoppable

    assert given(limited) is not limited
    assert given(torch.square) is torch.square
    seen = []
    thread = threading.Thread(target=lambda: seen.append(given(limited)))
    thread.start()
    thread.join()
    assert seen == [limited]
    before = signal.signal(signal.SIGPROF, lambda *_: None)
    try:
        assert given(limited) is limited
    finally:
        signal.signal(signal.SIGPROF, before)
