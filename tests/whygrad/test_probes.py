"""What else a Function is tried with: only what the inputs of its author permit."""

import doctest
from itertools import pairwise

import pytest
import torch
from torch.autograd import Function

from whygrad import alike, diagnose, traits
from whygrad.alike import other_numbers, resized
from whygrad.probes import other_probes
from whygrad.traits import has

DOUBLE = torch.float64


def numbers(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=DOUBLE)


def definite(count=3):
    a = numbers(count, count)
    return a @ a.T + count * torch.eye(count, dtype=DOUBLE)


KINDS = {
    "integers": torch.tensor([[3.0, -1.0, 7.0], [2.0, 2.0, 0.0]], dtype=DOUBLE),
    "distinct": torch.tensor([5.0, 1.0, 2.0, 9.0], dtype=DOUBLE),
    "ascending": torch.tensor([-2.0, -0.5, 0.1, 0.2, 4.0], dtype=DOUBLE),
    "descending": torch.tensor([3.0, 2.5, -1.0], dtype=DOUBLE),
    "positive": numbers(4).exp(),
    "between 0 and 1": numbers(5).sigmoid(),
    "between -1 and 1": numbers(5).tanh(),
    "rows that sum to 1": numbers(3, 4).softmax(-1),
    "columns that sum to 1": numbers(3, 4).softmax(0),
    "rows of length 1": torch.nn.functional.normalize(numbers(3, 4)),
    "symmetric": numbers(3, 3) + numbers(3, 3).T,
    "antisymmetric": numbers(3, 3) - numbers(3, 3).T,
    "positive definite": definite(),
    "lower triangular": numbers(4, 4).tril(),
    "upper triangular": numbers(4, 4).triu(),
    "orthogonal": torch.linalg.qr(numbers(3, 3)).Q,
}


@pytest.mark.parametrize("module", [traits, alike])
def test_the_examples_in_the_documentation_run(module):
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("trait", KINDS)
def test_other_numbers_keep_what_the_first_are(trait):
    value = KINDS[trait]
    assert trait in traits.traits(value)
    made = other_numbers(value)
    assert not torch.equal(made, value)
    assert made.shape == value.shape
    assert has(made, traits.traits(value))


@pytest.mark.parametrize("trait", KINDS)
def test_another_size_keeps_what_the_first_are_or_is_not_made(trait):
    value = KINDS[trait]
    for length in set(value.shape):
        made = resized(value, length, length + 2)
        assert made is None or has(made, traits.traits(value))
        assert made is None or length + 2 in made.shape


@pytest.mark.parametrize("trait", ["positive definite", "orthogonal", "lower triangular"])
def test_a_square_matrix_grows_in_both_directions(trait):
    value = KINDS[trait]
    count = len(value)
    made = resized(value, count, count + 2)
    assert made.shape == (count + 2, count + 2)
    assert torch.linalg.matrix_rank(made) == count + 2


def test_masks_one_hot_rows_and_indices_stay():
    mask = torch.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]], dtype=DOUBLE)
    index = torch.tensor([2, 0, 1])
    x = numbers(2, 3)
    probes, _ = other_probes((x, mask, index), None, ["x", "mask", "index"])
    (other,) = [probe for probe in probes if probe.name == "other numbers"]
    assert not torch.equal(other.inputs[0], x)
    assert set(other.inputs[1].unique().tolist()) <= {0.0, 1.0}
    assert torch.equal(other.inputs[1].sum(1), mask.sum(1))
    assert torch.equal(other.inputs[2], index)


def test_no_rows_repeat_in_a_matrix_that_grows():
    probes, _ = other_probes((numbers(3, 3),), None, ["x"])
    (grown,) = [probe.inputs[0] for probe in probes if probe.name.startswith("5 in place of 3")]
    assert torch.linalg.matrix_rank(grown) == 5


def test_an_index_never_leaves_its_range():
    table, index = numbers(5, 2), torch.tensor([4, 1, 1])
    probes, _ = other_probes((table, index), None, ["table", "index"])
    sizes = [probe for probe in probes if probe.law == "fixed-size"]
    assert sizes
    assert all(int(probe.inputs[1].max()) < len(probe.inputs[0]) for probe in sizes)


def test_indices_that_are_distinct_stay_so():
    x, index = numbers(6), torch.tensor([5, 0, 2])
    probes, _ = other_probes((x, index), None, ["x", "index"])
    for probe in probes:
        found = probe.inputs[1]
        assert found.unique().numel() == found.numel()


def test_an_empty_batch_empties_rows_alone():
    x, w, t = numbers(3, 4), numbers(4, 3), numbers(3)
    probes, _ = other_probes((x, w, t), None, ["x", "w", "t"])
    (empty,) = [probe.inputs for probe in probes if probe.law == "fails-on-empty"]
    assert [tuple(value.shape) for value in empty] == [(0, 4), (4, 3), (0,)]


def test_a_square_matrix_has_no_batch_that_could_be_empty():
    probes, left_out = other_probes((definite(),), None, ["A"])
    assert not [probe for probe in probes if probe.law == "fails-on-empty"]
    assert left_out["empty"] == "A is a square matrix, whose rows need not be a batch"


@pytest.mark.parametrize("plain", [4, (2, 4), [4], torch.Size([4])])
def test_a_plain_number_that_is_a_length_leaves_sizes_out(plain):
    probes, left_out = other_probes((numbers(4), plain), None, ["x", "count"])
    assert not [probe for probe in probes if probe.law in ("fixed-size", "fails-on-empty")]
    assert "count is 4" in left_out["other sizes"]
    assert "count is 4" in left_out["empty"]


def test_where_no_other_numbers_can_be_had_it_is_said():
    probes, left_out = other_probes((torch.ones(2, 3, dtype=DOUBLE),), None, ["x"])
    assert "other numbers" not in [probe.name for probe in probes]
    assert "zeros and ones" in left_out["other numbers"]


def test_the_numbers_of_a_constant_stay():
    x, c = numbers(3), numbers(3, seed=1)
    probes, _ = other_probes((x, c), None, ["x", "c"], frozenset({1}))
    (other,) = [probe for probe in probes if probe.name == "other numbers"]
    assert torch.equal(other.inputs[1], c)


def made_of(compute):
    """A Function whose backward is autograd's own, so that it is right."""

    class Right(Function):
        @staticmethod
        def forward(ctx, *inputs):
            ctx.inputs = inputs
            return compute(*inputs)

        @staticmethod
        def backward(ctx, grad_y):
            leaves = [
                v.detach().requires_grad_(v.is_floating_point())
                if isinstance(v, torch.Tensor)
                else v
                for v in ctx.inputs
            ]
            wanted = [v for v in leaves if isinstance(v, torch.Tensor) and v.requires_grad]
            with torch.enable_grad():
                found = iter(torch.autograd.grad(compute(*leaves), wanted, grad_y))
            return tuple(
                next(found) if isinstance(v, torch.Tensor) and v.requires_grad else None
                for v in leaves
            )

    return Right


PERMITTED = {
    "the inverse of a matrix": (torch.linalg.inv, definite()),
    "a Cholesky factor": (lambda a: torch.linalg.cholesky((a + a.mT) / 2), definite()),
    "a log determinant": (torch.logdet, definite()),
    "an entropy of probabilities": (
        lambda p: -(p * p.log()).sum(-1),
        numbers(3, 4).softmax(-1),
    ),
    "an inverse sine": (torch.asin, numbers(5).tanh()),
    "rows of a table": (lambda w, i: w[i], numbers(5, 2), torch.tensor([4, 1, 1])),
    "a permutation": (lambda x, i: x[i], numbers(4), torch.tensor([2, 0, 3, 1])),
    "a number of groups": (lambda x, n: x.reshape(n, -1).sum(1), numbers(6), 3),
    "segments": (
        lambda x, ends: torch.stack([x[a:b].sum() for a, b in pairwise(ends)]),
        numbers(6),
        torch.tensor([0, 2, 6]),
    ),
    "values between knots": (
        lambda x: x.diff().log().cumsum(0),
        torch.tensor([0.1, 0.7, 2.0, 2.2], dtype=DOUBLE),
    ),
    "targets that are one-hot": (
        lambda x, t: -(t * x.log_softmax(-1)).sum(-1),
        numbers(3, 4),
        torch.eye(4, dtype=DOUBLE)[[2, 0, 3]],
    ),
}


@pytest.mark.parametrize("title", PERMITTED)
def test_a_function_of_inputs_with_a_property_is_not_accused(title):
    compute, *inputs = PERMITTED[title]
    found = diagnose(made_of(compute), *inputs)
    assert found.ok, found.message


def test_no_numbers_at_inputs_that_nobody_asked_for_are_no_mistake():
    """A made-up size of 1 has no spread; what comes of it is nan."""
    found = diagnose(made_of(lambda x: (x - x.mean()) / x.std()), numbers(5))
    assert found.ok, found.message


def test_a_batch_of_square_matrices_can_grow_in_its_other_lengths():
    value = torch.arange(8, dtype=torch.float64).reshape(2, 2, 2)[:, None].expand(2, 5, 2, 2) + 0.5
    assert resized(value.clone(), 5, 7).shape == (2, 7, 2, 2)


def alone(*inputs):
    probes, _ = other_probes(inputs, None, [f"input {n}" for n in range(len(inputs))])
    return [
        [tuple(value.shape) for value in probe.inputs]
        for probe in probes
        if probe.name.endswith("alone")
    ]


def test_two_equal_lengths_are_changed_apart():
    labels = torch.tensor([0, 3, 1, 1])
    assert alone(numbers(4, 4), labels) == [[(6, 4), (6,)], [(4, 6), (4,)]]
    assert alone(numbers(4, 4), numbers(4)) == [[(6, 4), (4,)], [(4, 6), (6,)]]


def test_lengths_that_are_one_or_all_differ_are_not_changed_apart():
    assert alone(numbers(4, 3), numbers(4, 3)) == []
    assert alone(numbers(4, 3), numbers(5, 3), numbers(2, 5, 3)) == []
    assert alone(definite(), numbers(3)) == []
    assert alone(numbers(4, 4)) == []
