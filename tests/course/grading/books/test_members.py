"""Students are called as the list of the class calls them, in every week."""

import pytest

from course.grading.books.class_list import ClassList, read_class_list, write_class_list
from course.grading.books.members import members
from course.grading.books.overrides import Override
from course.grading.books.roster import NO_ROSTER, RosterEntry, RosterFile
from course.grading.reading.layouts import Person
from course.grading.results import read_result, write_result
from tests.course.grading.books.samples import result

FIVE = "05_square"
ADA = RosterEntry("Ada Lovelace", "canvas", "501", ids=("a@x.org", "ada-l"))
KIM = RosterEntry("Lee, Kim", "canvas", "502")
LIST = RosterFile((ADA, KIM), "canvas")


def of(folder, *work: tuple[str, str], roster=LIST, called="", participants=None, people=()):
    """Return who is in a class whose report has this work: name and exercise."""
    for name, exercise in work:
        write_result(folder.result(name, exercise), result(name, exercise, file=f"{name}/x"))
    names = dict.fromkeys(name for name, _ in work)
    write_class_list(folder, ClassList((*map(Person, names), *people)))
    student, _, key = called.partition(" is ")
    lines = [Override(student, "", "is", key, "")] if called else []
    return members(folder, roster, lines, participants or {})


def kept(folder):
    """Return whose results there are."""
    found = [(one.student, one.exercise) for one in map(read_result, folder.kept())]
    assert [folder.result(*one) for one in found] == folder.kept()
    return {*found}


@pytest.mark.parametrize(
    "old", ["ada-l", "lovelaceada", "a@x.org", "Lovelace, ADÁ", "Ada Lovelace"]
)
def test_somebody_of_an_earlier_week_is_called_as_the_list_does(folder, old):
    found = of(folder, (old, FIVE), ("Eve", FIVE))
    assert kept(folder) == {("Ada Lovelace", FIVE), ("Eve", FIVE)}
    assert [one.name for one in found.known.people] == ["Ada Lovelace", "Eve"]


@pytest.mark.parametrize(("exercise", "left"), [(FIVE, ["Ada Lovelace ada2/x"]), ("06_exp", [])])
def test_of_two_works_of_one_student_one_is_kept_and_the_other_asked_about(folder, exercise, left):
    found = of(folder, ("ada2", exercise), ("Ada Lovelace", FIVE), called="Ada Lovelace is ada2")
    assert kept(folder) == {("Ada Lovelace", FIVE), ("Ada Lovelace", exercise)}
    assert found.directory.one("ada2") == "Ada Lovelace"
    waits = found.known.pending
    assert [f"{one.student} {one.file}" for one in waits if one.may_count] == left
    assert read_class_list(folder).pending == waits


@pytest.mark.parametrize(
    ("called", "student"),
    [("Ada Lovelace is ada1", "Ada Lovelace"), ("Cy is cy", "Cy"), ("Cy is ada1", "")],
)
def test_a_person_says_who_is_called_what(folder, called, student):
    found = of(folder, called=called)
    assert bool(found.wrong) == (not student)
    assert {*found.names, ""} == {"Ada Lovelace", "Lee, Kim", student, ""}
    assert found.directory.having(called.split()[-1:]) == [student] * bool(student)


def test_without_a_list_anybody_may_be_called_something(folder):
    found = of(folder, ("cy1", FIVE), roster=NO_ROSTER, called="Cy is cy1")
    assert (kept(folder), found.wrong, found.names) == ({("Cy", FIVE)}, (), ())


def test_numbers_last_on_canvas_and_on_moodles_worksheets_only(folder):
    people = [Person("Bo", "canvas", "9"), Person("Cy", "moodle", "9")]
    sheet = {"7": RosterEntry("ada lovelace", "moodle", "7"), "8": RosterEntry("Nobody")}
    numbers = of(folder, people=people, participants=sheet).directory.numbers
    assert sorted(f"{' '.join(number)} {name}" for number, name in numbers.items()) == [
        "canvas 501 Ada Lovelace",
        "canvas 502 Lee, Kim",
        "canvas 9 Bo",
        "moodle 7 Ada Lovelace",
    ]
