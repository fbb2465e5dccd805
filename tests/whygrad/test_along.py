"""Directions: a wrong derivative shows along one, and what agrees costs a few calls."""

import pytest
import torch

from whygrad.measure.along import agreeing, direction, slopes_beside

X = torch.linspace(0.5, 2.0, 12, dtype=torch.float64).view(3, 4)
W = torch.linspace(-1.0, 1.0, 8, dtype=torch.float64).view(4, 2)


class Counted:
    """x @ w, and how often it was called."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x, w):
        self.calls += 1
        return x @ w


def right():
    """The Jacobians of x @ w, a row for each of the six outputs."""
    by_x, by_w = torch.autograd.functional.jacobian(torch.matmul, (X, W))
    return [by_x.reshape(6, 12), by_w.reshape(6, 8)]


def test_right_jacobians_cost_a_few_calls_and_are_not_measured():
    call = Counted()
    assert slopes_beside(call, (X, W), (0, 1), right()).matrices == [None, None]
    assert call.calls <= 12


@pytest.mark.parametrize("which", [0, 1])
def test_one_wrong_element_is_noticed_and_that_jacobian_alone_is_measured(which):
    found = right()
    found[which] = found[which].clone()
    found[which][3, 5] += 1e-4
    got = slopes_beside(Counted(), (X, W), (0, 1), found).matrices
    torch.testing.assert_close(got[which], right()[which], rtol=1e-6, atol=1e-8)
    assert got[1 - which] is None


def test_where_no_slope_can_be_had_nothing_agrees():
    at_kink = torch.tensor([-1.0, 0.0, 2.0], dtype=torch.float64)
    found = torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64).diag()
    assert agreeing(torch.relu, (at_kink,), (0,), [found]) == [False]
    away = at_kink[[0, 2]]
    assert agreeing(torch.relu, (away,), (0,), [found[[0, 2]][:, [0, 2]]]) == [True]


def test_weights_sum_what_comes_back():
    weights = torch.tensor([[1.0, -2.0, 0.5]], dtype=torch.float64)
    x = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64)
    assert agreeing(torch.square, (x,), (0,), [2 * x * weights], weights) == [True]
    assert agreeing(torch.square, (x,), (0,), [2 * x[None]], weights) == [False]
    assert agreeing(torch.square, (x,), (0,), [None], weights) == [False]


def test_the_inputs_are_left_alone():
    def writes(x, w):
        w += 1
        return x.exp_() + w.sum()

    x, w = X.clone(), W.clone()
    agreeing(writes, (x, w), (0,), [None])
    assert torch.equal(x, X)
    assert torch.equal(w, W)


def test_a_direction_moves_every_number_in_its_own_way():
    step = direction(X)
    assert step.abs().min() >= 0.5
    assert len(step.unique()) == step.numel()
    assert step.min() < 0 < step.max()
