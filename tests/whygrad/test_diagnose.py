"""`diagnose`: its arguments, its result, and laws that hold for any Function."""

import doctest

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.autograd import Function

from whygrad import diagnosing as module
from whygrad.diagnosing import diagnose

DOUBLE = torch.float64


class Square(Function):
    """x², with a backward that is multiplied by `factor`."""

    factor = 1.0

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @classmethod
    def backward(cls, ctx, grad_y):
        (x,) = ctx.saved_tensors
        return cls.bend(2 * x * grad_y)

    @classmethod
    def bend(cls, grad):
        return cls.factor * grad


def numbers(*shape):
    generator = torch.Generator().manual_seed(3)
    return torch.randn(shape, generator=generator, dtype=DOUBLE)


def scaled(factor):
    return type("Scaled", (Square,), {"factor": factor})


def bent(bend):
    return type("Bent", (Square,), {"bend": staticmethod(bend)})


def test_the_example_in_its_documentation_runs():
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def test_a_right_function_is_ok_under_all_its_names():
    for fn in (Square, Square.apply, lambda x: Square.apply(x)):
        diagnosis = diagnose(fn, numbers(3, 2), order=2)
        assert (diagnosis.ok, diagnosis.name, diagnosis.names) == (True, "ok", ("ok",))


@pytest.mark.parametrize("shape", [(), (1,), (4,), (3, 2), (2, 3, 2)])
@pytest.mark.parametrize("reference", [None, torch.square])
def test_any_shape_will_do(shape, reference):
    assert diagnose(Square, numbers(*shape), reference=reference, order=2).ok
    assert diagnose(scaled(-1.0), numbers(*shape), reference=reference).name == "wrong-sign"


@given(st.floats(-9, 9).filter(lambda c: abs(abs(c) - 1) > 0.05 and abs(c) > 0.05))
@settings(max_examples=12, deadline=None)
def test_a_constant_factor_is_named_whatever_it_is(factor):
    assert diagnose(scaled(factor), numbers(5, 3)).name == "wrong-factor"


@given(st.integers(2, 6), st.integers(2, 6))
@settings(max_examples=8, deadline=None)
def test_a_mean_is_told_from_a_factor_by_other_sizes(rows, columns):
    x = numbers(rows, columns)
    assert diagnose(bent(lambda grad: grad / grad.numel()), x).names == ("sum-or-mean",)
    assert diagnose(bent(lambda grad: grad / len(grad)), x).names == ("sum-or-mean",)
    assert diagnose(scaled(1 / rows), x).names == ("wrong-factor",)


@given(
    st.sampled_from(
        [
            lambda grad: grad.clamp(-1, 1),
            lambda grad: grad.sign(),
            lambda grad: grad * grad.abs(),
            lambda grad: grad / (grad.norm() + 1e-9),
            lambda grad: grad + 0.01,
            torch.tanh,
        ]
    ),
    st.integers(1, 4),
)
@settings(max_examples=12, deadline=None)
def test_what_is_not_linear_is_named_so(bend, rows):
    assert diagnose(bent(bend), numbers(rows, 3)).name == "not-linear-in-grad-output"


def test_the_evidence_is_plain_data():
    import json

    diagnosis = diagnose(scaled(3.0), numbers(3, 2))
    assert json.loads(json.dumps(diagnosis.evidence)) == diagnosis.evidence
    assert diagnosis.evidence["ok"] is False


def test_the_message_says_by_which_factor():
    assert "3 times" in diagnose(scaled(3.0), numbers(3, 2)).message


def test_the_student_s_own_line_is_shown():
    class Typo(Square):
        @staticmethod
        def backward(ctx, grad_y):
            return 2 * ctx.x_typed_wrong * grad_y

    diagnosis = diagnose(Typo, numbers(3))
    assert diagnosis.name == "raises"
    assert diagnosis.verdict.raised.line == "return 2 * ctx.x_typed_wrong * grad_y"
    assert "x_typed_wrong" in diagnosis.message


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        ((3, numbers(2)), {}, TypeError, "pass a Function subclass"),
        ((Square, numbers(2).to(torch.float8_e4m3fn)), {}, TypeError, "pass it as float64"),
        ((Square, numbers(2).to_sparse()), {}, ValueError, "no dense tensor"),
        ((Square, numbers(2).to("meta")), {}, TypeError, "has no numbers"),
        ((Square,), {}, ValueError, "pass at least one"),
        ((Square, numbers(2)), {"order": 3}, ValueError, "pass 1, or 2"),
        ((Square, numbers(2)), {"reference": 3}, TypeError, "pass a callable"),
        ((Square, numbers(2)), {"reference": lambda: 0}, ValueError, "the reference raised"),
    ],
)
def test_unusable_arguments_raise_and_say_what_to_do(arguments, options, error, words):
    with pytest.raises(error, match=words):
        diagnose(*arguments, **options)


@pytest.mark.parametrize(
    "reference", [lambda x: None, lambda x: x.detach().numpy(), lambda x: torch.square(x.detach())]
)
def test_a_reference_that_returns_nothing_with_a_gradient_is_refused(reference):
    with pytest.raises(ValueError, match="returned no tensor with a gradient"):
        diagnose(Square, numbers(3), reference=reference)


class CutSquare(Function):
    """x², whose gradient has no way back to x."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, dy):
        return 2 * ctx.saved_tensors[0].detach() * dy


def test_an_incoming_gradient_has_the_name_that_backward_gives_it():
    for fn, name in ((CutSquare, "dy"), (lambda x: CutSquare.apply(x), "grad_output")):
        looked_at = [line.name for line in diagnose(fn, numbers(3), order=2).verdict.properties]
        assert f"second derivative: gradient of x, by {name}" in looked_at


class HalfSquare(Function):
    """k x², with half of its gradient."""

    @staticmethod
    def forward(ctx, x, k):
        ctx.save_for_backward(x)
        ctx.k = k
        return k * x**2

    @staticmethod
    def backward(ctx, dy):
        (x,) = ctx.saved_tensors
        return ctx.k * x * dy, None


def test_a_wrong_number_comes_with_the_input_at_its_place():
    x = torch.tensor([[1.5, 2.0], [4.0, 3.0]], dtype=DOUBLE)
    found = diagnose(HalfSquare, x, 0.5)
    (line,) = [one for one in found.verdict.properties if one.ok is False]
    incoming = found.evidence["measured"]["trials"][0]["grad_outputs"][0]["data"].split()[0]
    assert line.where == "[0, 0]"
    assert line.given.startswith("x is 1.5, k is 0.5 and dy is ")
    given = float(line.given.rpartition(" ")[2])
    assert given == pytest.approx(float(incoming), rel=1e-3)
    assert float(line.expected) == pytest.approx(1.5 * given, rel=1e-3)
    for shown in found._repr_mimebundle_(None).values():
        assert line.given in shown


def test_a_gradient_that_is_no_elementwise_one_comes_with_no_input():
    class Times(Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(x, w)
            return x @ w

        @staticmethod
        def backward(ctx, dy):
            x, w = ctx.saved_tensors
            return -dy @ w.T, x.T @ dy

    found = diagnose(Times, numbers(3, 4), numbers(4, 2))
    (line,) = [one for one in found.verdict.properties if one.ok is False]
    assert (line.name, line.given) == ("gradient of x", "")


class Weighed(Function):
    """a times b, and a bias where there is one."""

    @staticmethod
    def forward(ctx, a, b, bias=None):
        ctx.save_for_backward(a, b)
        return a * b if bias is None else a * b + bias

    @staticmethod
    def backward(ctx, grad_y):
        a, b = ctx.saved_tensors
        return grad_y * b, grad_y * a, grad_y


class Summed(Function):
    @staticmethod
    def forward(ctx, *parts):
        ctx.count = len(parts)
        return sum(parts)

    @staticmethod
    def backward(ctx, grad_y):
        return (grad_y,) * ctx.count


@pytest.mark.parametrize("count", [1, 4])
def test_inputs_that_do_not_fit_forward_are_refused(count):
    x = torch.ones(3, dtype=torch.float64)
    words = rf"Weighed takes 2 to 3 inputs \(a, b, bias\) and got {count}"
    for fn in (Weighed, Weighed.apply):
        with pytest.raises(TypeError, match=words):
            diagnose(fn, *[x] * count)


def test_inputs_that_fit_forward_are_taken():
    x = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64)
    assert diagnose(Weighed, x, x + 1, x + 2).ok
    assert diagnose(Summed, x, x + 1, x + 2).ok
    assert diagnose(Summed, x).ok


def test_an_object_of_a_function_is_called_by_its_class_in_the_report():
    with pytest.warns(DeprecationWarning, match="instantiated"):
        made = Weighed()
    assert diagnose(made, torch.ones(3, dtype=torch.float64)).title == "Weighed"


def test_what_is_kept_is_no_copy_of_an_input_that_it_equals_by_accident():
    class Climb(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(3 * x**2)
            return x**3

        @staticmethod
        def backward(ctx, grad_y):
            (slope,) = ctx.saved_tensors
            return grad_y * slope

    x = torch.tensor([1 / 3, 0.0], dtype=torch.float64)
    (finding,) = diagnose(Climb, x, order=2).verdict.findings
    assert finding.why.startswith("Backward uses a tensor that forward computed")
