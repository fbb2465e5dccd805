"""Inputs of any dtype of real numbers, and sparse ones beside them, are judged as they can be."""

import pytest
import torch
from torch.autograd import Function

from whygrad import diagnose
from whygrad.precision import widened

X = torch.randn(4, 3, generator=torch.Generator().manual_seed(0))
LOW = [torch.float32, torch.float16, torch.bfloat16]


def made(compute, slope):
    class Made(Function):
        @staticmethod
        def forward(ctx, *inputs):
            ctx.save_for_backward(*inputs)
            return compute(*inputs)

        @staticmethod
        def backward(ctx, grad_y):
            return slope(grad_y, *ctx.saved_tensors)

    return Made


def only(dtype, compute):
    def strictly(x):
        if x.dtype != dtype:
            raise TypeError(f"this takes {dtype}")
        return compute(x)

    return strictly


@pytest.mark.parametrize("dtype", LOW)
def test_where_float64_is_taken_all_is_measured_in_it(dtype):
    right = made(torch.square, lambda g, x: 2 * x * g)
    found = diagnose(right, X.to(dtype))
    trials = found.evidence["measured"]["trials"]
    name = str(dtype).removeprefix("torch.")
    assert found.ok, found.message
    assert trials[0]["inputs"][0]["dtype"] == "float64"
    assert [t["name"] for t in trials if t.get("law") == "wrong-dtype"] == [f"{name} inputs"]
    nearly = made(torch.square, lambda g, x: 2.001 * x * g)
    assert not diagnose(nearly, X.to(dtype)).ok


@pytest.mark.parametrize("dtype", LOW)
@pytest.mark.parametrize("order", [1, 2])
def test_a_function_of_one_low_precision_is_judged_in_it(dtype, order):
    compute = only(dtype, lambda x: x.exp().sum(1))
    right = made(compute, lambda g, x: x.exp() * g[:, None])
    found = diagnose(right, X.to(dtype), order=order)
    assert found.ok, found.message
    assert "takes no float64" in found.verdict.left_out["dtypes"]
    half = made(compute, lambda g, x: 0.5 * x.exp() * g[:, None])
    assert diagnose(half, X.to(dtype), order=order).name == "wrong-factor"
    turned = made(compute, lambda g, x: -x.exp() * g[:, None])
    assert diagnose(turned, X.to(dtype), order=order).name == "wrong-sign"


def test_integers_and_masks_stay_as_they_are():
    values = (X, torch.tensor([1, 2]), torch.tensor([True, False]), 3)
    wide = widened(lambda *given: given[0] * 1.0, values)
    assert wide[0].dtype == torch.float64
    assert all(one is other for one, other in zip(wide[1:], values[1:], strict=True))


def test_a_constant_of_float64_in_the_caller_is_nobody_s_mistake():
    scale, w = torch.tensor([2.0, 3.0, 4.0], dtype=torch.float64), X[:3, :2].double()
    for right in (
        made(lambda x: x * scale, lambda g, x: g * scale),
        made(lambda x: x @ w, lambda g, x: g @ w.T),
        made(lambda x: x * scale, lambda g, x: (g @ torch.eye(3, dtype=x.dtype)) * scale),
    ):
        found = diagnose(lambda x, right=right: right.apply(x), X.double())
        assert found.ok, found.message


EYE = torch.eye(4, dtype=torch.float64)


@pytest.mark.parametrize("layout", ["to_sparse", "to_sparse_csr"])
@pytest.mark.filterwarnings("ignore:Sparse")
def test_a_sparse_matrix_is_an_argument_like_any_other(layout):
    matrix = getattr(3 * EYE + EYE.roll(1, 0), layout)()
    x = X.double()
    right = made(torch.matmul, lambda g, s, x: (None, s.to_dense().T @ g))
    found = diagnose(right, matrix, x, order=2)
    assert found.ok, found.message
    lost = made(torch.matmul, lambda g, s, x: (None, g))
    assert not diagnose(lost, matrix, x).ok


@pytest.mark.filterwarnings("ignore:Sparse")
def test_a_sparse_gradient_is_held_against_its_numbers():
    table, index = X.double(), torch.tensor([3, 1, 1])

    def rows(factor):
        def slope(g, w, i):
            return torch.sparse_coo_tensor(
                i[None], factor * g, w.shape, check_invariants=True
            ), None

        return made(lambda w, i: w[i], slope)

    found = diagnose(rows(1), table, index)
    assert found.ok, found.message
    assert diagnose(rows(2), table, index).name == "wrong-factor"
