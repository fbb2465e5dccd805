"""A check is itself checked: what every wrong gradient could hide behind gets through nowhere."""

from importlib import import_module

import pytest
import torch
from torch.autograd import Function

from helpers.checks.answer_check import SEED, examine
from helpers.checks.references import reference, with_slips
from helpers.checks.task import FunctionTask
from tests import ours

# In a task of somebody else's, gradients may be zero, and the answer no Function.
TASKS = [task for task in ours.TASKS if isinstance(task, FunctionTask)]


def function_of(task):
    """Return the reference's answers, and the Function among them that is to be spoilt."""
    answers = reference(task.id)
    answers = answers if isinstance(answers, tuple) else (answers,)
    kinds = [answer for answer in answers if isinstance(answer, type)]
    functions = [kind for kind in kinds if issubclass(kind, Function)]
    if functions:
        return answers, functions[0]
    # A callable around a Function of the same file.
    module = import_module(f"helpers.checks.references.ex{int(task.id.split('.')[0]):02}")
    used = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Function)
        and value.__name__ in answers[0].__code__.co_names
    ]
    return answers, used[0]


def spoil_gradients(function, monkeypatch, change):
    whole = function.backward

    def backward(ctx, *grad_outputs):
        grads = whole(ctx, *grad_outputs)
        grads = grads if isinstance(grads, tuple) else (grads,)
        return tuple(None if grad is None else change(grad) for grad in grads)

    monkeypatch.setattr(function, "backward", staticmethod(backward))


@pytest.fixture(params=TASKS, ids=lambda task: task.id)
def spoilt(request):
    task = request.param
    for hidden in (False, True):
        with_slips(task.id, SEED, hidden)  # before the Function is spoilt
    return task, *function_of(task)


def names(task, answers):
    return examine(task, answers).names


def test_the_reference_itself_passes(spoilt):
    task, answers, _ = spoilt
    assert names(task, answers) == ("ok",)
    assert examine(task, answers, hidden=True).ok


def test_all_zero_gradients_do_not_get_through(spoilt, monkeypatch):
    task, answers, function = spoilt
    spoil_gradients(function, monkeypatch, torch.zeros_like)
    assert names(task, answers) != ("ok",)


def test_gradients_that_are_nan_do_not_get_through(spoilt, monkeypatch):
    task, answers, function = spoilt
    spoil_gradients(function, monkeypatch, lambda grad: torch.full_like(grad, torch.nan))
    assert names(task, answers) != ("ok",)


def test_an_output_that_is_nan_does_not_get_through(spoilt, monkeypatch):
    task, answers, function = spoilt
    whole = function.forward
    spoilt_forward = staticmethod(lambda ctx, *inputs: turned(whole(ctx, *inputs), torch.nan))
    monkeypatch.setattr(function, "forward", spoilt_forward)
    assert names(task, answers) != ("ok",)


def turned(outputs, factor):
    if isinstance(outputs, tuple):
        return tuple(out * factor for out in outputs)
    return outputs * factor


def test_an_output_that_broadcasts_to_the_right_shape_does_not_get_through(spoilt, monkeypatch):
    task, answers, function = spoilt
    forward, backward = function.forward, function.backward

    def wider(ctx, *inputs):
        outputs = forward(ctx, *inputs)
        if isinstance(outputs, tuple):
            return (outputs[0][None], *outputs[1:])
        return outputs[None]

    def narrower(ctx, grad_output, *rest):
        return backward(ctx, grad_output[0], *rest)

    monkeypatch.setattr(function, "forward", staticmethod(wider))
    monkeypatch.setattr(function, "backward", staticmethod(narrower))
    assert names(task, answers) != ("ok",)


def test_gradients_that_are_right_only_for_ones_do_not_get_through(spoilt, monkeypatch):
    task, answers, function = spoilt
    whole = function.backward

    def backward(ctx, *grad_outputs):
        return whole(ctx, *(None if g is None else torch.ones_like(g) for g in grad_outputs))

    monkeypatch.setattr(function, "backward", staticmethod(backward))
    assert names(task, answers) != ("ok",)
