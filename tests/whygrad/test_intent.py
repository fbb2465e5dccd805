"""What a backward is meant to be can be said, and it is held against that by all laws."""

import pytest
import torch
from torch.autograd import Function

from whygrad import diagnose

DOUBLE = torch.float64


def numbers(*shape):
    generator = torch.Generator().manual_seed(11)
    return torch.randn(shape, generator=generator, dtype=DOUBLE)


def function(forward, backward):
    """Make a Function of two plain functions."""
    methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Made", (Function,), methods)


class RoundThrough(Function):
    """Rounds, and hands the gradient on as if it did not."""

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad_y):
        return grad_y


class Reverse(Function):
    """Hands x on, and the gradient back with the other sign, times a strength."""

    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_y):
        return -ctx.strength * grad_y, None


class Clip(Function):
    """Hands x on, and clips the gradient."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad_y):
        return grad_y.clamp(-0.5, 0.5)


@pytest.mark.parametrize(
    "intended",
    [
        lambda x: x,
        lambda x: x + (x.round() - x).detach(),
        lambda grad_y, x: grad_y,
        lambda x: lambda grad_y: grad_y,
    ],
)
@pytest.mark.parametrize("shape", [(), (5,), (3, 4), (9, 7)])
def test_intent_can_be_said_in_each_of_the_ways(intended, shape):
    assert diagnose(RoundThrough, numbers(*shape), intended=intended, order=2).ok


@pytest.mark.parametrize(
    ("intended", "name"),
    [
        (lambda x: -x, "wrong-sign"),
        (lambda grad_y, x: 3 * grad_y, "wrong-factor"),
        (lambda x: lambda grad_y: grad_y * x, "wrong-gradient"),
        (lambda x: x.mean() + x.detach(), "sum-or-mean"),
    ],
)
def test_a_backward_that_is_not_the_intended_one_is_named(intended, name):
    found = diagnose(RoundThrough, 2 + numbers(3, 4).abs(), intended=intended)
    assert not found.ok
    assert name != "wrong-sign" or found.names == (name,)
    assert name != "wrong-factor" or "0.3333 times" in found.message


def test_a_wrong_one_of_many_numbers_is_explained_too():
    found = diagnose(RoundThrough, numbers(9, 8), intended=lambda x: -2 * x)
    assert found.names == ("wrong-factor", "wrong-sign")


def test_forward_is_not_held_against_what_is_intended_but_against_the_reference():
    x = numbers(3, 4)
    assert diagnose(RoundThrough, x, intended=lambda x: 7 * x / 7).ok
    assert diagnose(RoundThrough, x, reference=torch.round, intended=lambda x: x).ok
    found = diagnose(RoundThrough, x, reference=torch.floor, intended=lambda x: x)
    assert found.name == "wrong-forward"


@pytest.mark.parametrize("strength", [0.5, 2.0])
def test_plain_arguments_reach_what_is_intended(strength):
    by_autograd = lambda x, strength: x.detach() - strength * (x - x.detach())  # noqa: E731
    assert diagnose(Reverse, numbers(3), strength, intended=by_autograd, order=2).ok
    by_hand = lambda grad_y, x, strength: -strength * grad_y  # noqa: E731
    assert diagnose(Reverse, numbers(3), strength, intended=by_hand, order=2).ok
    found = diagnose(Reverse, numbers(3), strength, intended=lambda x, strength: -3 * strength * x)
    assert found.name == "wrong-factor"


def test_a_backward_that_is_not_linear_on_purpose_is_compared_for_each_incoming_gradient():
    x = numbers(3, 4)
    assert diagnose(Clip, x, intended=lambda grad_y, x: grad_y.clamp(-0.5, 0.5), order=2).ok
    found = diagnose(Clip, x, intended=lambda grad_y, x: grad_y.clamp(-0.7, 0.7))
    assert found.name == "wrong-gradient"
    assert found.names != ("not-linear-in-grad-output",)


def test_a_backward_that_is_not_linear_where_a_linear_one_is_meant_is_named_so():
    assert diagnose(Clip, numbers(3, 4), intended=lambda x: x).name == "not-linear-in-grad-output"


def test_a_clipped_gradient_that_fits_one_incoming_gradient_alone_is_found():
    """At small incoming gradients nothing is clipped, so that both are one."""
    never = function(lambda ctx, x: x.clone(), lambda ctx, g: g if g.abs().max() < 99 else g * 0)
    found = diagnose(never, numbers(3), intended=lambda grad_y, x: grad_y.clamp(-99, 99))
    assert not found.ok


def shortened(grad_y, most=0.4):
    return grad_y * (most / grad_y.norm()).clamp(max=1) if grad_y.any() else grad_y


@pytest.mark.parametrize(
    "backward",
    [
        lambda ctx, g: g.clone(),
        lambda ctx, g: 0.4 / g.norm() * g,  # right, but for what is short
    ],
    ids=["as it came", "always"],
)
def test_where_no_jacobian_can_be_right_nothing_is_explained_by_one(backward):
    made = function(lambda ctx, x: x.clone(), backward)
    found = diagnose(made, numbers(3, 3), intended=lambda grad_y, x: shortened(grad_y))
    assert found.name == "wrong-gradient"


def test_several_inputs_and_outputs_have_their_gradients_given_at_once():
    class Both(Function):
        @staticmethod
        def forward(ctx, x, y):
            return x.sign(), x.detach().long(), y.sign()

        @staticmethod
        def backward(ctx, grad_a, grad_none, grad_b):
            return grad_a * 2, grad_b * 3

    x, y = numbers(4), numbers(4) + 1
    meant = lambda grad_a, grad_b, x, y: (2 * grad_a, 3 * grad_b)  # noqa: E731
    assert diagnose(Both, x, y, intended=meant).ok
    assert diagnose(Both, x, y, intended=lambda x, y: (2 * x, 3 * y)).ok
    turned = lambda grad_a, grad_b, x, y: (3 * grad_b, 2 * grad_a)  # noqa: E731
    assert diagnose(Both, x, y, intended=turned).name == "swapped-gradients"


def test_the_laws_are_those_of_any_backward():
    x, same = numbers(3, 4), lambda x: x
    in_place = function(lambda ctx, x: x.clone(), lambda ctx, g: g.mul_(4))
    found = diagnose(in_place, x, intended=lambda grad_y, x: 4 * grad_y)
    assert found.name == "modifies-grad-output"
    ignores = function(lambda ctx, x: x.round(), lambda ctx, g: torch.ones_like(g))
    assert diagnose(ignores, x, intended=same).name == "grad-output-ignored"
    low = function(lambda ctx, x: x.round(), lambda ctx, g: g.float())
    assert diagnose(low, x, intended=same, strict=True).name == "wrong-dtype"
    viewed = function(lambda ctx, x: x.round(), lambda ctx, g: g.view(-1).view(g.shape))
    assert diagnose(viewed, x, intended=same, strict=True).name == "needs-contiguous"
    fixed = function(lambda ctx, x: x.round(), lambda ctx, g: g.expand(3, 4) * 1)
    assert diagnose(fixed, x, intended=same, strict=True).name == "fixed-size"
    cut = function(lambda ctx, x: x.round(), lambda ctx, g: g.detach())
    assert diagnose(cut, x, intended=same, order=2).name == "second-order-lost"
    assert diagnose(cut, x, intended=same, order=1).ok


def test_state_is_found_beside_what_is_intended():
    class Counts(Function):
        calls = 0

        @staticmethod
        def forward(ctx, x):
            return x.round()

        @staticmethod
        def backward(ctx, grad_y):
            Counts.calls += 1
            return grad_y * Counts.calls

    assert diagnose(Counts, numbers(3), intended=lambda x: x).name == "keeps-state"


@pytest.mark.parametrize(
    ("intended", "words"),
    [
        (lambda x: 1 / 0, "intended raised ZeroDivisionError"),
        (lambda grad_y, x: 1 / 0, "intended raised ZeroDivisionError"),
        (lambda x: x.detach(), "no tensor with a gradient"),
        (lambda x: None, "no tensor with a gradient"),
        (lambda grad_y, x: grad_y[0], r"the shape \[4\] as the gradient of input 0"),
        (lambda grad_y, x: (grad_y, grad_y), "2 gradients for 1 input"),
        (lambda grad_y, x: 3.0, "returned no tensor as the gradient"),
        (lambda x: x[0], r"shapes \[\[4\]\], and those of fn are \[\[3, 4\]\]"),
        (lambda a, b, c, d: a, "intended takes 4 arguments, and fn 1"),
    ],
)
def test_an_intended_backward_that_cannot_be_one_is_refused(intended, words):
    with pytest.raises(ValueError, match=words):
        diagnose(RoundThrough, numbers(3, 4), intended=intended)


def test_what_cannot_be_called_is_refused():
    with pytest.raises(TypeError, match="intended is of type int"):
        diagnose(RoundThrough, numbers(3), intended=3)


def test_a_function_that_raises_is_named_before_anything_is_asked_of_intent():
    raising = function(lambda ctx, x: x.no_such_method(), lambda ctx, g: g)
    assert diagnose(raising, numbers(3), intended=lambda x: x).name == "raises"


class Weighted(Function):
    """x w, where w is frozen."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(w)
        return x * w

    @staticmethod
    def backward(ctx, grad_y):
        return grad_y * ctx.saved_tensors[0], None


@pytest.mark.parametrize("constant", [(1,), ("w",), "w", 1, ["w", 1]])
def test_no_gradient_is_due_for_a_constant(constant):
    x, w = numbers(3, 4), numbers(3, 4) + 2
    assert diagnose(Weighted, x, w).name == "missing-gradient"
    assert diagnose(Weighted, x, w, constant=constant, order=2).ok
    assert diagnose(Weighted, x, w, constant=constant, reference=torch.mul, order=2).ok


def test_an_input_that_requires_no_gradient_is_a_constant_beside_one_that_does():
    x, w = numbers(3, 4), numbers(3, 4) + 2
    assert diagnose(Weighted, x.clone().requires_grad_(), w, order=2).ok
    found = diagnose(Weighted, x, w.clone().requires_grad_())
    assert (found.name, found.verdict.findings[0].about) == ("missing-gradient", "w")


def test_the_others_are_judged_beside_a_constant():
    twice = function(
        lambda ctx, x, w: (ctx.save_for_backward(w), x * w)[1],
        lambda ctx, g: (2 * g * ctx.saved_tensors[0], None),
    )
    found = diagnose(twice, numbers(3, 4), numbers(3, 4), constant=(1,))
    assert (found.name, "2 times" in found.message) == ("wrong-factor", True)


def test_a_constant_has_the_same_numbers_in_every_call():
    seen = []

    def noting(x, w):
        seen.append((x.shape, w.clone()))
        return Weighted.apply(x, w)

    x, w = numbers(3, 4), numbers(3, 4)
    assert diagnose(noting, x, w, constant=(1,)).ok
    same_sizes = [value for shape, value in seen if shape == x.shape]
    assert len(same_sizes) > 5
    assert all(torch.equal(value.double(), w) for value in same_sizes if value.dtype == w.dtype)


def test_statistics_that_forward_keeps_in_a_constant_are_no_mistake():
    class Centred(Function):
        @staticmethod
        def forward(ctx, x, mean):
            mean.mul_(0.9).add_(0.1 * x.detach().mean(0))
            return x - x.mean(0)

        @staticmethod
        def backward(ctx, grad_y):
            return grad_y - grad_y.mean(0), None

    x, mean = numbers(5, 3), numbers(3)
    before = mean.clone()
    assert diagnose(Centred, x, mean, constant="mean", order=2).ok
    assert torch.equal(mean, before)
    found = diagnose(Centred, x, mean, order=2)
    assert (found.ok, [one.about for one in found.verdict.remarks]) == (True, ["mean"])
    assert diagnose(Centred, x, mean, strict=True).name == "modifies-input"
    assert torch.equal(mean, before)


def test_who_writes_into_what_the_output_depends_on_keeps_no_statistics_there():
    class Spoils(Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(w)
            return x * w.mul_(2)

        @staticmethod
        def backward(ctx, grad_y):
            return grad_y * ctx.saved_tensors[0], None

    assert diagnose(Spoils, numbers(3), numbers(3)).name == "modifies-input"


@pytest.mark.parametrize(
    ("constant", "words"),
    [
        (("v",), "constant names 'v', which is no input: the inputs are 0 or 'x', 1 or 'w'"),
        ((2,), "constant names 2"),
        ((-1,), "constant names -1"),
        ((0, "w"), "all inputs are constants"),
    ],
)
def test_a_constant_that_is_no_input_is_refused(constant, words):
    with pytest.raises(ValueError, match=words):
        diagnose(Weighted, numbers(3), numbers(3), constant=constant)


def test_intent_and_constants_go_together():
    class Quantize(Function):
        @staticmethod
        def forward(ctx, x, scale):
            ctx.save_for_backward(scale)
            return (x / scale).round() * scale

        @staticmethod
        def backward(ctx, grad_y):
            return grad_y.clone(), None

    x, scale = numbers(3, 4), torch.tensor(0.25, dtype=DOUBLE)
    assert diagnose(Quantize, x, scale, constant="scale", intended=lambda x, scale: x).ok
    by_vjp = lambda grad_y, x, scale: (grad_y, None)  # noqa: E731
    assert diagnose(Quantize, x, scale, constant="scale", intended=by_vjp, order=2).ok
    alone = lambda grad_y, x, scale: grad_y  # noqa: E731
    assert diagnose(Quantize, x, scale, constant="scale", intended=alone).ok
    thrice = lambda x, scale: 3 * x  # noqa: E731
    assert diagnose(Quantize, x, scale, constant=1, intended=thrice).name == "wrong-factor"


def test_none_may_stand_for_an_output_that_has_no_gradient():
    class Nearest(Function):
        @staticmethod
        def forward(ctx, x):
            place = x.argmax(-1)
            ctx.mark_non_differentiable(place)
            return x.round(), place

        @staticmethod
        def backward(ctx, grad_y, _):
            return grad_y

    x = numbers(3, 4)
    assert diagnose(Nearest, x, intended=lambda x: (x, None)).ok
    assert diagnose(Nearest, x, intended=lambda x: (-x, None)).name == "wrong-sign"
