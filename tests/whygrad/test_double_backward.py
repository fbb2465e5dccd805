"""What is measured of second derivatives: other numbers, ways back, copies, hidden outputs."""

import torch
from torch.autograd import Function

from whygrad.evidence.second_order import Ways
from whygrad.measure.double_backward import second_order
from whygrad.measure.gradient_ways import copies
from whygrad.measure.hidden_outputs import hidden_outputs
from whygrad.measure.run_once import forward
from whygrad.sample import Sample

OF = ("for_inputs", "for_grad_output")
X = torch.linspace(0.5, 2.0, 4, dtype=torch.float64)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y


class SquareOfCopy(Square):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.clone())
        return x**2


class SquareOfView(Function):
    @staticmethod
    def forward(ctx, other, x):
        ctx.save_for_backward(other, x.reshape(2, 2))
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (_, table) = ctx.saved_tensors
        return None, 2 * table.reshape(4) * grad_y


class WrongTwice(Square):
    """x², whose gradient has a wrong derivative by x."""

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return (x + x.detach()) * grad_y


class SquareAndHalf(Function):
    """x² and x / 2."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2, x / 2

    @staticmethod
    def backward(ctx, grad_y, grad_half):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y + grad_half / 2


def numbers(encoded):
    return [float(number) for number in encoded.data.split()]


def test_the_incoming_gradient_is_not_the_input():
    x = Sample(0).normal(5)
    found = second_order(Square.apply, (x,), 0, differences=False)
    assert numbers(found.tracked.grad_outputs[0]) != [round(n, 7) for n in x.tolist()]
    (for_x,), (for_g,) = (getattr(found.tracked, of)[0] for of in OF)
    assert numbers(for_x) != numbers(for_g)


def test_other_incoming_gradients_and_weights_change_what_depends_on_them():
    found = second_order(Square.apply, (X,), 0, differences=True)
    (for_x, for_g), (same_x, same_g), (new_x, new_g) = (
        [numbers(getattr(run, of)[0][0]) for of in OF]
        for run in (found.tracked, found.other_incoming, found.other_weights)
    )
    assert for_x != same_x
    assert for_g == same_g
    assert new_x != for_x
    assert new_g != for_g
    assert found.numerical == [[getattr(found.tracked, of)[0][0] for of in OF]]
    assert found.numerical_other_incoming is None


def test_a_wrong_double_backward_is_measured_by_differences_and_with_other_incoming_gradients():
    right = second_order(Square.apply, (X,), 0, differences=False)
    found = second_order(WrongTwice.apply, (X,), 0, differences=True)
    for by_differences, run in (
        (found.numerical, right.tracked),
        (found.numerical_other_incoming, right.other_incoming),
    ):
        for number, of in enumerate(OF):
            due = torch.tensor(numbers(getattr(run, of)[0][0]))
            assert torch.tensor(numbers(by_differences[0][number])).allclose(due, atol=1e-4)


def test_the_ways_back_are_known_for_each_gradient():
    for function, to in ((Square, [True, True]), (SquareOfCopy, [False, True])):
        tracked = second_order(function.apply, (X,), 0, differences=False).tracked
        assert tracked.ways == [Ways(to)]
    assert copies(forward(SquareOfCopy.apply, (X,))) == [0]
    assert copies(forward(Square.apply, (X,))) == []


def test_a_view_that_forward_keeps_is_known_with_the_input_it_is_of():
    other = X.clone()
    assert copies(forward(SquareOfView.apply, (other, X))) == [1]
    assert copies(forward(Square.apply, (X,))) == []
    assert copies(forward(Square.apply, (X.reshape(2, 2).T,))) == []


def test_a_hidden_output_has_its_gradient_and_that_of_finite_differences():
    (found,) = hidden_outputs(lambda x: SquareAndHalf.apply(x)[0], (X,), 0)
    assert (found.name, found.function) == ("grad_half", "SquareAndHalf")
    mine, right = (torch.tensor(numbers(each[0])) for each in (found.grads, found.numerical))
    assert mine.allclose(right)
    assert mine.abs().min() > 0
    assert hidden_outputs(SquareAndHalf.apply, (X,), 0) == []
    assert hidden_outputs(Square.apply, (X,), 0) == []
