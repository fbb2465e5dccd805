"""Gradients as plain numbers: copied, few digits, the same on every machine."""

import math

import pytest
import torch

from whygrad.graph.step.backward_pass import Value, differs, read


@pytest.mark.parametrize(
    ("tensor", "text"),
    [
        (torch.tensor(1.0), "1"),
        (torch.tensor([1 / 3, -2e9]), "(2,) [0, -2e+09]"),
        (torch.tensor([[1.0, 2.0], [3.0, 4.0]]), "(2, 2) [[1, 2], [3, 4]]"),
        (torch.ones(3, 1, 2).transpose(0, 2), "(2, 1, 3) [[[1, 1, 1]], [[1, 1, 1]]]"),
        (torch.tensor([math.nan, math.inf, -math.inf]), "(3,) [nan, inf, -inf]"),
        (torch.tensor([1 + 2j, -0.5j]), "(2,) [1+2j, 0-0.5j]"),
        (torch.tensor([1.5], dtype=torch.bfloat16), "(1,) [1.5]"),
        (torch.tensor([1 / 3, -12345.678]), "(2,) [0.3333, -1.235e+04]"),
        (torch.zeros(0, 3), "(0, 3) empty"),
        (torch.full((4, 25), 0.5), "(4, 25) with norm 5"),
        (torch.ones(3).to_sparse(), "(3,) [1, 1, 1]"),
        (torch.ones(3, device="meta"), "(3,) without values"),
    ],
)
def test_small_tensors_in_full_and_large_ones_by_shape_and_norm(tensor, text):
    assert str(read(tensor)) == text


def test_rounding_error_beside_larger_numbers_is_zero():
    assert str(read(torch.tensor([1.0, 2e-7]))) == "(2,) [1, 0]"
    assert str(read(torch.tensor([1.0, 2e-7]).double())) == "(2,) [1, 2e-07]"
    assert str(read(torch.tensor([2e-7]))) == "(1,) [2e-07]"


def test_two_machines_that_differ_in_the_last_digit_write_the_same():
    tie = torch.tensor([0.12345])
    after = torch.nextafter(tie, torch.ones(1))
    assert read(tie).numbers != read(after).numbers
    assert str(read(tie)) == str(read(after))


def test_a_value_is_a_copy_of_that_moment():
    tensor = torch.ones(2)
    value = read(tensor)
    tensor.mul_(7)
    assert value.numbers == (1.0, 1.0)


def test_a_gradient_with_a_history_says_which_function_made_it():
    x = torch.ones(2, requires_grad=True)
    assert str(read(x * 2)) == "(2,) [2, 2], made by MulBackward0"
    assert read(None) is None


@pytest.mark.parametrize(
    ("total", "parts", "expected"),
    [
        (3.0, [1.0, 2.0], False),
        (3.0, [1.0, 2.5], True),
        (3.0, [3.0], False),
        (3.0, [3.001], True),
        (math.nan, [math.nan], False),
        (math.nan, [math.nan, 1.0], False),
        (None, [], False),
        (None, [1.0], True),
        (1.0, [], True),
    ],
)
def test_a_sum_that_a_hook_changed_is_found(total, parts, expected):
    def value(number: float | None) -> Value | None:
        return None if number is None else read(torch.tensor([number]))

    assert differs(value(total), [value(part) for part in parts]) is expected


def test_rounding_in_a_sum_counts_as_no_change():
    parts = [torch.tensor([v]) for v in (0.1, 0.2, 1e-3, 7.7)]
    assert not differs(read(sum(parts)), [read(part) for part in parts])
