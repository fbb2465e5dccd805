"""All independent mistakes are named, worst first; what one explains is not named beside it."""

import pytest
import torch
from torch.autograd import Function

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal
from whygrad.diagnosing import diagnose
from whygrad.judge.precedence import hides, inputs_of
from whygrad.mistakes import ELSEWHERE, KINDS, MISTAKES
from whygrad.verdict import Finding

X = normal(2, 3)
NAMES = ["x", "w"]


class Fourfold(Function):
    """Hands its input on, and writes a factor into the incoming gradient."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        g.mul_(4)
        return g


class RowSums(Function):
    """Sums of x³ + x in float32, without the term of x in its gradient."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        low = x.float()
        return (low**3 + low).sum(1)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x**2 * g[:, None]


class Scaled(Function):
    """w x, with a sign for one gradient and a factor for the other."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return -g * w, (3 * g * x).sum(0)


class HalfCubed(Saved):
    """x³ with half of its gradient, and no way back from there."""

    compute = staticmethod(lambda x: x**3)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 1.5 * x.detach() ** 2 * g


def returning(made):
    """Return a Function whose forward returns this, made of x, and whose gradient forgets g."""

    class Squared(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return made(x)

        @staticmethod
        def backward(ctx, *grads):
            (x,) = ctx.saved_tensors
            return 2 * x

    return Squared


def test_a_factor_does_not_hide_what_is_written_into():
    found = diagnose(Fourfold, X)
    assert len(found.others) == 1
    assert found.names[1:] == ("modifies-grad-output",)
    assert "4 times the incoming gradient" in found.message
    assert found.message.count("Also wrong:") == 1


def test_a_dtype_does_not_hide_a_missing_term():
    found = diagnose(RowSums, X, strict=True)
    assert found.names == ("wrong-gradient", "wrong-dtype")
    lenient = diagnose(RowSums, X)
    assert lenient.names == ("wrong-gradient",)
    assert [one.name for one in lenient.remarks] == ["wrong-dtype"]


def test_each_wrong_gradient_is_named():
    found = diagnose(Scaled, X, normal(3, seed=1))
    assert [(one.name, one.about) for (one,) in found.verdict.groups] == [
        ("wrong-sign", "x"),
        ("wrong-factor", "w"),
    ]
    assert repr(found).startswith("✗ Scaled: wrong-sign, also wrong-factor\n")


@pytest.mark.parametrize(
    "made",
    [
        lambda x: (x**2).numpy(),
        lambda x: (x**2, x.numpy().copy()),
        lambda x: (x**2, None, x.numpy().copy(), 3),
        lambda x: ((x**2).numpy(), x.numpy() + 1),
    ],
    ids=["an array", "one beside a tensor", "one beside None and a number", "two arrays"],
)
def test_an_array_does_not_hide_the_gradient(made):
    found = diagnose(returning(made), X)
    assert found.names == ("wrong-forward", "grad-output-ignored")
    assert "torch.as_tensor" in repr(found)
    assert found.evidence["measured"]["returned_arrays"].endswith("ndarray")
    assert "first order" in found.examined


def test_none_and_plain_values_beside_a_tensor_are_no_mistake():
    assert diagnose(returning(lambda x: (x**2, None, 3)), X).names == ("grad-output-ignored",)


def test_an_array_of_a_function_that_is_no_class_is_named_all_the_same():
    squared = returning(lambda x: (x**2).numpy())
    assert diagnose(lambda x: squared.apply(x), X).names == ("wrong-forward",)


def test_a_wrong_gradient_explains_what_follows_from_it():
    assert diagnose(HalfCubed, X, order=2).names == ("wrong-factor",)


def test_an_exception_in_forward_explains_everything_behind_it():
    def stop(x):
        raise ValueError("no")

    found = diagnose(returning(stop), X, order=2)
    assert (found.names, found.others) == (("raises",), ())
    assert found.examined == ()
    assert found.left_out["first order"] == "another mistake comes before it"


def test_the_evidence_lists_all_of_it():
    found = diagnose(Scaled, X, normal(3, seed=1))
    assert found.evidence["names"] == ["wrong-sign", "wrong-factor"]
    assert [[one["about"] for one in group] for group in found.evidence["findings"]] == [
        ["x"],
        ["w"],
    ]


@pytest.mark.parametrize(
    ("earlier", "later", "hidden"),
    [
        (Finding("wrong-factor", "x"), Finding("second-order-lost", "grad_x by w"), True),
        (Finding("wrong-factor", "x"), Finding("second-order-lost", "grad_w by x"), False),
        (Finding("wrong-factor", "x"), Finding("wrong-factor", "w"), False),
        (Finding("wrong-factor", "x"), Finding("modifies-grad-output"), False),
        (Finding("wrong-factor", "x"), Finding("wrong-dtype", "the output"), False),
        (Finding("swapped-gradients", "x and w"), Finding("wrong-gradient", "w"), True),
        (Finding("modifies-input", "w"), Finding("wrong-gradient", "x"), True),
        (Finding("modifies-input", "w"), Finding("wrong-factor", "x"), False),
        (Finding("fixed-size"), Finding("fails-on-empty"), True),
        (Finding("needs-contiguous"), Finding("wrong-gradient", "x"), False),
    ],
)
def test_what_hides_what(earlier, later, hidden):
    assert hides(earlier, later, NAMES) is hidden


def test_every_row_hides_what_there_is_and_each_kind_has_a_row():
    rows = {name: mistake.hides for name, mistake in MISTAKES.items()} | KINDS
    assert {name: hidden for name, hidden in rows.items() if not {*hidden} <= {*rows}} == {}
    assert {mistake.kind for mistake in MISTAKES.values()} == {"", *KINDS}
    assert {*ELSEWHERE} <= {*MISTAKES}
    assert {*MISTAKES}.isdisjoint(KINDS)


def test_a_finding_is_about_the_inputs_that_it_names():
    assert inputs_of(Finding("wrong-sign", "x"), NAMES) == {"x"}
    assert inputs_of(Finding("swapped-gradients", "x and w"), NAMES) == {"x", "w"}
    assert inputs_of(Finding("second-order-wrong", "grad_w by x"), NAMES) == {"w"}
    assert inputs_of(Finding("keeps-state"), NAMES) == {"x", "w"}
    assert inputs_of(Finding("wrong-sign", "input 1"), ["input 0", "input 1"]) == {"input 1"}


def test_several_exceptions_have_each_their_own_line():
    class Square(Saved):
        compute = staticmethod(torch.square)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            if x.shape[0] == 4:
                raise ValueError("four rows")
            if g.dtype == torch.float32:
                raise KeyError("low")
            return 2 * x * g

    found = diagnose(Square, X, strict=True)
    assert found.names == ("wrong-dtype", "fixed-size")
    assert "four rows" in repr(found)
    assert "low" in repr(found)
