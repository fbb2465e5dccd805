"""The author's code runs under the author's settings, and a diagnosis leaves them alone."""

from contextlib import contextmanager

import pytest
import torch
from torch.autograd import Function

from whygrad import diagnose
from whygrad.judge.inquiry import OTHER_DEFAULT

X = torch.tensor([[0.5, -1.0, 2.0], [1.5, -0.3, 0.8]], dtype=torch.float64)


class Turned(Function):
    """x times a matrix that is made without a dtype."""

    @staticmethod
    def forward(ctx, x):
        return x @ torch.eye(3).flip(0)

    @staticmethod
    def backward(ctx, grad_y):
        return grad_y @ torch.eye(3).flip(1)


class TurnedTwice(Turned):
    @staticmethod
    def backward(ctx, grad_y):
        return 2 * grad_y @ torch.eye(3).flip(1)


class Rotated(Function):
    """A forward that takes any dtype, and a backward that takes the default dtype alone."""

    @staticmethod
    def forward(ctx, x):
        return x.flip(-1)

    @staticmethod
    def backward(ctx, grad_y):
        return grad_y @ torch.eye(grad_y.shape[-1]).flip(1)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y


class Halved(Square):
    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return x * grad_y


@pytest.fixture
def float64():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


@contextmanager
def default_device(name):
    torch.set_default_device(name)
    try:
        yield
    finally:
        torch.set_default_device(None)


@pytest.fixture
def threads():
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


def turned(x):
    return x @ torch.eye(3).flip(0)


@pytest.mark.usefixtures("float64")
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("reference", [None, turned])
def test_a_default_dtype_of_float64_stays(reference, order, strict):
    how = {"reference": reference, "order": order, "strict": strict}
    assert diagnose(Turned, X, **how).ok
    assert diagnose(TurnedTwice, X, **how).names == ("wrong-factor",)
    assert torch.get_default_dtype() == torch.float64


@pytest.mark.usefixtures("float64")
def test_what_needs_float64_as_the_default_dtype_is_a_remark_at_most():
    found = diagnose(Rotated, X)
    assert found.ok
    assert "wrong-dtype" in [remark.name for remark in found.remarks]
    assert OTHER_DEFAULT in [line.name for line in found.verdict.properties if line.said]
    strictly = diagnose(Rotated, X, strict=True)
    assert strictly.ok, strictly.message
    assert "float64" in strictly.left_out["dtypes"]


@pytest.mark.usefixtures("float64")
def test_float32_inputs_are_asked_about_where_the_author_gives_them():
    found = diagnose(Rotated, X.float(), strict=True)
    assert found.name == "wrong-dtype"


def test_no_other_default_dtype_is_tried_where_none_is_set():
    trials = diagnose(Square, X).evidence["measured"]["trials"]
    assert OTHER_DEFAULT not in [trial["name"] for trial in trials]


@pytest.mark.parametrize("order", [1, 2])
def test_a_default_device_is_that_of_the_authors_tensors_alone(order):
    with default_device("meta"):
        assert diagnose(Square, X, order=order).ok
        assert diagnose(Halved, X, order=order).name == "wrong-factor"
        assert torch.get_default_device().type == "meta"
        many = X.repeat(200, 1)
        assert diagnose(Halved, many).name == "wrong-factor"


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize(("rows", "expected"), [(1, {1}), (200, {3})])
def test_small_inputs_are_measured_in_one_thread_and_large_ones_in_all(rows, expected):
    seen = set()

    def counted(x):
        seen.add(torch.get_num_threads())
        return Square.apply(x)

    assert diagnose(counted, X.repeat(rows, 1)).ok
    assert seen == expected
    assert torch.get_num_threads() == 3


@pytest.mark.usefixtures("threads")
def test_the_number_of_threads_comes_back_after_an_error():
    with pytest.raises(ValueError, match="reference raised"):
        diagnose(Square, X, reference=lambda x: 1 / 0)
    assert torch.get_num_threads() == 3
