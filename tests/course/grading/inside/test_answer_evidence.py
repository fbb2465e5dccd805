"""It is noticed that what measures, or what it calls, was changed by an answer."""

import json

import pytest
import torch
from torch.autograd import Function

import whygrad.measure.encode as encode
from course.grading.evidence_check import read_usable
from course.grading.inside.answer_evidence import remember
from helpers.checks import evidence
from helpers.checks.task import FunctionTask
from helpers.checks.task_evidence import PredictionEvidence
from whygrad.evidence import EvidenceError


@pytest.fixture(scope="module")
def changed():
    return remember()


def anything(*_, **__):
    return None


CHANGES = {
    "a method of tensors": (torch.Tensor, "detach"),
    "one that hides an inherited one": (torch.Tensor, "tolist"),
    "how Functions are applied": (Function, "apply"),
    "a function of PyTorch": (torch, "equal"),
    "what measures": (evidence, "callable_of"),
    "what hides a built-in": (encode, "repr"),
    "the code of a function": (evidence.callable_of, "__code__"),
    "a class of ours": (FunctionTask, "call"),
    "json": (json, "dumps"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_it_is_named(changed, monkeypatch, change):
    owner, key = CHANGES[change]
    is_code = key == "__code__"
    monkeypatch.setattr(owner, key, anything.__code__ if is_code else anything, raising=False)
    found = changed()
    monkeypatch.undo()
    assert [one.rpartition(".")[2] for one in found] == ["callable_of" if is_code else key]
    assert changed() == []


def test_a_person_has_to_look():
    said = "while it was made, torch.equal was another than before; a person has to look"
    with pytest.raises(EvidenceError, match=said):
        read_usable({"replaced": ["torch.equal"]}, PredictionEvidence("prediction"))
