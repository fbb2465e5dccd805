"""`diagnose` rejects every wrong Function, and names its mistake."""

import copy
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch

from tests.whygrad.wrong_functions import CASES, Case, state
from tests.whygrad.wrong_functions.activations import Saved
from tests.whygrad.wrong_functions.calls import RightSquare
from tests.whygrad.wrong_functions.case import normal
from tests.whygrad.wrong_functions.proof import evidence
from whygrad.diagnosing import diagnose

# What some of them are called instead.
MISNAMED = {
    "PickOverwritesRepeats": "wrong-mask",
    "CubeAsksTheWrongInput": "second-order-missing",
}


class Negative(Saved):
    compute = staticmethod(torch.neg)

    @staticmethod
    def backward(ctx, g):
        return -g


FAIR = {str(case): case for case in CASES}


@contextmanager
def fresh(case) -> Iterator[None]:
    """Give a Function that keeps state its first state back afterwards."""
    kept = {
        name: copy.deepcopy(value)
        for name, value in vars(case.fn).items()
        if not name.startswith("_") and isinstance(value, (type(None), int, dict, torch.Tensor))
    }
    torch.manual_seed(0)
    try:
        yield
    finally:
        state.CACHE.clear()
        for name, value in kept.items():
            setattr(case.fn, name, value)


@pytest.fixture(scope="module")
def found():
    """What diagnose says of every case; it must not raise."""
    results = {}
    for case in CASES:
        with fresh(case):
            results[case.name] = diagnose(
                case.fn, *case.inputs, reference=case.reference, order=case.order, strict=True
            )
    return results


def test_no_name_is_used_twice():
    assert len(FAIR) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_case_breaks_a_law_that_the_engine_did_not_write(case):
    with fresh(case):
        assert evidence(case)


@pytest.mark.parametrize("fn", [RightSquare, Negative])
def test_the_proof_finds_nothing_in_a_right_function(fn):
    case = Case("right", fn, (normal(3, 4),), ("ok",), fn.compute, order=2)
    assert evidence(case) == []


@pytest.mark.parametrize("name", FAIR)
def test_a_wrong_function_is_rejected(found, name):
    assert not found[name].ok


def test_the_first_name_is_the_mistake(found):
    names = {name: found[name].name for name in FAIR}
    assert {name: names[name] for name in FAIR if names[name] not in FAIR[name].names} == MISNAMED
