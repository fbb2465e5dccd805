"""A check is itself checked: what every wrong gradient could hide behind gets through nowhere."""

from importlib import import_module

import pytest
import torch
from torch.autograd import Function

from helpers.checks.answer_check import examine
from helpers.checks.known import with_slips
from helpers.checks.references import handed_over, reference
from helpers.checks.task import FunctionTask
from tests import ours

# In a task of somebody else's, gradients may be zero, and the answer no Function.
TASKS = [task for task in ours.TASKS if isinstance(task, FunctionTask)]


def function_of(task, answers):
    """Return the Function that an answer is, has beside it, or applies."""
    module = import_module(f"helpers.checks.references.ex{int(task.id.split('.')[0]):02}")
    used = getattr(getattr(answers[0], "__code__", None), "co_names", ())
    known = (*answers, *(getattr(module, name, None) for name in used))
    return next(one for one in known if isinstance(one, type) and issubclass(one, Function))


def each(change, most=None):
    """Return a function that changes all tensors of a tuple, or some, or the only one."""

    def changed(result):
        if not isinstance(result, tuple):
            return change(result)
        done = (None if one is None else change(one) for one in result[:most])
        return (*done, *result[len(result) if most is None else most :])

    return changed


# What is done with the outputs, with the incoming gradients, and with the gradients.
SPOILT = {
    "all-zero gradients": (None, None, each(torch.zeros_like)),
    "gradients that are nan": (None, None, each(lambda grad: grad * torch.nan)),
    "an output that is nan": (each(lambda out: out * torch.nan), None, None),
    "an output that broadcasts to the right shape": (
        each(lambda out: out[None], 1),
        each(lambda grad: grad[0], 1),
        None,
    ),
    "gradients that are right for ones alone": (None, each(torch.ones_like), None),
}


@pytest.mark.parametrize("changes", SPOILT.values(), ids=SPOILT)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_what_is_spoilt_does_not_get_through(task, changes, monkeypatch):
    answers = handed_over(task, reference(task.id))
    assert examine(task, answers).ok
    with_slips(task.id)  # before the Function is spoilt
    function, same = function_of(task, answers), lambda value: value
    of_output, of_incoming, of_grads = (change or same for change in changes)
    forward, backward = function.forward, function.backward

    def spoilt_forward(ctx, *inputs):
        return of_output(forward(ctx, *inputs))

    def spoilt_backward(ctx, *grad_outputs):
        return of_grads(backward(ctx, *of_incoming(grad_outputs)))

    monkeypatch.setattr(function, "forward", staticmethod(spoilt_forward))
    monkeypatch.setattr(function, "backward", staticmethod(spoilt_backward))
    assert not examine(task, answers).ok
