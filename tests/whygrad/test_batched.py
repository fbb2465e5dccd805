"""What a Function gives under `torch.vmap` is held against a loop over the batch."""

import pytest
import torch
from torch.autograd import Function

from tests.whygrad.test_forward_mode import Plain
from tests.whygrad.wrong_functions.case import normal
from whygrad import diagnose

X, W = normal(3, 4), normal(4, 2, seed=1)


class Product(Function):
    """x @ W; PyTorch makes the rule."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, W):
        return x @ W

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_y):
        x, W = ctx.saved_tensors
        return grad_y @ W.T, x.T @ grad_y


def front(x, dim, size):
    return x.expand(size, *x.shape) if dim is None else x.movedim(dim, 0)


class Ruled(Product):
    """The same with a rule of its own, which is right."""

    generate_vmap_rule = False

    @staticmethod
    def vmap(info, in_dims, x, W):
        pairs = zip((x, W), in_dims, strict=True)
        return Ruled.apply(*(front(t, dim, info.batch_size) for t, dim in pairs)), 0

    @staticmethod
    def backward(ctx, grad_y):
        x, W = ctx.saved_tensors
        return grad_y @ W.mT, x.mT @ grad_y


def with_rule(rule):
    return type("Other", (Ruled,), {"vmap": staticmethod(rule)})


def on_all(info, in_dims, x, W):
    return [front(t, dim, info.batch_size) for t, dim in zip((x, W), in_dims, strict=True)]


@pytest.mark.parametrize("fn", [Product, Ruled])
def test_a_right_rule_is_right(fn):
    diagnosis = diagnose(fn, X, W)
    assert diagnosis.ok, diagnosis.message
    assert [p.ok for p in diagnosis.verdict.properties if p.name == "vmap"] == [True]


def test_every_input_is_batched_alone_and_all_together_and_along_another_dimension():
    (found,) = diagnose(Product, X, W).evidence["measured"]["trials"][0]["vmap"]
    assert [way["in_dims"] for way in found["ways"]] == [
        *([0, 0], [0, None], [None, 0], [2, 2]),
        [0, 2],
        *([2, None], [None, 2]),
    ]
    # As long as no other dimension, so that the batch cannot be mixed up with it.
    assert {way["due"][0]["shape"][0] for way in found["ways"]} == {5}


def test_a_function_without_a_rule_is_not_asked_for_one():
    assert "vmap" not in diagnose(Plain, X).evidence["measured"]["trials"][0]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (
            lambda info, dims, x, W: (x.sum(0) @ W.sum(0) + torch.zeros(5, 3, 2).double(), 0),
            "a loop over the batch gives",
        ),
        (
            lambda info, dims, *given: (Ruled.apply(*on_all(info, dims, *given)), 1),
            "the batch is not where the rule says",
        ),
        (
            lambda info, dims, *given: (Ruled.apply(*on_all(info, dims, *given)).detach(), 0),
            "the gradient of x is lost",
        ),
        (
            lambda info, dims, *given: (Ruled.apply(*on_all(info, dims, *given)).float(), 0),
            "float32, and a loop gives float64",
        ),
        (
            lambda info, dims, *given: (-Ruled.apply(*on_all(info, dims, *given)), 0),
            "With a batch of x and W, `in_dims=(0, 0)`",
        ),
    ],
)
def test_a_wrong_rule_is_named_with_what_is_wrong(rule, words):
    diagnosis = diagnose(with_rule(rule), X, W)
    assert diagnosis.names == ("wrong-vmap",)
    assert words in diagnosis.message


def test_a_rule_that_returns_none_for_the_dimension_of_the_batch_is_told_so():
    rule = with_rule(lambda info, dims, *given: (Ruled.apply(*on_all(info, dims, *given)), dims[0]))
    diagnosis = diagnose(rule, X, W)
    assert diagnosis.names == ("wrong-vmap",)
    said = " ".join(repr(diagnosis).split())
    assert "`in_dims=(None, 0)`" in said
    assert "returns None as the dimension of the batch" in said
    assert "if dim" not in said


def test_a_rule_that_takes_the_batch_to_be_in_front_is_found():
    rule = with_rule(lambda info, dims, x, W: (Ruled.apply(x, W), 0))
    diagnosis = diagnose(rule, X, W, strict=True)
    assert diagnosis.name in ("wrong-vmap", "raises")
    assert "vmap" in diagnosis.message
    # It raises where the batch stands elsewhere, so that nobody gets a wrong number.
    lenient = diagnose(rule, X, W)
    assert (lenient.ok, [one.name for one in lenient.remarks]) == (True, [diagnosis.name])


def test_a_forward_with_ctx_cannot_be_run_by_vmap_and_it_is_said_what_to_do():
    class Old(Plain):
        generate_vmap_rule = True

    diagnosis = diagnose(Old, X)
    assert diagnosis.names == ("wrong-vmap",)
    assert "`setup_context(ctx, inputs, output)`" in repr(diagnosis)


def test_a_rule_of_other_arguments_is_said_to_be_so():
    diagnosis = diagnose(with_rule(lambda in_dims, x, W: (x @ W, 0)), X, W)
    assert diagnosis.names == ("wrong-vmap",)
    assert "Python says" in diagnosis.message


def test_a_rule_that_raises_is_quoted_with_its_line():
    def rule(info, in_dims, x, W):
        return x @ W.missing, 0

    diagnosis = diagnose(with_rule(rule), X, W)
    assert diagnosis.name == "raises"
    assert "In vmap" in diagnosis.message
    assert "`return x @ W.missing, 0`" in diagnosis.message


def test_random_numbers_are_left_out():
    class Noise(Product):
        @staticmethod
        def forward(x, W):
            torch.rand(1)
            return x @ W

    assert diagnose(Noise, X, W).ok


def test_each_function_inside_a_callable_is_looked_at():
    wrong = with_rule(lambda info, dims, *given: (-Ruled.apply(*on_all(info, dims, *given)), 0))
    diagnosis = diagnose(lambda x, W: wrong.apply(x.exp(), W).sum(), X, W)
    assert diagnosis.names == ("wrong-vmap",)


def test_the_gradients_of_a_rule_are_compared_too():
    class Bent(Ruled):
        @staticmethod
        def vmap(info, in_dims, x, W):
            x, W = on_all(info, in_dims, x, W)
            return torch.bmm(x, 2 * W - W.detach()), 0

    diagnosis = diagnose(Bent, X, W)
    assert diagnosis.names == ("wrong-vmap",)
    assert "the gradient of W" in diagnosis.message


def test_a_rule_may_refuse_what_it_cannot_do():
    def rule(info, in_dims, x, W):
        if None in in_dims:
            raise NotImplementedError("both have to have a batch")
        x, W = on_all(info, in_dims, x, W)
        return Ruled.apply(x, W), 0

    assert diagnose(with_rule(rule), X, W).ok
    wrong = with_rule(lambda *given: (-rule(*given)[0], 0))
    assert diagnose(wrong, X, W).names == ("wrong-vmap",)


def test_numbers_that_are_others_each_time_are_no_mistake_of_a_rule():
    generator = torch.Generator().manual_seed(0)

    class Noisy(Ruled):
        @staticmethod
        def forward(x, W):
            return x @ W + torch.rand((), generator=generator, dtype=x.dtype)

        @staticmethod
        def vmap(info, in_dims, x, W):
            return Noisy.apply(*on_all(info, in_dims, x, W)), 0

    found = diagnose(Noisy, X, W)
    assert "wrong-vmap" not in found.names
    assert "random numbers" in found.verdict.left_out["vmap"]


class Permuted(Function):
    """The columns in another order; `torch.vmap` cannot make a rule for a batch of orders."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, order, back):
        return x.index_select(-1, order)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs[1:])

    @staticmethod
    def backward(ctx, grad_y):
        order, back = ctx.saved_tensors
        return Permuted.apply(grad_y, back, order), None, None


def test_what_pytorch_itself_cannot_batch_is_no_mistake_of_the_rule():
    order = torch.tensor([2, 0, 1])
    found = diagnose(Permuted, torch.randn(4, 3, dtype=torch.float64), order, order.argsort())
    assert found.ok, found.message


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (
            lambda info, dims, *given: (Ruled.apply(*on_all(info, dims, *given))[None], 0),
            "The output has a dimension too many.",
        ),
        (
            lambda info, dims, *given: (Ruled.apply(*on_all(info, dims, *given)).mT, 0),
            "dimensions stand in another order",
        ),
    ],
)
def test_a_rule_whose_output_has_other_dimensions_is_told_what_stands_behind_it(rule, words):
    diagnosis = diagnose(with_rule(rule), X, W)
    assert diagnosis.names == ("wrong-vmap",)
    assert words in repr(diagnosis)
