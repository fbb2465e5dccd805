"""A reason is not given without the fact that it rests on: without the fact, it is gone."""

import re
from dataclasses import replace
from typing import Any

import pytest

from tests.whygrad import line_cases, wrong_functions
from tests.whygrad.raising_codes import RAISING
from tests.whygrad.test_raised import raised_in_its_phase
from tests.whygrad.test_wrong_functions import fresh
from whygrad import diagnosing
from whygrad.codec import decoded, encoded
from whygrad.diagnosis import Diagnosis
from whygrad.evidence import Evidence
from whygrad.judge import judge_function
from whygrad.mistakes import MISTAKES
from whygrad.raised import ROWS, explanation

CASES = {str(case): case for case in (*wrong_functions.CASES[::3], *line_cases.CASES)}
# Each says what comes back for any incoming gradient.
SEEN = {"wrong-gradient", "missing-gradient", "wrong-shape", "looks-intended"}
LAWS = {name for name, one in MISTAKES.items() if one.kind == "gradient"} - SEEN
LAWS |= {"second-order-sign", "second-order-factor"}


@pytest.fixture(scope="module")
def judged():
    """Return, by the name of a case, what was judged: evidence, and what else it took."""
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        for name, case in CASES.items():

            def noting(evidence, *others, **how):
                found[name] = evidence, others, how  # noqa: B023
                return judge_function(evidence, *others, **how)

            patch.setattr(diagnosing, "judge_function", noting)
            reference = getattr(case, "reference", None)
            with fresh(case):
                diagnosing.diagnose(
                    case.fn, *case.inputs, reference=reference, order=case.order, strict=True
                )
    return found


def said(judged, name: str, change: Any = lambda data: data) -> Diagnosis:
    """Return what is said of a case if its evidence, as JSON data, is changed."""
    evidence, others, how = judged[name]
    changed = decoded(Evidence, change(encoded(evidence)))
    return Diagnosis(judge_function(changed, *others, **how))


def without(*facts: str) -> Any:
    """Return what leaves fields out of JSON data, wherever they are."""

    def leave_out(data: Any) -> Any:
        if isinstance(data, list):
            return [leave_out(one) for one in data]
        if not isinstance(data, dict):
            return data
        return {name: leave_out(one) for name, one in data.items() if name not in facts}

    return leave_out


def with_another_second(data: Any) -> Any:
    """Return evidence in which other numbers come back for the second incoming gradient."""
    base = data["trials"][0]
    first_order = base.get("probes", {}).get("second", {}).get("grads") or []
    other = base.get("second", {}).get("other_incoming") or {}
    for grad in filter(None, sum([*other.get("for_inputs", []), first_order], [])):
        numbers = map(float, grad.get("data", "").split())
        grad["data"] = " ".join(str(n * (1.5 + k) + 0.25) for k, n in enumerate(numbers))
    return data


@pytest.mark.parametrize("name", CASES)
def test_without_the_log_no_line_is_quoted(judged, name):
    told = repr(said(judged, name, without("lines", "line")))
    assert not re.search(r"\bline \d|reached no `return`", told), told


@pytest.mark.parametrize("name", CASES)
def test_without_the_second_incoming_gradient_no_law_is_named(judged, name):
    found = said(judged, name)
    if found.name not in LAWS or "shape of the gradient" in repr(found):  # another fact
        return
    changed = said(judged, name, with_another_second)
    assert changed.name not in LAWS, repr(changed)
    assert "lement by element" not in repr(changed)


@pytest.mark.parametrize("name", RAISING)
def test_each_fact_of_a_row_is_needed(name):
    raised = raised_in_its_phase(RAISING[name][0])
    for fact in ROWS[name].keys() - {"why", "look", "type"}:
        found = explanation(replace(raised, **{fact: ""}))
        assert found is None or found.name != name, fact
