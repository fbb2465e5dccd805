"""What a check cell shows: the report with its evidence, and of a hidden check no number."""

import doctest

import pytest

from helpers.checks import EVIDENCE, answer_check
from helpers.checks.answer_check import hidden_text
from helpers.checks.references import reference


@pytest.fixture
def shown(monkeypatch):
    """What was displayed, in order."""
    bundles = []
    monkeypatch.setattr(answer_check, "_display", bundles.append)
    return bundles


def test_a_report_comes_with_the_evidence_for_the_grader(shown):
    answer_check.check("5.1", reference("5.1"))
    (bundle,) = shown
    assert list(bundle) == ["text/plain", "text/html", EVIDENCE]
    assert EVIDENCE == "application/vnd.autograd-course.evidence+json"
    assert bundle[EVIDENCE].keys() == {"task", "ok", "seed", "measured"}
    assert bundle["text/plain"].startswith("✓ 5.1 ")


def test_hidden_checks_say_what_failed_and_show_no_number():
    assert hidden_text("5.1 Square", []) == "5.1 Square: the hidden checks pass."
    assert hidden_text("5.1 Square", ["forward"]) == (
        "5.1 Square: a hidden check on forward failed."
    )
    assert hidden_text("5.1", ["a", "b", "a", "c"]) == "5.1: a hidden check on a, b and c failed."
    many = hidden_text("5.1", [f"p{n}" for n in range(9)])
    assert many == "5.1: a hidden check on p0, p1 and 7 more failed."


def test_the_example_in_its_documentation_runs():
    found = doctest.testmod(answer_check)
    assert found.attempted > 0
    assert found.failed == 0
