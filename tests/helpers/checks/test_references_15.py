"""The right answers to exercise 15, held to PyTorch's own functions and to an unrolled loop."""

import pytest
import torch
from torch.nn import functional as F
from torch.nn.modules import CrossMapLRN2d

from helpers.checks.references import ex15, slip_answers, slips
from tests.helpers.checks.test_references_06_08 import agree, numbers


@pytest.mark.parametrize("channels", [1, 2, 6, 9])
@pytest.mark.parametrize("size", range(1, 8))
def test_local_norm_is_pytorchs_own_for_every_size(size, channels):
    x = numbers(3, channels)
    y = ex15.LocalNorm.apply(x, size)
    own = F.local_response_norm(x[:, :, None], size, alpha=1.0)[:, :, 0]
    torch.testing.assert_close(y, own)
    grads = [torch.autograd.grad(each, x, numbers(*x.shape, seed=9))[0] for each in (y, own)]
    torch.testing.assert_close(*grads)


def test_the_code_to_repair_has_the_values_of_the_layer_that_ships():
    x = numbers(2, 6).detach()
    layer = CrossMapLRN2d(3, alpha=1.0)(x[:, :, None, None])[:, :, 0, 0]
    if torch.allclose(layer, F.local_response_norm(x[:, :, None], 3, alpha=1.0)[:, :, 0]):
        pytest.skip("this PyTorch has mended the layer")
    (given,) = slip_answers("15.1", slips("15.1")[0])
    torch.testing.assert_close(given.apply(x, 3), layer)


@pytest.mark.parametrize("shape", [(4, 5, 3, 2), (1, 1, 1, 1), (3, 2, 1, 4)], ids=str)
def test_attention_is_pytorchs_own_twice_differentiated(shape):
    n, m, d, e = shape
    inputs = numbers(n, d, seed=1), numbers(m, d, seed=2), numbers(m, e, seed=3)
    agree(ex15.Attention.apply, F.scaled_dot_product_attention, inputs)


@pytest.mark.parametrize(("rows", "size"), [(3, 4), (1, 2), (0, 3), (5, 1)])
def test_a_fixed_point_has_the_gradients_of_the_unrolled_loop(rows, size):
    x, W = numbers(rows, size), numbers(size, size, seed=1)
    W = (W / (2 * W.norm())).detach().requires_grad_()

    def unrolled(x, W):
        z = torch.zeros_like(x)
        for _ in range(80):
            z = torch.tanh(z @ W.T + x)
        return z

    values = [fn(x, W) for fn in (ex15.FixedPoint.apply, unrolled)]
    torch.testing.assert_close(*values)
    grads = [torch.autograd.grad(z, (x, W), numbers(*z.shape, seed=9)) for z in values]
    torch.testing.assert_close(*grads)
