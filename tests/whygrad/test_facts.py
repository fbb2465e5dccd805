"""A reason is not given without the fact that it rests on: without the fact, it is gone."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

import pytest
import torch

from tests.whygrad import line_cases, wrong_functions
from tests.whygrad.raising_codes import RAISING
from tests.whygrad.test_raised import raised_in_its_phase
from tests.whygrad.test_wrong_functions import fresh
from tests.whygrad.wrong_functions.activations import Saved
from whygrad import diagnosing
from whygrad.codec import decoded, encoded
from whygrad.diagnosis import Diagnosis
from whygrad.evidence import Evidence
from whygrad.judge import judge_function
from whygrad.mistakes import MISTAKES
from whygrad.raised import ROWS, explanation

CASES = {str(case): case for case in (*wrong_functions.CASES[::4], *line_cases.CASES)}
# Each says what comes back for any incoming gradient.
SEEN = {"wrong-gradient", "missing-gradient", "wrong-shape", "looks-intended"}
LAWS = {name for name, one in MISTAKES.items() if one.kind == "gradient"} - SEEN
LAWS |= {"second-order-sign", "second-order-factor"}


@cache
def judged(name: str) -> tuple:
    """Return what was judged of a case: its evidence, what that was held against, and how."""
    case, found = CASES[name], []

    def noting(*what, **how):
        found.append((what, how))
        return judge_function(*what, **how)

    with fresh(case), pytest.MonkeyPatch.context() as patch:
        patch.setattr(diagnosing, "judge_function", noting)
        how = {"reference": getattr(case, "reference", None), "order": case.order}
        diagnosing.diagnose(case.fn, *case.inputs, strict=True, **how)
    return found[-1]


def said(name: str, change: Callable[[Any], Any] = lambda data: data) -> Diagnosis:
    """Return what is said of a case if its evidence, as JSON data, is changed."""
    (evidence, *others), how = judged(name)
    changed = decoded(Evidence, change(encoded(evidence)))
    return Diagnosis(judge_function(changed, *others, **how))


def without(*facts: str) -> Callable[[Any], Any]:
    """Return what leaves fields out of JSON data, wherever they are."""

    def leave_out(data: Any) -> Any:
        if isinstance(data, list):
            return [leave_out(one) for one in data]
        if not isinstance(data, dict):
            return data
        return {name: leave_out(one) for name, one in data.items() if name not in facts}

    return leave_out


def with_another_second(data: Any) -> Any:
    """Return evidence in which other numbers come back for the second incoming gradient.

    Those for the sum of the first and the second follow, so that all of it is linear.
    """
    base = data["trials"][0]
    probes, other = base.get("probes", {}), (base.get("second") or {}).get("other_incoming") or {}
    first, second, total = (
        probes.get(one, {}).get("grads") or [] for one in ("first", "second", "sum")
    )
    for grad in filter(None, chain(second, *other.get("for_inputs", []))):
        grad["data"] = written(n * (1.5 + k) + 0.25 for k, n in enumerate(numbers_of(grad)))
    for one, another, both in zip(first, second, total, strict=True):
        if one and another and both:
            pairs = zip(numbers_of(one), numbers_of(another), strict=True)
            both["data"] = written(map(sum, pairs))
    return data


def numbers_of(value: dict[str, Any]) -> list[float]:
    return [float(number) for number in value.get("data", "").split()]


def written(numbers: Iterable[float]) -> str:
    return " ".join(map(repr, numbers))


@pytest.mark.parametrize("name", CASES)
def test_without_the_log_no_line_is_quoted(name):
    told = repr(said(name, without("lines", "line")))
    assert not re.search(r"\bline \d|reached no `return`", told), told


@pytest.mark.parametrize("name", CASES)
def test_without_the_second_incoming_gradient_no_law_is_named(name):
    found = said(name)
    if found.name not in LAWS or "shape of the gradient" in repr(found):  # another fact
        return
    changed = said(name, with_another_second)
    assert changed.name not in LAWS, repr(changed)
    assert "lement by element" not in repr(changed)


@pytest.mark.parametrize("name", RAISING)
def test_each_fact_of_a_row_is_needed(name):
    raised = raised_in_its_phase(RAISING[name][0])
    for fact in ROWS[name].keys() - {"why", "look", "type"}:
        found = explanation(replace(raised, **{fact: ""}))
        assert found is None or found.name != name, fact


X = torch.tensor([[-2.0, -1.3, -0.4], [0.6, 1.2, 1.8]], dtype=torch.float64)
SHOWN = {
    "it is `g` more than the right one": (torch.square, lambda x, g: 2 * x * g + g),
    "it is 0.5 times `g` less than": (torch.square, lambda x, g: (2 * x - 0.5) * g),
    "yours is between 1.3 and 1.8, the right one between 0.6 and 1.2.": (
        lambda x: x.clamp(-1, 1),
        lambda x, g: g * (x.abs() <= 1.5),
    ),
    "Where input 0 < 0 it is the same for every `g`.": (
        lambda x: x.clamp(min=0) ** 2,
        lambda x, g: torch.where(x > 0, 2 * x * g, 1.0),
    ),
    "2 of 6 take no part in it, such as that at [0, 2].": (
        lambda x: x.cumsum(1),
        lambda x, g: (g * (x.abs() > 1)).flip(1).cumsum(1).flip(1),
    ),
}


@pytest.mark.parametrize("words", SHOWN)
def test_a_reason_says_what_the_numbers_show(words):
    compute, backward = SHOWN[words]

    class Wrong(Saved):
        @staticmethod
        def backward(ctx, g):
            return backward(*ctx.saved_tensors, g)

    Wrong.compute = staticmethod(compute)
    (found,) = diagnosing.diagnose(Wrong, X).findings
    assert words in found.why
