"""What a page says of a task is true, whatever became of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from course.grading.conclusion import concluded
from course.grading.judge_cells import Judged
from course.grading.reading.answers import Answers, read_answers
from course.grading.reading.sheet import read_sheet
from course.grading.results import EarnedPart
from helpers.checks.source_check import Flag

ROOT = Path(__file__).resolve().parents[3]
SHEET = read_sheet(ROOT, "05_square")
STUBS = {cell.id: cell.source for cell in SHEET.cells if cell.kind == "answer"}
SQUARE = "class Square(Function):\n    pass"
OTHER = "class Square(Function):\n    other = 1"
WRITTEN = STUBS | {"answer-5-1": SQUARE}
HIDDEN = Judged("failed", "wrong-factor", "", ("forward",), (), ("gradient of x",))
SHOWN = {
    "visible": Judged("failed", "wrong-factor", "It is twice what it should be.", ("forward",)),
    "hidden": HIDDEN,
    "open": Judged("failed", "not-started", "Nothing has been written yet."),
    "raised": Judged("error", message="answer-5-1 raised NameError: name 'f' is not defined."),
    "late": Judged("timeout", message="The cell answer-5-1 took too long."),
    "died": Judged("died", message="The cell answer-5-1 ended Python."),
    "not reached": Judged(""),
}
SENTENCES = {
    "visible": ("failed", "It is twice what it should be."),
    "hidden": (
        "failed",
        "Its visible check passes. A hidden check, on inputs that you do not see, fails.",
    ),
    "open": (
        "failed",
        "Something was written, but what its check runs is still as it was given.",
    ),
    "raised": ("error", "answer-5-1 raised NameError: name 'f' is not defined."),
    "late": ("timeout", "The cell answer-5-1 took too long."),
    "died": ("died", "The cell answer-5-1 ended Python."),
    "not reached": ("error", "Its check was not reached."),
}


def conclude(judged: Judged, *extra: str, doubts: tuple = (), **answers: str | None) -> Judged:
    """Conclude task 5.1 of a notebook with these answers, None for one that is missing."""
    mine = WRITTEN | {name.replace("_", "-"): source for name, source in answers.items()}
    sources = {name: source for name, source in mine.items() if source is not None}
    return concluded(SHEET, Answers(sources, extra), "5.1", judged, doubts)


@pytest.mark.parametrize("case", SHOWN)
def test_an_answer_that_does_not_pass_hears_what_happened(case):
    found = conclude(SHOWN[case])
    assert (found.status, found.message) == SENTENCES[case]
    kept = replace(found, status=SHOWN[case].status, message=SHOWN[case].message)
    assert kept == SHOWN[case]


@pytest.mark.parametrize("case", SHOWN)
def test_with_the_answer_in_another_cell_a_person_looks(case):
    found = conclude(SHOWN[case], OTHER)
    assert found.status == "not-gradable"
    assert found.message == (
        f"{SENTENCES[case][1]} `Square` stands outside of its answer cell. "
        "Only answer cells are graded: a person has to look at it."
    )


@pytest.mark.parametrize("case", SHOWN)
@pytest.mark.parametrize("source", [STUBS["answer-5-1"] + "\n# hm", "", "# gone\n", None])
def test_what_was_not_touched_is_not_started_whatever_it_ran_into(case, source):
    found = conclude(SHOWN[case], answer_5_1=source)
    said = "Nothing has been written yet."
    if source is None:
        said = "The answer cell answer-5-1 is missing."
    assert found == Judged("not-started", "not-started", said)


@pytest.mark.parametrize("case", SHOWN)
@pytest.mark.parametrize("source", [STUBS["answer-5-1"], "", None])
def test_the_only_answer_in_another_cell_is_for_a_person(case, source):
    found = conclude(SHOWN[case], OTHER, answer_5_1=source)
    assert found.status == "not-gradable"
    assert found.message == (
        "`Square` stands in another cell. Only answer cells are graded: a person has to look at it."
    )


def test_an_answer_cell_that_is_gone_is_for_a_person_where_other_cells_are():
    found = conclude(SHOWN["open"], "class Mine:\n    pass", answer_5_1=None)
    assert found.status == "not-gradable"
    assert found.message.startswith("The answer cell answer-5-1 is missing, and there are other")


def test_an_answer_of_another_name_that_the_student_s_own_check_hands_over_is_for_a_person():
    mine, missing = SQUARE.replace("Square", "MySquare"), "check-5-1 raised NameError."
    judged = Judged("error", message=missing)
    found = conclude(judged, 'check("5.1", MySquare)', answer_5_1=mine)
    assert found.status == "not-gradable"
    assert found.message == (
        f"{missing} The check cell was changed to `MySquare`; what is graded is `Square`. "
        "A person has to look at it."
    )
    assert conclude(judged, 'check("5.2", MySquare)', answer_5_1=mine).status == "error"
    assert conclude(judged, 'check("5.1", MySquare)').status == "error"


UNDEFINED = Judged("error", message="check-5-1 raised NameError: name 'Square' is not defined.")


def test_an_answer_of_another_name_is_for_a_person():
    other = "import math\nn = 2\nclass MySquare(Function):\n    pass"
    found = conclude(UNDEFINED, answer_5_1=other)
    assert (found.status, found.parts) == ("not-gradable", ())
    assert found.message == (
        "The answer defines `MySquare`, and not `Square`, which is graded. A person has to look at "
        "it."
    )
    assert conclude(SHOWN["raised"], answer_5_1=other).status == "error"


@pytest.mark.parametrize("case", ["late", "died"])
def test_an_answer_that_does_not_end_is_asked_for_no_name(case):
    assert conclude(SHOWN[case], answer_5_1="kept = []").status == SHOWN[case].status


def test_an_answer_that_defines_nothing_hears_so_and_nobody_looks():
    found = conclude(UNDEFINED, answer_5_1="import math\npass")
    assert found.status == "error"
    assert found.message.endswith("is not defined. The answer does not define `Square`.")


def test_an_answer_that_imports_a_file_of_its_own_is_for_a_person():
    raised = Judged("error", message="answer-5-1 raised ModuleNotFoundError: No module named 'm'.")
    found = conclude(raised, answer_5_1="from m import Square")
    assert found.status == "not-gradable"
    assert "No file that was handed in beside the notebook is there." in found.message
    ours = Judged("error", message=raised.message.replace("'m'", "'helpers.checks.references'"))
    assert conclude(ours, answer_5_1="from m import Square").status == "error"


def test_text_beside_an_answer_that_was_not_started_is_for_a_person():
    beside = Answers(STUBS, beside=("5.1",))
    found = concluded(SHEET, beside, "5.1", SHOWN["open"], ())
    assert found.status == "not-gradable"
    assert found.message.startswith("Text stands beside its answer cell")
    assert concluded(SHEET, beside, "5.2", SHOWN["open"], ()).status == "not-started"
    assert (
        concluded(SHEET, Answers(WRITTEN, beside=("5.1",)), "5.1", SHOWN["visible"], ())
        == (SHOWN["visible"])
    )


def test_the_code_of_a_repair_that_is_as_it_was_given_is_not_started():
    found = concluded(SHEET, Answers(STUBS), "5.2", SHOWN["visible"], ())
    assert found.status == "not-started"


@pytest.mark.parametrize("path", sorted((ROOT / "exercises").glob("*.ipynb")), ids=lambda p: p.stem)
def test_every_exercise_as_it_is_given_is_not_started(path):
    sheet = read_sheet(ROOT, path.stem)
    given, solved = (
        read_answers((ROOT / folder / path.name).read_bytes(), sheet)
        for folder in ("exercises", "solutions")
    )
    assert given.extra == solved.extra == given.beside == solved.beside == ()
    for task in sheet.tasks:
        found = concluded(sheet, given, task, SHOWN["visible"], ())
        assert (found.status, found.diagnosis) == ("not-started", "not-started")
        assert concluded(sheet, solved, task, SHOWN["visible"], ()) == SHOWN["visible"]


def test_an_answer_that_passes_stays_so_with_anything_beside_it():
    passed = Judged("passed", "ok", "", ("forward",))
    assert conclude(passed, OTHER) == passed


def test_an_answer_that_passes_and_looks_like_tampering_is_for_a_person():
    found = conclude(Judged("passed", "ok"), doubts=(Flag(2, "uses `eval`"),))
    assert found.status == "not-gradable"
    assert found.message.startswith("A person has to look at it: ")


def test_what_is_for_a_person_already_keeps_its_reason():
    doubtful = Judged("not-gradable", message="The evidence lacks a part: forward.")
    assert conclude(doubtful, OTHER, answer_5_1=STUBS["answer-5-1"]) == doubtful


PARTS = (EarnedPart("forward", 1, True), EarnedPart("gradient of x", 1, False))
PARTLY = Judged("partly", "not-started", "Nothing has been written yet.", parts=PARTS)


def test_an_answer_that_is_right_in_part_keeps_what_it_earned():
    found = conclude(PARTLY)
    assert found == replace(PARTLY, message="A part of it is not written yet.")
    said = replace(PARTLY, diagnosis="wrong-factor", message="It is twice what it should be.")
    assert conclude(said) == said


def test_a_part_of_such_an_answer_is_for_a_person_who_says_what_it_earns():
    found = conclude(PARTLY, doubts=(Flag(1, "uses `eval`"),))
    assert (found.status, found.parts) == ("not-gradable", ())
    found = conclude(PARTLY, OTHER)
    assert (found.status, found.parts) == ("not-gradable", ())


def test_what_was_given_earns_nothing():
    assert conclude(PARTLY, answer_5_1=STUBS["answer-5-1"]).parts == ()
