"""What a page says of a task is true, whatever became of it."""

from dataclasses import replace

import pytest

from course.grading.conclusion import concluded
from course.grading.reading.answers import Answers
from course.grading.reading.sheet import read_sheet
from course.grading.results import EarnedPart, Judged
from course.grading.stray_names import Stray
from helpers.checks.source_check import Flag
from tests.course.grading.classes import ROOT
from whygrad.lines.table import LineTable

SHEET = read_sheet(ROOT, "05_square")
STUB = SHEET.stubs["answer-5-1"]
WRITTEN = "class Square(Function):\n    pass"
SECRET = "INPUTS = 3, 4"
PARTS = (EarnedPart("forward", 1, True), EarnedPart("gradient of x", 1, False))
DOUBTS = (Flag(2, "uses `eval`"),)
OPEN = Judged("failed", "not-started", "Nothing has been written yet.")
WRONG = Judged("failed", "wrong-factor", "It is twice what it should be.", ("forward",))
PARTLY = replace(WRONG, status="partly", parts=PARTS)
PASSED = Judged("passed", "ok", "", ("forward",))
SHOWN = [  # what its cells showed, and what the page says of an answer of its own
    (WRONG, "failed", WRONG.message),
    (PARTLY, "partly", PARTLY.message),
    (replace(OPEN, status="partly", parts=PARTS), "partly", "A part of it is not written yet."),
    (
        Judged("failed", "wrong-factor", "", ("forward",), (), ("gradient of x",)),
        "failed",
        "Its visible check passes. A hidden check, on inputs that you do not see, fails.",
    ),
    (
        OPEN,
        "failed",
        "Something was written, but what its check runs is still as it was given.",
    ),
    *((Judged(status, message="So."), status, "So.") for status in ("error", "timeout", "died")),
    (Judged(""), "error", "Its check was not reached."),
]


def conclude(judged: Judged, own: str | None = WRITTEN, *, doubts=(), stray=None, **more) -> Judged:
    """Conclude task 5.1 with this answer, None for a missing one."""
    sources = {"answer-5-1": own} if own is not None else {}
    return concluded(SHEET, Answers(sources, **more), "5.1", judged, doubts, stray)


def error(cell: str, said: str) -> Judged:
    return Judged("error", message=f"{cell}-5-1 raised {said}.")


@pytest.mark.parametrize(("judged", "status", "said"), SHOWN)
def test_an_answer_hears_what_happened_and_what_was_not_touched_is_not_started(
    judged, status, said
):
    assert conclude(judged) == replace(judged, status=status, message=said)
    nothing = Judged("not-started", "not-started", OPEN.message)
    for own in (f"{STUB}\n# hm", "", "# gone\n"):
        assert conclude(judged, own) == nothing
    missing = "The answer cell answer-5-1 is missing."
    assert conclude(judged, None) == replace(nothing, message=missing)


@pytest.mark.parametrize(
    ("own", "name", "renamed", "said"),
    [
        (
            WRITTEN,
            "Square",
            "",
            "`Square` is defined outside of its answer cell. Only answer cells",
        ),
        (STUB, "Square", "", "`Square` is defined in another cell. Only answer cells are graded"),
        (WRITTEN, "Square", "Mine", "`Square` is graded; here it is called `Mine`. A person"),
        (None, "", "", "The answer cell answer-5-1 is missing, and there are other cells. Only"),
    ],
)
def test_a_person_looks_at_code_in_another_place(own, name, renamed, said):
    undefined = error("check", "NameError: name 'Square' is not defined")
    for judged in (PARTLY, undefined):  # the second says nothing that the question does not say
        found = conclude(judged, own, stray=Stray(name, ("code",), renamed, SHEET))
        before = f"{judged.message} " if own == WRITTEN and judged == PARTLY else ""
        assert (found.status, found.parts) == ("not-gradable", ())
        assert found.message.startswith(f"{before}{said}")


@pytest.mark.parametrize(
    ("judged", "more", "status", "said"),
    [
        (
            error("answer", "ModuleNotFoundError: No module named 'm'"),
            {},
            "not-gradable",
            "No file",
        ),
        (error("answer", "ModuleNotFoundError: No module named 'helpers.x'"), {}, "error", "x'."),
        (
            OPEN,
            {"own": STUB, "beside": ("5.1",)},
            "not-gradable",
            "Text is next to its answer cell",
        ),
        (OPEN, {"own": STUB, "beside": ("5.2",)}, "not-started", OPEN.message),
        (WRONG, {"beside": ("5.1",)}, "failed", WRONG.message),
        (PASSED, {"doubts": DOUBTS}, "not-gradable", "A person has to look at it: line 2 uses `ev"),
        (PARTLY, {"doubts": DOUBTS}, "not-gradable", "be. A person has to look at it: line 2"),
        (PASSED, {"own": STUB}, "passed", ""),
        (Judged("not-gradable", message="It lacks."), {"own": STUB}, "not-gradable", "It lacks."),
    ],
)
def test_a_task_has_the_status_that_it_deserves_and_the_reason(judged, more, status, said):
    found = conclude(judged, **more)
    assert (found.status, said in found.message) == (status, True)
    assert not (found.parts and status == "not-gradable")


@pytest.mark.parametrize("status", ["error", "failed", "partly"])
def test_what_an_answer_that_a_person_looks_at_says_is_withheld_from_the_student(status):
    parts = (EarnedPart("forward", 1, True), EarnedPart("gradients", 2, False, SECRET))
    told = {"failed": (f"forward: got {SECRET}",), "why": SECRET, "where": SECRET}
    told |= {"look": SECRET, "parts": parts, "table": (LineTable(SECRET, ()),)}
    judged = Judged(status, "raises", f"It raised E: {SECRET}.", raised=f"E: {SECRET}", **told)
    found = conclude(judged, doubts=DOUBTS)
    assert "since a person has to look at the answer: line 2 uses `eval`." in found.message
    assert (found.failed, found.withheld) == (("forward",), f"E: {SECRET}")
    assert SECRET not in str(vars(found) | {"withheld": "", "raised": ""})
    assert SECRET in conclude(judged).message
