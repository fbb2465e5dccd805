"""What arrives right is a remark, unless the judge is strict; what was not examined is said."""

import json

import pytest
import torch
from torch.autograd import Function

from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.case import normal
from whygrad.diagnosing import diagnose
from whygrad.verdict import EXAMINED

X, B = normal(2, 3), normal(3, seed=1)


class Square(Saved):
    """x²."""

    compute = staticmethod(torch.square)

    @classmethod
    def backward(cls, ctx, g):
        (x,) = ctx.saved_tensors
        return cls.bend(2 * x * g, x, g)

    @staticmethod
    def bend(grad, x, g):
        return grad


def bent(bend):
    return type("Bent", (Square,), {"bend": staticmethod(bend)})


class AddWithoutSum(Function):
    """x + b, which leaves the sum over the rows to the engine."""

    @staticmethod
    def forward(ctx, x, b):
        return x + b

    @staticmethod
    def backward(ctx, g):
        return g, g


class AlwaysSingle(Square):
    """x² in float32, whatever comes in."""

    compute = staticmethod(lambda x: x.float() ** 2)


class OfTwoRows(Square):
    """x², in a forward that takes two rows and no others, which backward does not know."""

    @staticmethod
    def bend(grad, x, g):
        return grad.view(2, 3)


def fails_where(condition):
    def bend(grad, x, g):
        if condition(x, g):
            raise RuntimeError("not these")
        return grad

    return bent(bend)


REMARKS = {
    "a gradient that the engine sums": (AddWithoutSum, (X, B), "not-summed"),
    "a gradient that the engine casts": (
        bent(lambda grad, x, g: grad.float()),
        (X.abs() + 1,),
        "wrong-dtype",
    ),
    "an output of one dtype": (AlwaysSingle, (X,), "wrong-dtype"),
    "sizes that raise": (OfTwoRows, (X,), "fixed-size"),
    "no rows": (fails_where(lambda x, g: not x.numel()), (X,), "fails-on-empty"),
    "layouts that raise": (
        fails_where(lambda x, g: not x.is_contiguous()),
        (X,),
        "needs-contiguous",
    ),
    "a sum that raises": (
        bent(lambda grad, x, g: grad.view(-1).view(grad.shape) + 0 * g.view(-1).view(g.shape)),
        (X,),
        "needs-contiguous",
    ),
}


@pytest.mark.parametrize("case", REMARKS)
def test_what_arrives_right_or_fails_aloud_elsewhere_is_a_remark(case):
    fn, inputs, name = REMARKS[case]
    found = diagnose(fn, *inputs)
    assert (found.ok, found.names) == (True, ("ok",))
    assert name in [one.name for one in found.remarks]
    assert name in [one["name"] for one in found.evidence["remarks"]]
    assert json.loads(json.dumps(found.evidence)) == found.evidence
    text = repr(found)
    assert text.startswith(f"✓ {fn.__name__}\n")
    assert text.index("Nothing wrong was found.") < text.index("Remarks, which are no errors:")
    assert "✗" not in text


@pytest.mark.parametrize("case", REMARKS)
def test_a_strict_judge_calls_each_of_them_an_error(case):
    fn, inputs, name = REMARKS[case]
    found = diagnose(fn, *inputs, strict=True)
    assert not found.ok
    assert name in found.names
    assert found.remarks == ()


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (lambda grad, x, g: grad if len(x) == 2 else 2 * grad, "fixed-size"),
        (lambda grad, x, g: grad if x.is_contiguous() else -grad, "needs-contiguous"),
    ],
)
def test_wrong_numbers_elsewhere_are_an_error_all_the_same(wrong, name):
    assert diagnose(bent(wrong), X).names == (name,)


def test_a_remark_on_an_exception_quotes_it():
    found = diagnose(OfTwoRows, X)
    assert "return grad.view(2, 3)" in repr(found)
    assert "view(2, 3)" in found._repr_mimebundle_()["text/html"]


def test_a_remark_is_made_once():
    names = [one.name for one in diagnose(OfTwoRows, X).remarks]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("identity", [lambda x: x, lambda x: x.view_as(x), lambda x: x[:]])
def test_an_identity_may_return_its_input(identity):
    class Identity(Function):
        @staticmethod
        def forward(ctx, x):
            return identity(x)

        @staticmethod
        def backward(ctx, g):
            return g

    assert diagnose(Identity, X, order=2).ok
    assert diagnose(Identity, X, strict=True).ok
    assert diagnose(Identity, X, reference=lambda x: 1 * x).names == ("returns-input",)


def test_everything_is_either_examined_or_left_out_with_a_reason():
    found = diagnose(Square, X)
    assert set(found.examined) | set(found.left_out) == set(EXAMINED)
    assert not set(found.examined) & set(found.left_out)
    assert all(found.left_out.values())
    assert found.left_out["second order"] == "order is 1"
    assert found.left_out["forward against a reference"] == "no reference"
    whole = diagnose(Square, X, reference=torch.square, order=2)
    assert {"forward against a reference", "second order"} < set(whole.examined)
    last = repr(found).splitlines()[-2:]
    assert last[0].startswith("Examined: first order, other numbers, other sizes, layouts, dtypes")
    assert "second order (order is 1)" in last[1]
    assert "second order (order is 1)" in found._repr_mimebundle_()["text/html"]


def test_a_forward_that_takes_one_size_is_not_examined_at_others():
    class Pair(Square):
        @staticmethod
        def compute(x):
            if x.shape != (2, 3):
                raise ValueError("2 by 3 alone")
            return x**2

    found = diagnose(Pair, X)
    assert found.ok
    assert found.left_out["other sizes"] == found.left_out["empty"]
    assert found.left_out["empty"] == "forward refuses what was tried"
    assert "other numbers" in found.examined


UNEXAMINED = {
    "no numbers": (lambda x: x**2, X[:0], "hold no numbers"),
    "whole numbers come out": (lambda x: x.argmax(1), X, "No output can have a gradient"),
    "nothing is finite": (lambda x: x * torch.inf - x * torch.inf, X, "not finite|jumps"),
}


@pytest.mark.parametrize("case", UNEXAMINED)
def test_what_was_not_compared_is_not_called_right(case):
    compute, x, why = UNEXAMINED[case]
    found = diagnose(type("Made", (Square,), {"compute": staticmethod(compute)}), x)
    assert (found.ok, found.name) == (False, "not-examined")
    assert "first order" in found.left_out
    text = repr(found)
    assert text.startswith("– Made: could not be examined\n")
    assert any(part in found.message for part in why.split("|"))
    assert "✓ gradient of x" not in text


def test_the_heading_is_the_function_s_name():
    for fn in (Square, Square.apply, lambda x: Square.apply(x)):
        assert repr(diagnose(fn, X)).startswith("✓ Square\n")

    def twice(x):
        return Square.apply(Square.apply(x))

    assert diagnose(twice, X).title == "twice"


def test_a_division_by_no_rows_is_a_remark():
    class Sum(Function):
        @staticmethod
        def forward(ctx, x, b):
            ctx.rows = len(x)
            return x.sum(0) + b

        @staticmethod
        def backward(ctx, g):
            return g.expand(ctx.rows, *g.shape), g * ctx.rows / torch.tensor(ctx.rows)

    found = diagnose(Sum, X, B)
    assert found.ok, found.message
    assert [one.name for one in found.remarks] == ["fails-on-empty"]
    assert "fails-on-empty" in diagnose(Sum, X, B, strict=True).names


class CrossEntropy(Function):
    """The mean over rows; a subclass divides in backward."""

    @staticmethod
    def forward(ctx, x, labels):
        logs = torch.log_softmax(x, 1)
        ctx.save_for_backward(logs, labels)
        return -logs[range(len(labels)), labels].mean()

    @classmethod
    def backward(cls, ctx, g):
        logs, labels = ctx.saved_tensors
        grad = logs.exp()
        grad[range(len(labels)), labels] -= 1
        return g * grad / grad.shape[cls.dim], None


def test_as_many_classes_as_rows_hide_no_mean_over_the_wrong_ones():
    labels = torch.tensor([0, 3, 1, 1])
    x = torch.linspace(-1, 2, 16, dtype=torch.float64).reshape(4, 4).sin()
    right = type("Rows", (CrossEntropy,), {"dim": 0})
    assert diagnose(right, x, labels, strict=True).ok
    found = diagnose(type("Classes", (CrossEntropy,), {"dim": 1}), x, labels)
    assert found.names == ("fixed-size",)
    assert found.remarks == ()
    assert "Two lengths of your inputs are equal" in found.findings[0].why
    assert "6 in place of 4 along dimension 0 alone" in found.message


def test_what_forward_refuses_has_no_mark_of_what_is_right():
    class AtLeastOne(Square):
        @staticmethod
        def compute(x):
            assert len(x)
            return x**2

    found = diagnose(AtLeastOne, X)
    assert found.ok
    assert "– an empty batch: forward refuses it" in repr(found)
    assert "empty (forward refuses what was tried)" in repr(found)


def test_what_has_no_row_of_its_own_is_told_apart_from_what_has_one():
    class Twice(Square):
        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 4 * x * g

    lines = repr(diagnose(Twice, X)).splitlines()
    assert "Examined: first order." in lines
    (elsewhere,) = [line for line in lines if line.startswith("Examined too, with a row only")]
    assert elsewhere.endswith(": other numbers, other sizes, layouts, dtypes, empty.")
    assert not [line for line in lines if line.startswith("✓ float32")]
