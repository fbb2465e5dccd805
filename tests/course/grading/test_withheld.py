"""An exception tells a student nothing that only the grader's machine knows."""

import pytest

from course.grading.judge_cells import Judged
from course.grading.results import EarnedPart
from course.grading.withheld import without_secrets
from tests.course.grading.test_conclusion import DOUBTS, conclude

SECRET = "INPUTS = {'5.1': (3, 4)}"
PARTS = (EarnedPart("forward", 1, True), EarnedPart("gradients", 2, False, SECRET))
HIDDEN = Judged("failed", hidden=("forward",), raised=(("ValueError", SECRET),))


def error(kind: str, words: str, status: str = "error", **more) -> Judged:
    message = f"answer-5-1 raised {kind}: {words}."
    return Judged(status, "raises", message, raised=((kind, words),), **more)


@pytest.mark.parametrize("status", ["error", "failed", "partly"])
@pytest.mark.parametrize(
    ("kind", "shown"), [("RuntimeError", "RuntimeError"), ("INPUTS_5_1_3_4", "an exception")]
)
def test_what_an_answer_that_a_person_looks_at_says_is_withheld(status, kind, shown):
    told = {"failed": (f"forward: got {SECRET}",), "why": SECRET, "look": SECRET, "parts": PARTS}
    found = conclude(error(kind, SECRET, status, **told), doubts=DOUBTS)
    assert f"The code raised {shown}. Your notebook shows what it says; here" in found.message
    assert "since a person has to look at the answer: line 2 uses `eval`." in found.message
    assert found.failed == ("forward",)
    assert found.withheld == f"{kind}: {SECRET}"  # for the instructor
    assert not {SECRET, kind} & set(str(vars(found) | {"withheld": "", "raised": ""}).split("'"))


@pytest.mark.parametrize(
    ("source", "words", "is_shown"),
    [
        ("y = x * ctx.slope", "name 'ctx' is not defined", True),
        ("Square, slope", "'SquareBackward' object has no attribute 'slope'", True),
        ("torch.sqare(x)", "module 'torch' has no attribute 'sqare'", True),
        ("import panda", "No module named 'panda'", True),
        ("raise ValueError", "", True),
        ("x", "name 'INPUTS_5_1_3_4' is not defined", False),
        ("x", "name 'x' is not defined, but INPUTS is", False),
        ("x", "'INPUTS' object has no attribute 'x'", False),
        ("x", "No module named 'x.INPUTS'", False),
    ],
)
def test_only_what_python_says_of_names_in_the_answer_is_shown(source, words, is_shown):
    told = error("NameError", words)
    assert (without_secrets(told, DOUBTS, [source]) == told) == is_shown
    assert is_shown or words not in without_secrets(told, DOUBTS, [source]).message


@pytest.mark.parametrize(
    ("told", "doubts"),
    [(error("ValueError", SECRET), ()), (error("E", SECRET, "passed"), DOUBTS), (HIDDEN, DOUBTS)],
)
def test_what_says_nothing_or_may_be_said_stays(told, doubts):
    assert without_secrets(told, doubts, ["x"]) == told
