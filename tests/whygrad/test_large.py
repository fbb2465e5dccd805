"""Inputs and outputs of 100,000 numbers: the same mistakes are named, in few calls."""

import json

import pytest
import torch
from torch.autograd import Function

from tests.whygrad.wrong_functions.case import normal
from whygrad import diagnose
from whygrad.codec import decoded
from whygrad.evidence import Evidence, Sampled
from whygrad.measure.reduced import Reduced, is_large

X, W = normal(100, 1000), normal(100, 1000, seed=1)
A, B = normal(250, 400), normal(400, 30, seed=1)


class Counted(Function):
    """A Function that counts the calls of its forward."""

    calls = 0

    @classmethod
    def count(cls):
        Counted.calls += 1


class Square(Counted):
    @staticmethod
    def forward(ctx, x):
        Square.count()
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y


class Total(Square):
    @staticmethod
    def forward(ctx, x):
        Square.count()
        ctx.save_for_backward(x)
        return (x**2).sum()


class Product(Counted):
    @staticmethod
    def forward(ctx, x, w):
        Product.count()
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return grad_y * w, grad_y * x


class Matmul(Counted):
    @staticmethod
    def forward(ctx, a, b):
        Matmul.count()
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, grad_y):
        a, b = ctx.saved_tensors
        return grad_y @ b.T, a.T @ grad_y


class Softmax(Counted):
    @staticmethod
    def forward(ctx, x):
        Softmax.count()
        y = x.softmax(1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_y):
        (y,) = ctx.saved_tensors
        return y * (grad_y - (grad_y * y).sum(1, keepdim=True))


class Outer(Counted):
    """Few numbers in, many out."""

    @staticmethod
    def forward(ctx, a, b):
        Outer.count()
        ctx.save_for_backward(a, b)
        return a[:, None] * b

    @staticmethod
    def backward(ctx, grad_y):
        a, b = ctx.saved_tensors
        return grad_y @ b, grad_y.T @ a


def with_backward(function, backward):
    return type("Changed", (function,), {"backward": staticmethod(backward)})


def calls_of(function, *inputs, **options):
    Counted.calls = 0
    found = diagnose(function, *inputs, **options)
    return found, Counted.calls


RIGHT = {
    "Square": (Square, (X,)),
    "Total": (Total, (X,)),
    "Product": (Product, (X, W)),
    "Matmul": (Matmul, (A, B)),
    "Softmax": (Softmax, (X,)),
    "Outer": (Outer, (normal(40), normal(50, seed=1))),
}


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(("function", "inputs"), RIGHT.values(), ids=RIGHT)
def test_a_right_function_is_not_accused_and_costs_at_most_100_calls(function, inputs, order):
    found, calls = calls_of(function, *inputs, order=order)
    assert found.ok, found.message
    assert 10 < calls <= 100
    assert found.evidence["measured"]["order"] == order


def wrong_sign(ctx, grad_y):
    return -Square.backward(ctx, grad_y)


def half(ctx, grad_y):
    return Square.backward(ctx, grad_y) / 2


def one_wrong_element(ctx, grad_y):
    grad_x = Square.backward(ctx, grad_y)
    grad_x[37, 500] *= 1.5
    return grad_x


def ignores(ctx, grad_y):
    (x,) = ctx.saved_tensors
    return 2 * x


def writes_into_its_gradient(ctx, grad_y):
    (x,) = ctx.saved_tensors
    return grad_y.mul_(2 * x)


def writes_into_its_input(ctx, grad_y):
    grad_x = Square.backward(ctx, grad_y)
    ctx.saved_tensors[0].zero_()
    return grad_x


def nothing(ctx, grad_y):
    return None


def low(ctx, grad_y):
    return Square.backward(ctx, grad_y).float()


def clips(ctx, grad_y):
    return Square.backward(ctx, grad_y.clamp(-1, 1))


WRONG = {
    "wrong-sign": wrong_sign,
    "wrong-factor": half,
    "wrong-gradient": one_wrong_element,
    "grad-output-ignored": ignores,
    "modifies-grad-output": writes_into_its_gradient,
    "modifies-input": writes_into_its_input,
    "missing-gradient": nothing,
    "wrong-dtype": low,
    "not-linear-in-grad-output": clips,
}


@pytest.mark.parametrize(("name", "backward"), WRONG.items(), ids=WRONG)
def test_a_mistake_is_named_in_at_most_100_calls(name, backward):
    found, calls = calls_of(with_backward(Square, backward), X, strict=True)
    assert found.name == name
    assert calls <= 100


def test_one_wrong_element_of_100000_is_told_along_a_direction():
    found = diagnose(with_backward(Square, one_wrong_element), X)
    assert "Along direction 0, counted from 0, the slope is" in found.message
    assert "looked at along 3 directions of 100,000 numbers" in str(found)


def test_swapped_gradients_are_named_where_their_shapes_are_the_same():
    def backward(ctx, grad_y):
        return Product.backward(ctx, grad_y)[::-1]

    found, calls = calls_of(with_backward(Product, backward), X, W)
    assert found.name == "swapped-gradients"
    assert calls <= 100


def test_gradients_in_the_shapes_of_each_other_are_refused():
    def backward(ctx, grad_y):
        return Matmul.backward(ctx, grad_y)[::-1]

    found = diagnose(with_backward(Matmul, backward), A, B)
    assert found.name == "wrong-shape"
    assert "the shape [400, 30]; the input has [250, 400]" in found.message


def test_a_mean_of_all_numbers_is_told_by_their_number():
    def backward(ctx, grad_y):
        return Square.backward(ctx, grad_y) / 100_000

    found = diagnose(with_backward(Total, backward), X)
    assert found.name == "sum-or-mean"
    assert "divided by 100000" in found.message


def test_the_input_whose_gradient_is_wrong_is_named():
    def backward(ctx, grad_y):
        a, b = ctx.saved_tensors
        return grad_y @ b.T, -a.T @ grad_y

    found = diagnose(with_backward(Matmul, backward), A, B)
    assert (found.name, found.verdict.findings[0].about) == ("wrong-sign", "b")


def test_a_wrong_gradient_of_few_numbers_behind_a_large_output_is_named():
    def backward(ctx, grad_y):
        a, b = ctx.saved_tensors
        return 3 * grad_y @ b, grad_y.T @ a

    found = diagnose(with_backward(Outer, backward), normal(40), normal(50, seed=1))
    assert (found.name, found.verdict.findings[0].about) == ("wrong-factor", "a")


class Keeps(Square):
    """Keeps its input on the class."""

    last = None

    @staticmethod
    def forward(ctx, x):
        Keeps.last = x.clone()
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        return 2 * Keeps.last * grad_y


def test_state_is_noticed():
    assert diagnose(Keeps, X).name == "keeps-state"
    Keeps.last = None


def test_memory_that_is_not_contiguous_is_tried_in_full():
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return (2 * x.reshape(-1) * grad_y.view(-1)).view(x.shape)

    function = with_backward(Square, backward)
    assert diagnose(function, X, strict=True).name == "needs-contiguous"


def test_a_lost_second_derivative_is_named():
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x.detach() * grad_y

    function = with_backward(Square, backward)
    assert diagnose(function, X).ok
    assert diagnose(function, X, order=2).name == "second-order-lost"


def test_a_wrong_forward_is_told_beside_a_reference():
    found = diagnose(Square, X, reference=lambda x: x**2)
    assert found.ok
    found = diagnose(Square, X, reference=lambda x: x**2 + (x == X[3, 7]))
    assert found.name == "wrong-forward"
    assert "Weighted sum 0 of the output, counted from 0, is" in found.message


def test_the_evidence_is_short_json_and_says_what_was_sampled():
    measured = diagnose(Product, X, W, order=2).evidence["measured"]
    text = json.dumps(measured)
    assert json.loads(text) == measured
    assert len(text) < 40_000
    assert decoded(Evidence, measured).sampled == [Sampled(p, 2, 100_000) for p in (0, 1)]
    assert "pass small inputs" in measured["left_out"]["other sizes"]
    assert "jvp" not in measured["left_out"]


def test_a_jvp_on_large_inputs_is_said_to_be_left_out():
    class Forward(Square):
        @staticmethod
        def jvp(ctx, tangent):
            return tangent

    found = diagnose(Forward, X)
    assert "pass small inputs" in found.left_out["jvp"]
    assert "jvp" not in found.examined


def test_a_stuck_forward_of_a_large_input_is_no_matter_of_size():
    class Broken(Square):
        @staticmethod
        def forward(ctx, x):
            return x.no_such_name

    assert diagnose(Broken, X).name == "raises"


class Relu(Counted):
    @staticmethod
    def forward(ctx, x):
        Relu.count()
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return grad_y * (x > 0)


def test_numbers_at_a_kink_stay_and_the_others_are_looked_at():
    def backward(ctx, grad_y):
        grad_x = Relu.backward(ctx, grad_y)
        grad_x[3, 7] *= 2
        return grad_x

    zeros = X.relu()
    assert zeros[3, 7] > 0
    found, calls = calls_of(Relu, zeros)
    assert found.ok, found.message
    assert calls <= 100
    count = int((zeros == 0).sum())
    assert f"{count:,} of these, which stand at a kink, stay where they are" in str(found)
    assert diagnose(with_backward(Relu, backward), zeros).name == "wrong-gradient"


def test_zeros_of_a_smooth_function_are_moved_like_the_others():
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return grad_y * (2 * x + (x == 0))

    zeros = X.relu()
    assert diagnose(Square, zeros).ok
    assert not diagnose(with_backward(Square, backward), zeros).ok


def test_a_reduced_callable_has_the_derivatives_of_the_large_one():
    small = Reduced(torch.matmul, (A, B))
    by_a, by_b = small.inputs
    assert by_a.shape == by_b.shape == (2,)
    a, b = by_a.clone().requires_grad_(), by_b.clone().requires_grad_()
    assert torch.autograd.gradcheck(small, (a, b))
    torch.testing.assert_close(small(by_a, by_b), small(*small.inputs))


def test_every_number_moves_and_is_weighed():
    seen = []
    small = Reduced(lambda x: seen.append(x) or x, (X,))
    (start,) = small.inputs
    first, second = small(start), small(start + 0.1)
    assert torch.equal(seen[0], X)
    assert (seen[1] != X).all()
    assert first.shape == second.shape == (5,)
    out = X.clone().requires_grad_()
    summed = Reduced(lambda: out, ())()
    (weights,) = torch.autograd.grad(summed.sum(), out)
    assert (weights != 0).all()


def test_512_numbers_are_the_most_that_are_taken_one_by_one():
    few, many = normal(512), normal(513)
    assert [is_large(torch.exp, (x,)) for x in (few, many)] == [False, True]
    assert [is_large(torch.exp, (), (x,)) for x in (few, many)] == [False, True]
