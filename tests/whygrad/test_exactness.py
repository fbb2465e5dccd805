"""What is off by little, of another shape, or not finite, and what could not be compared."""

import pytest
import torch
from torch import Tensor
from torch.autograd import Function

from whygrad import diagnose


class _Almost(Function):
    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        return 1.0001 * x

    @staticmethod
    def backward(ctx, grad_y: Tensor) -> Tensor:
        return grad_y


class _OffInOnePlace(Function):
    """Sums of many terms, of which one is off by little."""

    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        return x.flip(0) * 3 + x.sum(0)

    @staticmethod
    def backward(ctx, grad_y: Tensor) -> Tensor:
        grad = grad_y.flip(0) * 3 + grad_y.sum(0)
        grad[0] += 6e-5 * grad_y[0]
        return grad


class _Square(Function):
    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y


class _Dropped(Function):
    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        mask = 2 * (torch.rand_like(x) > 0.5).to(x.dtype)
        ctx.save_for_backward(mask)
        return mask * x

    @staticmethod
    def backward(ctx, grad_y: Tensor) -> Tensor:
        (mask,) = ctx.saved_tensors
        return mask * grad_y


class _Rows(Function):
    @staticmethod
    def forward(ctx, table: Tensor, ids: Tensor) -> Tensor:
        ctx.save_for_backward(ids)
        ctx.shape = table.shape
        return table[ids]

    @staticmethod
    def backward(ctx, grad_y: Tensor) -> tuple[Tensor, None]:
        (ids,) = ctx.saved_tensors
        grad = grad_y.new_zeros(ctx.shape)
        grad[ids] = grad_y
        return grad, None


def _numbers(*shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
    return torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_what_is_almost_the_identity_is_not(dtype):
    assert diagnose(_Almost, _numbers(3, 2, dtype=dtype)).name == "wrong-factor"


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize("seed", range(3))
def test_a_gradient_that_is_off_by_little_is_wrong(dtype, seed):
    x = torch.rand(2, 6, 2, 2, dtype=dtype, generator=torch.Generator().manual_seed(seed))
    assert diagnose(torch.nn.CrossMapLRN2d(5), x).name == "wrong-gradient"


def test_a_small_error_does_not_hide_in_a_sum():
    found = diagnose(_OffInOnePlace, _numbers(8))
    assert found.name == "wrong-gradient"
    assert "of the largest derivative" in found.message


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        (lambda x: (x**2).sum(), "The shape is [3, 2], and should be []."),
        (lambda x: (x**2).sum(1), "The shape is [3, 2], and should be [3]."),
        (lambda x: (x**2, x), "1 tensor came back ([3, 2]), and 2 are due ([3, 2], [3, 2])."),
    ],
)
def test_a_reference_of_another_shape_finds_a_wrong_forward(reference, said):
    found = diagnose(_Square, _numbers(3, 2), reference=reference)
    assert found.names == ("wrong-forward",)
    assert said in found.message


@pytest.mark.parametrize(("number", "said"), [("nan", "x holds NaN"), ("inf", "x holds inf")])
def test_an_input_that_is_not_finite_is_the_reason(number, said):
    x = _numbers(3, 2)
    x[0, 0] = float(number)
    found = diagnose(_Square, x)
    assert found.names == ("not-examined",)
    assert said in found.message
    assert set(found.left_out.values()) == {said}


def test_a_row_that_was_not_compared_is_not_ticked():
    found = diagnose(_Dropped, _numbers(3, 2))
    assert found.ok
    assert {"layouts", "dtypes"} <= set(found.left_out)
    assert "– float32 inputs: cannot be told" in str(found)
    assert "– non-contiguous tensors: cannot be told" in str(found)


def test_rows_that_occur_twice_are_named():
    found = diagnose(_Rows, _numbers(4, 3), torch.tensor([1, 2, 1]))
    assert found.name == "wrong-mask"
    assert "ids has entries that occur more than once" in str(found)
    assert "index_add_" in str(found)


def test_a_plain_one_is_no_number_of_rows():
    found = diagnose(lambda x, k: _Square.apply(x) + k, _numbers(1, 2), 1)
    assert found.ok
    assert "empty" in found.examined


class _Rounded(_Square):
    """Rounds its gradient to seven digits behind the point: small ones lose their digits."""

    @staticmethod
    def backward(ctx, grad_y: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return (2e7 * x * grad_y).round() / 1e7


def test_a_gradient_of_the_right_shape_is_not_called_one_of_another_shape():
    x = torch.linspace(0.7, 1.9, 12, dtype=torch.float64).reshape(3, 4)
    found = diagnose(_Rounded, x, reference=torch.square)
    assert found.names == ("wrong-gradient",)
