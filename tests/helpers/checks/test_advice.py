"""What the course's reports add to whygrad's: sections of lessons that are there."""

import re
from pathlib import Path

import pytest
import torch

import whygrad
from helpers import diagnose
from helpers.checks.advice import COURSE_MISTAKES, INSTEAD, PREDICTION, READ_ON, advice, message
from tests.whygrad.test_mistakes import DOING
from whygrad.diagnosis import Diagnosis
from whygrad.mistakes import MISTAKES
from whygrad.report import as_text
from whygrad.verdict import Finding, Property, Raised, Verdict

ROOT = Path(__file__).parents[3]


class Halved(torch.autograd.Function):
    """x², with half of its gradient."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return -2 * x * grad_y


def report_on(*findings, properties=(), raised=None, title=""):
    verdict = Verdict(tuple(properties), findings, raised)
    return as_text(Diagnosis(verdict, title=title, mistakes=advice(verdict)))


def test_every_section_that_is_named_is_in_its_lesson():
    places = [
        (int(number), title)
        for mistake in COURSE_MISTAKES.values()
        for number, title in re.findall(r"lesson (\d+), “([^”]+)”", mistake.look)
    ]
    assert len(places) >= 20
    for number, title in places:
        (lesson,) = [
            path
            for path in (ROOT / "lessons").glob(f"{number:02}_*.md")
            if ".exercise" not in path.suffixes
        ]
        headings = re.findall(r"^#+ (.+)$", lesson.read_text(encoding="utf-8"), re.MULTILINE)
        assert title in headings, f"lesson {number} has no section {title!r}"


def test_the_advice_names_no_lesson_in_another_form():
    for name, mistake in COURSE_MISTAKES.items():
        named = re.findall(r"lesson \d+, “", mistake.look)
        assert mistake.look.count("lesson") == len(named), name


def test_what_is_added_belongs_to_a_mistake_and_is_added_once():
    assert set(READ_ON) | set(INSTEAD) <= set(MISTAKES)
    assert not set(READ_ON) & set(INSTEAD)


def test_everything_but_the_advice_is_what_whygrad_says():
    assert list(COURSE_MISTAKES) == list(MISTAKES)
    for name, mistake in MISTAKES.items():
        said = COURSE_MISTAKES[name]
        if name == "not-started":  # of a stub and a cell, which only a course has
            assert "cell" in said.look
            assert "cell" not in mistake.look
            continue
        assert (said.sentence, said.cause, said.unnamed) == (
            mistake.sentence,
            mistake.cause,
            mistake.unnamed,
        )


def test_no_two_mistakes_have_the_same_advice():
    assert len({mistake.look for mistake in COURSE_MISTAKES.values()}) == len(MISTAKES)


@pytest.mark.parametrize("mistake", [*COURSE_MISTAKES.values(), PREDICTION])
def test_the_advice_can_be_read_at_a_glance_and_followed(mistake):
    assert 40 <= len(mistake.look) <= 300
    assert mistake.look.endswith(".")
    assert mistake.look.split()[0].lower() in DOING
    assert mistake.look.count("`") % 2 == 0


def test_a_prediction_is_neither_praised_nor_blamed():
    for part in (PREDICTION.sentence, PREDICTION.cause, PREDICTION.look):
        assert "!" not in part
        assert not re.search(r"(?i)\b(sorry|great|well done|oops|simply|just do|obviously)\b", part)


@pytest.mark.parametrize("name", list(MISTAKES))
def test_every_mistake_has_a_whole_report(name):
    raised = Raised("NameError", "no", "backward", "z", 7) if name == "raises" else None
    text = report_on(Finding(name, "x"), raised=raised)
    assert f"Usual cause: {COURSE_MISTAKES[name].cause}" in text
    assert f"What to do: {COURSE_MISTAKES[name].look}" in text


def test_a_notebook_s_diagnosis_cites_a_lesson_and_whygrad_s_does_not():
    x = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64)
    ours, theirs = diagnose(Halved, x), whygrad.diagnose(Halved, x)
    assert READ_ON["wrong-sign"] in repr(ours)
    assert READ_ON["wrong-sign"] in ours._repr_mimebundle_()["text/html"]
    assert repr(ours).replace(f" {READ_ON['wrong-sign']}", "") == repr(theirs)
    assert "lesson" not in repr(theirs) + theirs._repr_mimebundle_()["text/html"]


def test_a_prediction_is_explained_without_talk_of_code():
    why = "The detached factor is a constant."
    line = Property("prediction", False, note="Item [1] is wrong.")
    verdict = Verdict((line,), (Finding("second-order-lost", "", why),))
    text = report_on(*verdict.findings, properties=[line], title="5.3 Prediction")
    assert message(verdict) == f"The prediction is not right. {why}"
    assert "Usual cause" not in text
    assert "Item [1] is wrong." in text


def test_a_prediction_that_is_missing_is_not_called_wrong():
    line = Property("prediction", None)
    assert message(Verdict((line,), (Finding("not-started"),))) == "not started"
