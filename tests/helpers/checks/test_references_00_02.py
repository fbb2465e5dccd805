"""The right answers to exercises 0 to 2, held to PyTorch's own functions and optimizer."""

import pytest
import torch
from torch.autograd import gradcheck
from torch.nn import functional as F

from helpers.checks.references import ex00, ex01, ex02
from helpers.checks.tasks import load


def numbers(*shape: int, seed: int = 0) -> torch.Tensor:
    """Return normal numbers in float64 that require a gradient."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()


def agree(fn, own, inputs) -> None:
    """Compare the values and all gradients of a Function with those of PyTorch's own function."""
    wanted = [value for value in inputs if isinstance(value, torch.Tensor)]
    mine, right = fn(*inputs), own(*inputs)
    grad_y = numbers(*right.shape, seed=9).detach()
    torch.testing.assert_close(mine, right)
    for one, other in zip(
        torch.autograd.grad(mine, wanted, grad_y),
        torch.autograd.grad(right, wanted, grad_y),
        strict=True,
    ):
        torch.testing.assert_close(one, other)


def neuron() -> tuple[torch.Tensor, ...]:
    """Return x (6, 3), target (6), w (3) and b ()."""
    return (
        numbers(6, 3).detach(),
        numbers(6, seed=1).detach(),
        numbers(3, seed=2).detach(),
        numbers(seed=3).detach(),
    )


def test_gradients_by_hand_are_those_of_mse_loss():
    x, target, w, b = neuron()
    w.requires_grad_(), b.requires_grad_()
    right = torch.autograd.grad(F.mse_loss(x @ w + b, target), (w, b))
    for mine, due in zip(ex00.gradients(x, target, w.detach(), b.detach()), right, strict=True):
        torch.testing.assert_close(mine, due)


@pytest.mark.parametrize("steps", [0, 1, 5])
def test_training_is_that_of_torch_optim(steps):
    x, target, w, b = neuron()
    right_w, right_b = w.clone().requires_grad_(), b.clone().requires_grad_()
    optimizer = torch.optim.SGD([right_w, right_b], lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        F.mse_loss(x @ right_w + right_b, target).backward()
        optimizer.step()
    mine = ex00.train(x, target, w, b, 0.1, steps)
    torch.testing.assert_close(mine, (right_w.detach(), right_b.detach()))


@pytest.mark.parametrize(("rows", "columns"), [(4, 3), (1, 1), (3, 3), (0, 2)])
@pytest.mark.parametrize("with_c", [True, False])
def test_affine_is_linear_with_its_weight_turned(rows, columns, with_c):
    inputs = numbers(rows, 5), numbers(5, columns, seed=1), numbers(columns, seed=2)
    inputs = (*inputs[:2], inputs[2] if with_c else None)
    agree(ex01.Affine.apply, lambda x, V, c: F.linear(x, V.mT, c), inputs)
    assert gradcheck(ex01.Affine.apply, inputs)


@pytest.mark.parametrize(("columns", "rows"), [(4, 3), (1, 1), (3, 3), (0, 2)])
@pytest.mark.parametrize("with_b", [True, False])
def test_columns_is_linear_on_its_side(columns, rows, with_b):
    inputs = numbers(5, columns), numbers(rows, 5, seed=1), numbers(rows, seed=2)
    inputs = (*inputs[:2], inputs[2] if with_b else None)
    agree(ex01.Columns.apply, lambda X, W, b: F.linear(X.mT, W, b).mT, inputs)
    assert gradcheck(ex01.Columns.apply, inputs)


@pytest.mark.parametrize("shape", [(), (7,), (4, 3), (0, 3)], ids=str)
def test_leaky_relu_and_clamp_are_pytorchs(shape):
    x = numbers(*shape)
    agree(ex02.LeakyReLU.apply, F.leaky_relu, (x, 0.01))
    agree(ex02.ClampOne.apply, F.hardtanh, (x,))


@pytest.mark.parametrize("shape", [(7,), (4, 3), (0, 3)], ids=str)
def test_prelu_is_pytorchs(shape):
    agree(ex02.PReLU.apply, F.prelu, (numbers(*shape), numbers(1, seed=1)))


def test_a_clamp_agrees_with_pytorch_and_lets_the_gradient_pass_at_its_edges():
    x = torch.tensor([-1.5, 0.0, 0.9, 2.0], dtype=torch.float64, requires_grad=True)
    agree(ex02.ClampOne.apply, lambda x: x.clamp(-1, 1), (x,))
    edges = torch.tensor([-1.0, 1.0], dtype=torch.float64, requires_grad=True)
    ex02.ClampOne.apply(edges).sum().backward()
    assert edges.grad.tolist() == [1, 1]  # as PyTorch has it up to 2.13


@pytest.mark.parametrize("number", [0, 1, 2])
def test_each_task_has_its_right_answer(number):
    found = {task.id for task in load(number)}
    assert found == set([ex00, ex01, ex02][number].REFERENCES)
