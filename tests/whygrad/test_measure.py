"""What is measured: the numbers and facts that a judge needs, and no trace left behind."""

import json

import pytest
import torch
from torch.autograd import Function

from helpers.checks.measure import measure_value, measure_values
from helpers.checks.task_evidence import PredictionEvidence
from whygrad.codec import decoded, encoded
from whygrad.evidence import Evidence, Value
from whygrad.measure import Probe, measure_function
from whygrad.measure.encode import encode
from whygrad.measure.finite_differences import jacobians

DOUBLE = torch.float64


class Product(Function):
    """x * w, of the same shape."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return grad_y * w, grad_y * x


def numbers(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=DOUBLE)


def tensor_of(value):
    values = [float(number) for number in value.data.split()]
    return torch.tensor(values, dtype=DOUBLE).view(value.shape)


def base(fn, *inputs, **options):
    return measure_function(fn, [Probe("base", "", inputs)], **options).trials[0]


def changed(backward):
    return type("Changed", (Product,), {"backward": staticmethod(backward)}).apply


def test_values_and_gradients_are_those_of_pytorch():
    x, w = numbers(3, 2), numbers(3, 2, seed=1)
    trial = base(Product.apply, x, w)
    grad = tensor_of(trial.grad_outputs[0])
    assert trial.outputs == [encode(x * w)]
    torch.testing.assert_close(
        tensor_of(trial.grads[0]),
        grad * w,
        rtol=1e-6,
        atol=0,
    )
    jacobian = tensor_of(trial.jacobian[1])
    torch.testing.assert_close(jacobian, x.flatten().diag(), rtol=1e-6, atol=1e-9)


def test_what_backward_returned_is_noted_before_the_engine_casts_and_sums_it():
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        return (grad_y * w).float(), (grad_y * x)[None]

    first, second = base(changed(backward), numbers(2), numbers(2, seed=1)).returned
    assert (first.grad.dtype, first.dtype) == ("float32", "float64")
    assert (second.grad.shape, second.shape) == ([1, 2], [2])
    assert (first.input, second.input) == (0, 1)


def test_writes_are_noted():
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        grads = grad_y * w, grad_y * x
        x.zero_()
        grad_y.zero_()
        return grads

    trial = base(changed(backward), numbers(2), numbers(2, seed=1))
    assert trial.changed == [0]
    assert trial.changed_in_forward == []
    assert trial.grad_output_changed is True


def test_the_caller_s_tensors_are_left_alone():
    x, w = numbers(2), numbers(2, seed=1)
    before = x.clone()

    def writes(x, w):
        with torch.no_grad():
            x.zero_()
        return Product.apply(x, w)

    assert base(writes, x, w).changed_in_forward == [0]
    assert torch.equal(x, before)
    assert not x.requires_grad


def test_only_the_first_call_prints(capsys):
    def loud(x, w):
        print("called")
        return Product.apply(x, w)

    base(loud, numbers(2), numbers(2, seed=1))
    assert capsys.readouterr().out == "called\n"


def test_an_exception_keeps_its_phase_and_the_line():
    def backward(ctx, grad_y):
        return grad_y.no_such_name

    raised = base(changed(backward), numbers(2), numbers(2, seed=1)).raised
    assert raised.type == "AttributeError"
    assert raised.phase == "backward"
    assert raised.line == "return grad_y.no_such_name"


def test_two_right_functions_give_the_same_evidence():
    class Other(Function):
        @staticmethod
        def forward(ctx, x, w):
            ctx.save_for_backward(w, x)
            return torch.exp(torch.log(x.abs()) + torch.log(w.abs())) * x.sign() * w.sign()

        @staticmethod
        def backward(ctx, grad_y):
            w, x = ctx.saved_tensors
            return torch.einsum("...,...->...", w, grad_y), (x * grad_y * 3) / 3

    def comparable(fn):
        trial = base(fn, numbers(3, 2), numbers(3, 2, seed=1))
        return trial.outputs, trial.grads, trial.jacobian, trial.probes, trial.alone

    assert comparable(Other.apply) == comparable(Product.apply)


def test_the_evidence_is_json():
    probes = [Probe("base", "", (numbers(2), numbers(2, seed=1)))]
    evidence = measure_function(Product.apply, probes, order=2, differences=True)
    assert decoded(Evidence, json.loads(json.dumps(encoded(evidence)))) == evidence


@pytest.mark.parametrize(
    ("tensor", "data"),
    [
        (torch.tensor([1.0, -0.0, 1e-17], dtype=DOUBLE), "1.0 0.0 0.0"),
        (torch.tensor([float("nan"), float("inf")]), "nan inf"),
        (torch.tensor([[1, 2]]), "1.0 2.0"),
        (torch.tensor([True]), "1.0"),
        (torch.tensor(1 / 3, dtype=DOUBLE), "0.33333333"),
    ],
)
def test_numbers_are_rounded_beside_the_largest(tensor, data):
    dtype = str(tensor.dtype).removeprefix("torch.")
    assert encode(tensor) == Value([*tensor.shape], dtype, data)


def test_differences_agree_with_autograd_far_from_and_near_zero():
    x = torch.tensor([1e-6, 0.3, 2.0, 1e5], dtype=DOUBLE)
    (found,) = jacobians(torch.log, [x], [0])
    torch.testing.assert_close(found.diag(), 1 / x, rtol=1e-5, atol=0)


def test_differences_say_nothing_at_a_kink():
    (found,) = jacobians(torch.relu, [torch.tensor([-1.0, 0.0, 2.0], dtype=DOUBLE)], [0])
    assert found.diag().isnan().tolist() == [False, True, False]
    assert found.diag()[[0, 2]].tolist() == pytest.approx([0, 1])


def test_a_plain_function_is_measured_with_what_it_changes():
    def total(x, scale):
        x += 1
        return x.sum() * scale, {"mean": x.mean()}

    found = measure_values(total, [Probe("base", "", (torch.zeros(2, dtype=DOUBLE), 3))])
    (trial,) = found.trials
    assert trial.values[0]["data"] == "6.0"
    assert trial.changed == [0]
    assert trial.given == [Value([2], "float64", "0.0 0.0"), None]  # as before the call
    assert found.later == trial.values


def test_predictions_of_any_kind_are_read_alike():
    forms = [[1, 2.0], (1.0, 2), torch.tensor([1.0, 2.0]).tolist()]
    assert [measure_value(form).value for form in forms] == [[1.0, 2.0]] * 3
    assert measure_value(...) == PredictionEvidence("prediction", None, False)


def test_plain_arguments_before_the_tensors_do_not_move_what_a_backward_returned():
    class Weighted(Function):
        @staticmethod
        def forward(ctx, power, k, x, flags, w):
            ctx.save_for_backward(x, w)
            return (x * w).sum(0) * k**power

        @staticmethod
        def backward(ctx, grad_y):
            x, w = ctx.saved_tensors
            return None, None, (grad_y * w * 4).expand(3, 2), None, (grad_y * x * 4).sum(0)

    x, w = torch.ones(3, 2, dtype=torch.float64), torch.ones(2, dtype=torch.float64)
    call = lambda x, w: Weighted.apply(2, 2, x, torch.tensor([True]), w)  # noqa: E731
    found = measure_function(call, [Probe("base", "", (x, w))])
    returned = found.base.returned
    assert [slot.input for slot in returned] == [0, 1]
    assert [slot.grad.shape for slot in returned] == [[3, 2], [2]]
