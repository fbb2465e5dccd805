"""Slopes by finite differences: right, with an honest error, and few calls where nothing is off."""

import pytest
import torch

from whygrad.measure.slopes import slopes

DOUBLE = torch.float64
X = torch.tensor([1.3, -0.4, 2.2, 0.7], dtype=DOUBLE)
ONES = torch.ones(1, 4, dtype=DOUBLE)


class Counted:
    def __init__(self, fn):
        self.fn, self.calls = fn, 0

    def __call__(self, *inputs):
        self.calls += 1
        return self.fn(*inputs)


def error(found, right):
    return float((found.matrices[0].diag() - right).abs().max() / right.abs().max())


def test_four_calls_for_each_number_where_all_is_exact():
    counted = Counted(torch.exp)
    found = slopes(counted, [X], [0], [X.exp()[None]], ONES)
    assert counted.calls == 1 + 4 * 4
    assert found.noise == [0.0]
    assert error(found, X.exp()) < 1e-8


def test_a_plain_mistake_in_an_exact_function_costs_two_calls_more():
    counted = Counted(torch.exp)
    slopes(counted, [X], [0], [2 * X.exp()[None]], ONES)
    assert counted.calls <= 1 + 4 * 4 + 2


@pytest.mark.parametrize(
    ("dtype", "most"), [(torch.float32, 1e-3), (torch.float16, 0.02), (torch.bfloat16, 0.1)]
)
def test_the_error_is_not_larger_than_said_where_the_inside_is_rough(dtype, most):
    def rough(x):
        return (x.to(dtype) * x.to(dtype)).to(x.dtype)

    found = slopes(rough, [X], [0], [2 * X[None]], ONES)
    assert error(found, 2 * X) <= found.noise[0]
    assert error(found, 2 * X) < most
    assert found.reason == f"forward computes in {str(dtype).removeprefix('torch.')} inside"


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_inputs_of_few_digits_are_measured_with_steps_that_suit_them(dtype):
    x = X.to(dtype)
    found = slopes(lambda x: x**3, [x], [0], [3 * x.double()[None] ** 2], ONES)
    assert error(found, 3 * x.double() ** 2) <= found.noise[0]
    assert found.reason.startswith("the inputs are ")


def test_a_kink_stays_unknown_and_its_neighbours_do_not():
    x = torch.tensor([1.0, 0.0, -2.0, 1e-4], dtype=DOUBLE)
    for relu in (torch.relu, lambda x: torch.relu(x.float()).double()):
        (matrix,) = slopes(relu, [x], [0], [(x > 0).double()[None]], ONES).matrices
        assert torch.equal(matrix.isnan().any(dim=0), x == 0)


def test_complex_numbers_are_pairs_of_real_ones():
    z = torch.tensor([1 + 2j, -0.5 + 1j], dtype=torch.complex128)
    found = slopes(lambda z: z * z, [z], [0])
    (matrix,) = found.matrices
    a, b = 2 * z[1].real.item(), 2 * z[1].imag.item()
    right = torch.tensor([[a, -b], [b, a]], dtype=DOUBLE)
    torch.testing.assert_close(matrix[2:, 2:], right, rtol=1e-7, atol=1e-7)
    assert not matrix[:2, 2:].any()


def test_a_callable_that_raises_has_no_slopes():
    def refuses(x):
        raise ValueError

    assert slopes(refuses, [X], [0]).matrices == []


def test_a_callable_that_draws_its_numbers_is_told_from_one_that_rounds():
    draws = torch.Generator().manual_seed(0)
    found = slopes(lambda x: x * torch.rand(x.shape, generator=draws), [X], [0], [ONES], ONES)
    assert found.reason == "forward gives other numbers at each call"
