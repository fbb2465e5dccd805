"""It is noticed that what measures, or what it calls, was changed by an answer."""

import json
import warnings

import numpy as np
import pytest
import torch
from torch.autograd import Function

import whygrad.measure.encode as encode
from course.grading.evidence_check import why_unusable
from course.grading.inside.answer_evidence import remember
from helpers.checks import evidence
from helpers.checks.task import FunctionTask
from helpers.checks.tasks import find


@pytest.fixture(scope="module")
def changed():
    return remember()


def anything(*_, **__):
    return None


CHANGES = {
    "a method of tensors": (torch.Tensor, "detach", "torch._tensor.Tensor.detach"),
    "one that hides an inherited one": (torch.Tensor, "tolist", "torch._tensor.Tensor.tolist"),
    "how Functions are applied": (Function, "apply", "torch.autograd.function.Function.apply"),
    "a function of PyTorch": (torch, "equal", "torch.equal"),
    "what measures": (evidence, "callable_of", "helpers.checks.evidence.callable_of"),
    "what hides a built-in": (encode, "repr", "whygrad.measure.encode.repr"),
    "the code of a function": (
        evidence.callable_of,
        "__code__",
        "helpers.checks.evidence.callable_of",
    ),
    "a class of ours": (FunctionTask, "call", "helpers.checks.task.FunctionTask.call"),
    "json": (json, "dumps", "json.dumps"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_it_is_named(changed, monkeypatch, change):
    owner, key, name = CHANGES[change]
    new = anything.__code__ if key == "__code__" else anything
    monkeypatch.setattr(owner, key, new, raising=False)
    found = changed()
    monkeypatch.undo()
    assert [one.rpartition(".")[2] for one in found] == [name.rpartition(".")[2]]
    assert changed() == []


def test_settings_and_the_measuring_change_nothing(changed):
    dtype = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    torch.set_printoptions(precision=3)
    torch.manual_seed(1)
    np.random.seed(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        evidence.evidence_of(find("5.1"), (torch.square,), seed=0)
    torch.set_default_dtype(dtype)
    torch.set_printoptions(profile="default")
    assert changed() == []


def test_a_person_has_to_look():
    assert why_unusable({"replaced": ["torch.equal"]}, {}).endswith("; a person has to look")
