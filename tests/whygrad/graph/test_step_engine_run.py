"""`step` leaves everything as it found it, also when backward raises."""

import warnings

import pytest
import torch
from torch.autograd import Function

from tests.whygrad.graph.functions import Square, leaf, training_step
from whygrad.graph import step
from whygrad.graph.step import engine_run


class Raising(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad_y):
        torch.rand(3)
        raise ValueError("no way back")


class Random(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad_y):
        return grad_y * torch.rand(3)


def fine(x):
    return (Random.apply(x) * x).sum()


def raising(x):
    return (Raising.apply(x.sin()) * x).sum()


CASES = pytest.mark.parametrize(
    ("make", "create_graph"), [(fine, False), (fine, True), (raising, False), (raising, True)]
)


@CASES
def test_grad_is_the_same_object_with_the_same_values(make, create_graph):
    x, grad = leaf(3), torch.tensor([1.0, 2.0, 3.0])
    out = make(x)
    x.grad = grad
    version = grad._version
    step(out, x=x, create_graph=create_graph)
    assert x.grad is grad
    assert grad.tolist() == [1, 2, 3]
    assert grad._version == version
    x.grad = None
    step(out, x=x, create_graph=create_graph)
    assert x.grad is None


@CASES
def test_random_numbers_and_modes_are_as_before(make, create_graph):
    out = make(leaf(3))
    state = torch.get_rng_state()
    with torch.no_grad():
        step(out, create_graph=create_graph)
        assert not torch.is_grad_enabled()
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.is_grad_enabled()
    assert not torch.is_warn_always_enabled()


@CASES
def test_hooks_run_as_in_a_backward_and_none_is_left_behind(make, create_graph):
    x = leaf(3)
    out = make(x)
    seen = []
    out.grad_fn.register_prehook(lambda grads: seen.append("before"))
    out.grad_fn.register_hook(lambda inputs, outputs: seen.append("after"))
    out.register_hook(lambda grad: seen.append("tensor"))
    first = step(out, create_graph=create_graph).text
    assert seen == ["tensor", "before", "after"]
    assert step(out, create_graph=create_graph).text == first
    assert len(seen) == 6


def test_no_hook_of_the_recorder_runs_in_a_later_backward(monkeypatch):
    tensors = training_step()
    step(tensors["loss"])
    monkeypatch.setattr(engine_run, "read", lambda gradient: 1 / 0)
    tensors["loss"].backward()
    assert tensors["bias"].grad is not None


def test_a_later_backward_works_and_gives_the_same():
    x = leaf(3)
    out = (Square.apply(x) * x).sum()
    expected = (3 * x.detach() ** 2).tolist()
    step(out, x=x)
    step(out, x=x, create_graph=True)
    out.backward()
    assert x.grad.tolist() == pytest.approx(expected)


def test_the_gradient_given_is_not_written_into():
    class Writing(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad_y):
            return grad_y.mul_(5)

    grad = torch.ones(3)
    step(Writing.apply(leaf(3)), grad=grad)
    assert grad.tolist() == [1, 1, 1]


def test_a_kept_gradient_on_the_way_is_put_back():
    x = leaf(3)
    a = x * 2
    a.retain_grad()
    out = a.sum()
    step(out, a=a)
    assert a.grad is None
    out.backward(retain_graph=True)
    kept = a.grad
    step(out, a=a, grad=torch.tensor(7.0))
    assert a.grad is kept
    assert kept.tolist() == [1, 1, 1]


def test_a_leaf_that_no_longer_asks_for_a_gradient_is_left_alone():
    x = leaf(3)
    out = (x * 2).sum()
    x.requires_grad_(False)
    step(out, x=x)
    assert x.grad is None


def test_create_graph_gives_no_warning_and_leaves_it_for_later():
    x = leaf(3)
    out = Square.apply(x).sum()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        step(out, x=x, create_graph=True)
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with pytest.warns(UserWarning, match="create_graph=True"):
            out.backward(create_graph=True)
    finally:
        torch.set_warn_always(before)
    x.grad = None


def test_a_warning_of_a_function_still_comes():
    class Warns(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad_y):
            warnings.warn("mind the gap", stacklevel=1)
            return grad_y

    with pytest.warns(UserWarning, match="mind the gap"):
        step(Warns.apply(leaf(1)))


def test_an_interrupt_passes_through_and_grad_is_put_back():
    class Interrupted(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad_y):
            raise KeyboardInterrupt

    x = leaf(1)
    grad = x.grad = torch.ones(1)
    with pytest.raises(KeyboardInterrupt):
        step((Interrupted.apply(x) * x).sum(), x=x)
    assert x.grad is grad
    assert grad.tolist() == [1]
