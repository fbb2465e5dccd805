"""An exception tells a student nothing that only the grader's machine knows."""

import pytest

from course.grading.conclusion import concluded
from course.grading.judge_cells import Judged
from course.grading.results import EarnedPart
from course.grading.withheld import without_secrets
from helpers.checks.source_check import Flag
from tests.course.grading.test_conclusion import SHEET, STUBS, Answers

READS = "import inspect, helpers.checks.hidden.ex05 as m\nraise RuntimeError(inspect.getsource(m))"
DOUBTS = (Flag(1, "imports `helpers.checks`"),)
SECRET = "INPUTS = {'5.1': (3, 4)}"
PARTS = (EarnedPart("forward", 1, True), EarnedPart("gradients", 2, False, SECRET))


def error(kind="RuntimeError", words=SECRET, status="error", **more):
    message = f"answer-5-1 raised {kind}: {words}."
    return Judged(status, "raises", message, raised=((kind, words),), **more)


@pytest.mark.parametrize("status", ["error", "failed", "partly"])
def test_what_an_answer_that_a_person_looks_at_says_is_withheld(status):
    told = {"failed": (f"forward: got {SECRET}",), "why": SECRET, "look": SECRET, "parts": PARTS}
    found = without_secrets(error(status=status, **told), DOUBTS, [READS])
    assert SECRET not in str((found.message, found.failed, found.why, found.look, found.parts))
    assert found.message == (
        "The code raised RuntimeError. Your notebook shows what it says; here it is withheld, "
        "since a person has to look at the answer: line 1 imports `helpers.checks`."
    )
    assert (found.status, found.failed) == (status, ("forward",))
    assert found.withheld == f"RuntimeError: {SECRET}"  # for who grades


def test_it_is_what_the_page_says():
    answers = Answers(STUBS | {"answer-5-1": READS})
    found = concluded(SHEET, answers, "5.1", error(), DOUBTS)
    assert (found.status, SECRET in found.message) == ("error", False)
    right_in_part = concluded(SHEET, answers, "5.1", error(status="partly", parts=PARTS), DOUBTS)
    assert (right_in_part.status, SECRET in right_in_part.message) == ("not-gradable", False)


def test_the_kind_of_an_exception_says_nothing_either():
    found = without_secrets(error("INPUTS_5_1_3_4"), DOUBTS, [READS])
    assert found.message.startswith("The code raised an exception. ")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("y = x * ctx.slope", "name 'ctx' is not defined"),
        ("class Square:\n  ctx.slope", "'SquareBackward' object has no attribute 'slope'"),
        ("torch.sqare(x)", "module 'torch' has no attribute 'sqare'"),
        ("import panda", "No module named 'panda'"),
        ("raise ValueError", ""),
    ],
)
def test_what_python_says_of_names_in_the_answer_is_shown(source, words):
    told = error("NameError", words)
    assert without_secrets(told, DOUBTS, [source]) == told


@pytest.mark.parametrize(
    "words",
    [
        "name 'INPUTS_5_1_3_4' is not defined",
        "name 'x' is not defined, but INPUTS is",
        "'INPUTS' object has no attribute 'x'",
        "No module named 'x.INPUTS'",
    ],
)
def test_words_that_look_like_pythons_say_no_more(words):
    assert words not in without_secrets(error("NameError", words), DOUBTS, ["x"]).message


def test_an_answer_without_doubts_hears_all():
    assert without_secrets(error(), (), ["x"]) == error()


def test_what_passes_and_what_only_a_hidden_check_finds_stay():
    passed = Judged("passed", "ok", raised=(("ValueError", SECRET),))
    assert without_secrets(passed, DOUBTS, ["x"]) == passed
    hidden = Judged("failed", hidden=("forward",), raised=(("ValueError", SECRET),))
    assert without_secrets(hidden, DOUBTS, ["x"]) == hidden
