"""A call of `check` that cannot be meant gets one sentence, and never a traceback."""

import doctest

import pytest

from helpers.checks import calls, progress
from helpers.checks.answer_check import check
from helpers.checks.references import reference
from helpers.checks.tasks import find


@pytest.fixture(autouse=True)
def nothing_is_noted(monkeypatch):
    monkeypatch.setenv(progress.VARIABLE, "off")


def said(capsys, call):
    call()
    return capsys.readouterr().out.strip()


NAMED = 'Begin with the number of the task, in quotes: check("5.1", …).'
CALLS = {
    "nothing": (lambda: check(), NAMED),
    "the answer alone": (lambda: check(reference("5.1")), NAMED),
    "the wrong order": (
        lambda: check(reference("5.1"), "5.1"),
        'The number of the task comes first: check("5.1", …).',
    ),
    "no answer": (
        lambda: check("5.1"),
        'The answer is missing: put its name behind the number, as in check("5.1", …).',
    ),
    "a task that is not there": (
        lambda: check("5.9", 1),
        "There is no task 5.9: exercise 5 has 5.1, 5.2 and 5.3.",
    ),
    "an exercise's number": (
        lambda: check(5, 1),
        "There is no task 5: exercise 5 has 5.1, 5.2 and 5.3.",
    ),
    "too many answers": (
        lambda: check("5.1", 1, 2),
        "Task 5.1 takes one answer. This call hands over 2.",
    ),
    "a layer without its Function": (
        lambda: check("3.1", reference("3.1")[0]),
        "Task 3.1 takes two answers, the layer and its Function, in this order. "
        "This call hands over 1.",
    ),
    "a hint for nothing": (
        lambda: check.hint(),
        'Begin with the number of the task, in quotes: check.hint("5.1").',
    ),
    "a hint for an answer": (
        lambda: check.hint(reference("5.1")),
        'Begin with the number of the task, in quotes: check.hint("5.1").',
    ),
    "a hint for no task": (
        lambda: check.hint("5.9"),
        "There is no task 5.9: exercise 5 has 5.1, 5.2 and 5.3.",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_slip_of_the_call_gets_one_sentence(capsys, name):
    call, sentence = CALLS[name]
    assert said(capsys, call) == sentence


def test_a_number_without_quotes_is_understood(capsys):
    assert said(capsys, lambda: check(5.1, reference("5.1"))).startswith("✓ 5.1")
    assert find("5.1").hints[0] in said(capsys, lambda: check.hint(5.1))


def test_the_examples_of_calls():
    assert doctest.testmod(calls).failed == 0
