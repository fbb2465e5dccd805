"""The right answers to exercise 10, held to PyTorch's own ways of bending a gradient."""

import pytest
import torch
from torch.nn import functional as F
from torch.nn.utils import clip_grad_norm_

from helpers.checks.answer_check import examine
from helpers.checks.references import ex10
from helpers.checks.tasks import find

SHAPES = [(), (5,), (4, 3), (0, 3)]


def numbers(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()


def gradient(y, *inputs, seed=9):
    grad_y = numbers(*y.shape, seed=seed).detach()
    return (*torch.autograd.grad(y, inputs, grad_y), grad_y)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_sign_has_the_gradient_of_hardtanh(shape):
    x = numbers(*shape)
    y = ex10.SignThrough.apply(x)
    assert torch.equal(y, torch.sign(x))
    assert torch.equal(gradient(y, x)[0], gradient(F.hardtanh(x), x)[0])
    edges = torch.tensor([-1.0, 0.0, 1.0, 1.01], dtype=torch.float64, requires_grad=True)
    (grad,) = torch.autograd.grad(ex10.SignThrough.apply(edges).sum(), edges)
    assert grad.tolist() == [1, 1, 1, 0]


@pytest.mark.parametrize("factor", [0.4, 2, -0.8])
def test_the_branch_is_a_sum_with_a_hook(factor):
    x, z = numbers(3, 2), numbers(3, 2, seed=1)
    by_hand = gradient(ex10.ReverseBranch.apply(x, z, factor), x, z)
    turned = z.clone()
    turned.register_hook(lambda grad: -factor * grad)
    torch.testing.assert_close(by_hand, gradient(x + turned, x, z))


@pytest.mark.parametrize("most", [0.3, 100.0])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_gradient_is_shortened_as_clip_grad_norm_does(shape, most):
    x = numbers(*shape)
    found, grad_y = gradient(ex10.Limit.apply(x, most), x)
    leaf = torch.zeros_like(x, requires_grad=True)
    leaf.grad = grad_y.clone()
    clip_grad_norm_([leaf], most)
    torch.testing.assert_close(found, leaf.grad, atol=1e-5, rtol=1e-5)  # it adds 1e-6
    zeros = torch.zeros_like(x)
    assert torch.equal(torch.autograd.grad(ex10.Limit.apply(x, most), x, zeros)[0], zeros)


def test_a_backward_that_is_meant_to_be_another_is_not_asked_to_be_linear():
    assert find("10.3").intended
    assert examine(find("10.3"), (ex10.Limit,)).ok


def test_a_wrong_rule_is_shown_with_what_stands_at_its_place():
    found = examine(find("10.5"), (lambda grad_y, x: grad_y,))
    assert ", where grad_y is " in found.verdict.findings[0].detail
    assert " and x is " in found.verdict.findings[0].detail


def test_an_output_of_whole_numbers_has_its_dtype_named():
    class Whole(ex10.SignThrough):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.sign().long()

    (finding, *_) = examine(find("10.1"), (Whole,)).verdict.findings
    assert "of the dtype int64" in finding.why
