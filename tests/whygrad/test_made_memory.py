"""Memory that operations make is followed until nobody holds it."""

from dataclasses import replace

import pytest
import torch
from torch.autograd import Function

from whygrad.evidence import Demands
from whygrad.evidence.trial import HeldElsewhere
from whygrad.judge import judge_function
from whygrad.measure import Probe, measure_function
from whygrad.measure.made_memory import following, held_elsewhere, peak_bytes

X = torch.arange(1.0, 5.0, dtype=torch.float64)  # 32 bytes
KEPT: list = []
HELD = HeldElsewhere(32, [4], stays=True)


def square(keep):
    class Square(Function):
        @staticmethod
        def forward(ctx, x):
            made = x.exp()
            keep(ctx, x, made)
            ctx.save_for_backward(x)
            return x**2

        @staticmethod
        def backward(ctx, grad_y):
            return 2 * ctx.saved_tensors[0] * grad_y

    return Square.apply


@pytest.mark.parametrize(
    ("fn", "count"),
    [
        (lambda: X.exp(), 32),
        (lambda: X.exp().log().exp(), 64),
        (lambda: (X.exp(), X.log(), X.exp()), 96),
        (lambda: X[:2].view(2, 1), 0),
        (lambda: X.exp()[:2].exp(), 48),
        (lambda: X.exp().exp_(), 32),
    ],
)
def test_the_peak_is_what_was_alive_at_once(fn, count):
    assert peak_bytes(fn) == count


def test_what_is_let_go_is_alive_no_more():
    with following() as made:
        kept, _ = X.exp(), X.log()
    del _
    assert [size for size, _ in made.alive().values()] == [kept.nbytes]


@pytest.mark.parametrize(
    ("keep", "found"),
    [
        (lambda ctx, x, made: None, None),
        (lambda ctx, x, made: setattr(ctx, "made", made), None),
        (lambda ctx, x, made: ctx.metadata.update(made=made), None),
        (lambda ctx, x, made: KEPT.append(made), HELD),
        (lambda ctx, x, made: KEPT.append(made.numpy()), HELD),
        (lambda ctx, x, made: KEPT.append(x), HELD),
        (lambda ctx, x, made: KEPT.append(x.shape), None),
    ],
)
def test_what_a_forward_leaves_elsewhere_is_found(keep, found):
    assert held_elsewhere(square(keep), (X,)) == found


@pytest.mark.parametrize("keep", [False, True])
def test_a_function_that_is_called_in_forward_leaves_only_what_is_kept(keep):
    class Inner(Function):
        @staticmethod
        def forward(ctx, x):
            return x.exp()

        @staticmethod
        def backward(ctx, grad_y):
            return grad_y

    def call_inner(ctx, x, made):
        twice = Inner.apply(Inner.apply(made))
        KEPT.extend([twice] * keep)

    found = held_elsewhere(square(call_inner), (X,))
    assert found == (HELD if keep else None)


@pytest.mark.parametrize(
    ("saved", "cycle"),
    [
        (lambda y: y, False),
        (lambda y: y.detach(), False),
        (lambda y: y[:2].clone(), False),
        (lambda y: y[:2], True),
        (lambda y: y.view_as(y), True),
    ],
)
def test_a_saved_view_of_the_output_is_known(saved, cycle):
    class Exp(Function):
        @staticmethod
        def forward(ctx, x):
            y = x.exp()
            ctx.save_for_backward(saved(y))
            return y

        @staticmethod
        def backward(ctx, grad_y):
            return grad_y

    found = held_elsewhere(Exp.apply, (X,))
    held = 2 * X.nbytes  # the output, and what its graph reaches: the input
    assert found == (HeldElsewhere(held, [*X.shape], True, True) if cycle else None)


def test_it_is_named_where_bytes_are_demanded():
    probes, keep = [Probe("base", "", (X,))], lambda ctx, x, made: KEPT.append(made)
    nothing = square(lambda ctx, x, made: None)
    found, due = (
        measure_function(one, probes, follow_memory=True) for one in (square(keep), nothing)
    )
    demands = Demands(bytes={"base": 32})
    assert judge_function(found, due).ok
    assert judge_function(replace(due, demands=demands), due).ok
    (finding,) = judge_function(replace(found, demands=demands), due).findings
    assert finding.name == "kept-tensors"
    assert "Held outside of `ctx`: 32 bytes" in finding.detail
