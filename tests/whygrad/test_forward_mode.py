"""A Function's own `jvp` is held against finite differences of forward, and against backward."""

import re

import pytest
import torch
from torch.autograd import Function

from tests.whygrad.wrong_functions.case import normal
from whygrad import diagnose
from whygrad.evidence import Evidence, Trial
from whygrad.judge.inquiry import Inquiry
from whygrad.judge.tangents import WRONG, jvp
from whygrad.measure.forward_mode import forward_mode
from whygrad.verdict import Finding

X, W = normal(3, 4), normal(4, 2, seed=1)


class Product(Function):
    """x @ W in the old style: forward saves."""

    @staticmethod
    def forward(ctx, x, W):
        ctx.save_for_backward(x, W)
        ctx.save_for_forward(x, W)
        return x @ W

    @staticmethod
    def backward(ctx, grad_y):
        x, W = ctx.saved_tensors
        return grad_y @ W.T, x.T @ grad_y

    @staticmethod
    def jvp(ctx, x_t, W_t):
        x, W = ctx.saved_tensors
        return x_t @ W + x @ W_t


class Sine(Function):
    """sin x in the new style: setup_context saves."""

    @staticmethod
    def forward(x):
        return x.sin()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
        ctx.save_for_forward(*inputs)

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return grad_y * x.cos()

    @staticmethod
    def jvp(ctx, x_t):
        (x,) = ctx.saved_tensors
        return x_t * x.cos()


def with_jvp(base, jvp):
    return type("Other", (base,), {"jvp": staticmethod(jvp)})


class Plain(Function):
    """sin x without a jvp."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return grad_y * x.cos()


class OnlyThoseThereAre(Product):
    """Tangents that are not there arrive as None, and are left out."""

    @staticmethod
    def forward(ctx, x, W):
        ctx.set_materialize_grads(False)
        return Product.forward(ctx, x, W)

    @staticmethod
    def jvp(ctx, x_t, W_t):
        x, W = ctx.saved_tensors
        parts = [None if x_t is None else x_t @ W, None if W_t is None else x @ W_t]
        parts = [part for part in parts if part is not None]
        return sum(parts[1:], parts[0])


class TwoOutputs(Function):
    """x² and the sum of x, with an integer beside them."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return x**2, x.sum()

    @staticmethod
    def backward(ctx, grad_square, grad_sum):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_square + grad_sum

    @staticmethod
    def jvp(ctx, x_t):
        (x,) = ctx.saved_tensors
        return 2 * x * x_t, x_t.sum()


class Round(Function):
    """A gradient that is passed on, forwards as it is backwards."""

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad_y):
        return grad_y

    @staticmethod
    def jvp(ctx, x_t):
        return x_t.clone()


class InFloat32(Plain):
    """A square, computed in float32 inside."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return (x.float() ** 2).double()

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y


def jvp_findings(diagnosis):
    every = (diagnosis.verdict.findings, *diagnosis.verdict.others)
    return [finding for group in every for finding in group if "jvp" in str(finding)]


@pytest.mark.parametrize(
    ("fn", "inputs"),
    [(Product, (X, W)), (Sine, (X,)), (OnlyThoseThereAre, (X, W)), (TwoOutputs, (X,))],
)
def test_a_right_jvp_is_right_and_is_said_to_be_examined(fn, inputs):
    diagnosis = diagnose(fn, *inputs)
    assert diagnosis.ok, diagnosis.message
    assert [p.ok for p in diagnosis.verdict.properties if p.name == "jvp"] == [True]
    assert len(diagnosis.evidence["measured"]["trials"][0]["jvp"]) == 1


def test_a_function_without_a_jvp_is_not_asked_for_one():
    diagnosis = diagnose(Plain, X)
    assert diagnosis.ok
    assert "jvp" not in diagnosis.evidence["measured"]["trials"][0]


@pytest.mark.parametrize(
    ("jvp", "words"),
    [
        (lambda ctx, t: -t * ctx.saved_tensors[0].cos(), "the negative of the right one"),
        (lambda ctx, t: 3 * t * ctx.saved_tensors[0].cos(), "3 times the right one"),
        (lambda ctx, t: t * ctx.saved_tensors[0].sin(), "should be"),
        (lambda ctx, t: ctx.saved_tensors[0].cos(), "should be"),
        (lambda ctx, t: torch.zeros_like(t), "should be"),
        (lambda ctx, t: (t * ctx.saved_tensors[0].cos()).float(), "The tangent is float32"),
        (lambda ctx, t: t.sum(), "PyTorch says"),
        (lambda ctx, t: (t, t), "PyTorch says"),
        (lambda ctx: 0, "Python says"),
    ],
)
def test_a_wrong_jvp_is_named_with_what_is_wrong(jvp, words):
    diagnosis = diagnose(with_jvp(Sine, jvp), X)
    assert diagnosis.names == ("wrong-jvp",)
    assert words in diagnosis.message
    assert "Other" in diagnosis.message


@pytest.mark.parametrize(
    ("jvp", "words"),
    [
        (lambda ctx, a, b: a @ ctx.saved_tensors[1], "It leaves out the tangent of W."),
        (lambda ctx, a, b: ctx.saved_tensors[0] @ b, "It leaves out the tangent of x."),
        (
            lambda ctx, a, b: a @ ctx.saved_tensors[1] - ctx.saved_tensors[0] @ b,
            "What is wrong is the part of the tangent of W.",
        ),
    ],
)
def test_the_input_whose_tangent_is_left_out_is_named(jvp, words):
    diagnosis = diagnose(with_jvp(Product, jvp), X, W)
    assert diagnosis.names == ("wrong-jvp",)
    assert words in diagnosis.message


def test_a_tangent_that_is_none_and_is_used_all_the_same_is_said_to_be_so():
    fn = with_jvp(OnlyThoseThereAre, Product.jvp)
    diagnosis = diagnose(fn, X, W)
    assert diagnosis.name == "raises"
    assert diagnosis.verdict.raised.phase == "jvp"
    assert diagnosis.verdict.raised.method == "Product.jvp"
    assert "`jvp` gets None for an input that has no tangent." in repr(diagnosis)


def test_a_jvp_that_raises_is_quoted_with_its_line():
    diagnosis = diagnose(with_jvp(Sine, lambda ctx, t: t * ctx.lost), X)
    assert diagnosis.name == "raises"
    assert "In jvp" in diagnosis.message
    assert "lost" in diagnosis.message


def test_a_jvp_that_is_meant_as_the_backward_is_is_not_held_against_the_slope():
    diagnosis = diagnose(Round, 3 * X, intended=lambda x: x + (x.round() - x).detach())
    assert jvp_findings(diagnosis) == []


def test_a_jvp_is_not_accused_of_what_backward_does_wrong():
    class Wrong(Sine):
        @staticmethod
        def backward(ctx, grad_y):
            return -Sine.backward(ctx, grad_y)

    diagnosis = diagnose(Wrong, X)
    assert diagnosis.name == "wrong-sign"
    assert jvp_findings(diagnosis) == []


def names_of(function, value):
    base = Trial("base", "", [], jvp=forward_mode([(function, (value,))], seed=0))
    return [finding.name for finding in jvp(Inquiry(Evidence(1, [base]), base, None, None, ["x"]))]


@pytest.mark.parametrize(("factor", "names"), [(2.0, []), (1.0, [WRONG]), (2.1, [WRONG])])
def test_few_digits_are_compared_where_forward_computes_in_float32_inside(factor, names):
    fn = with_jvp(InFloat32, lambda ctx, t: factor * ctx.saved_tensors[0] * t)
    assert names_of(fn, X) == names


def test_each_function_inside_a_callable_is_looked_at():
    wrong = with_jvp(Sine, lambda ctx, t: -Sine.jvp(ctx, t))
    diagnosis = diagnose(lambda x, W: wrong.apply(Product.apply(x, W)).exp(), X, W)
    assert diagnosis.names == ("wrong-jvp",)
    assert diagnosis.verdict.findings[0] == Finding(
        "wrong-jvp", "Other", "It is the negative of the right one."
    )
    lines = {p.name: p.ok for p in diagnosis.verdict.properties}
    assert (lines["jvp of Product"], lines["jvp of Other"]) == (True, False)


@pytest.mark.parametrize(("factor", "names"), [(1.0, []), (-1.0, [WRONG]), (1j, [WRONG])])
def test_tangents_may_be_complex(factor, names):
    class Turn(Function):
        @staticmethod
        def forward(ctx, z):
            return (1 + 2j) * z

        @staticmethod
        def backward(ctx, grad_y):
            return (1 - 2j) * grad_y

        @staticmethod
        def jvp(ctx, z_t):
            return factor * (1 + 2j) * z_t

    z = torch.complex(X, X.flip(0))
    assert names_of(Turn, z) == names


@pytest.mark.parametrize(("factor", "names"), [(1.0, []), (1.1, [WRONG])])
def test_inputs_may_be_float32(factor, names):
    fn = with_jvp(Sine, lambda ctx, t: factor * Sine.jvp(ctx, t))
    assert names_of(fn, X.float()) == names


def test_a_jvp_that_is_not_written_is_none():
    def stub(ctx, x_t):
        raise NotImplementedError

    diagnosis = diagnose(with_jvp(Sine, stub), X)
    assert diagnosis.ok
    assert not [p for p in diagnosis.verdict.properties if p.name == "jvp"]


def test_a_jvp_on_large_inputs_is_said_to_be_left_out():
    left_out = diagnose(Sine, normal(40, 40)).verdict.left_out
    assert "pass small inputs" in left_out["jvp"]


def test_a_wrong_tangent_is_told_with_the_inputs_and_tangents_that_it_belongs_to():
    diagnosis = diagnose(with_jvp(Sine, lambda ctx, t: t * ctx.saved_tensors[0]), X)
    assert re.search(r"where x is \S+ and x_t is \S+, the tangent is", diagnosis.message)


def test_jvp_and_backward_find_what_was_saved_for_each_as_lesson_11_says():
    class Saves(Sine):
        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs, output)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, grad_y):
            return grad_y * len(ctx.saved_tensors)

        @staticmethod
        def jvp(ctx, x_t):
            return x_t * len(ctx.saved_tensors)

    one = torch.ones(1)
    assert torch.func.jvp(Saves.apply, (one,), (one,))[1] == 1
    assert torch.func.grad(lambda x: Saves.apply(x).sum())(one) == 2
