"""Students are called as the list of the class calls them, in every week."""

import pytest

from course.grading.books.class_list import ClassList
from course.grading.books.members import members
from course.grading.books.roster import RosterEntry, RosterFile
from course.grading.books.roster_names import Roster, named_roster
from course.grading.reading.layouts import Person
from course.grading.report_folder import ReportFolder
from course.grading.results import read_result, write_result
from tests.course.grading.books.samples import result

FIVE, SIX = "05_square", "06_exp"
ADA = RosterEntry("Ada Lovelace", {"Email": "a@x.org", "ID": "ada-l"}, "501")
KIM = RosterEntry("Lee, Kim", {}, "502")
LIST = named_roster(RosterFile((ADA, KIM), "canvas"))


@pytest.fixture
def report(tmp_path):
    """Return a report that nothing was graded into yet."""
    folder = ReportFolder(tmp_path / "report")
    yield folder
    folder.close()


def of(report, *work: tuple[str, str], roster=LIST, called=(), participants=None, people=()):
    """Return who is in a class whose report has this work: name and exercise."""
    for name, exercise in work:
        write_result(report.result(name, exercise), result(name, exercise))
    names = dict.fromkeys(name for name, _ in work)
    known = ClassList((*map(Person, names), *people), (), frozenset(names))
    return members(report, roster, known, called, participants or {})


def kept(report):
    """Return whose results there are."""
    found = [(one.student, one.exercise) for one in map(read_result, report.kept())]
    assert [report.result(*one) for one in found] == report.kept()
    return {*found}


@pytest.mark.parametrize(
    "old", ["ada-l", "lovelaceada", "a@x.org", "Lovelace, ADÁ", "Ada Lovelace"]
)
def test_somebody_of_an_earlier_week_is_called_as_the_list_does(report, old):
    found = of(report, (old, FIVE), ("Eve", FIVE))
    assert kept(report) == {("Ada Lovelace", FIVE), ("Eve", FIVE)}
    names = [one.name for one in found.known.people]
    assert (names, {*names}) == (["Ada Lovelace", "Eve"], found.known.workers)


@pytest.mark.parametrize("other", ["Ada Lovelace", "lovelaceada"])
@pytest.mark.parametrize(("exercise", "people"), [(FIVE, 2), (SIX, 1)])
def test_no_work_takes_the_place_of_other_work(report, other, exercise, people):
    of(report, ("ada-l", FIVE), (other, exercise))
    assert len(kept(report)) == 2
    assert len({name for name, _ in kept(report)}) == people


@pytest.mark.parametrize(
    ("student", "key", "named"),
    [("Ada Lovelace", "countess", ["Ada Lovelace"]), ("Cy", "cy", ["Cy"]), ("Cy", "countess", [])],
)
def test_a_person_says_who_is_called_what(report, student, key, named):
    found = of(report, called=[(student, key)])
    assert found.directory.named(key) == named
    assert len(found.wrong) == 1 - len(named)
    assert found.roster.names == ("Ada Lovelace", "Lee, Kim", *({*named} - {"Ada Lovelace"}))


def test_without_a_list_anybody_may_be_called_something(report):
    found = of(report, ("cy1", FIVE), roster=Roster(), called=[("Cy", "cy1")])
    assert (kept(report), found.wrong) == ({("Cy", FIVE)}, ())


def test_numbers_last_on_canvas_and_on_moodles_worksheets_only(report):
    people = [Person("Bo", "canvas", "9"), Person("Cy", "moodle", "9")]
    sheet = {"7": ADA, "8": RosterEntry("Nobody")}
    assert of(report, people=people, participants=sheet).numbers == {
        ("canvas", "9"): "Bo",
        ("canvas", "501"): "Ada Lovelace",
        ("canvas", "502"): "Lee, Kim",
        ("moodle", "7"): "Ada Lovelace",
    }


def test_who_shares_a_name_on_the_list_has_an_id_beside_it(report):
    two = [RosterEntry("Wei Wang", {"Email": f"w{n}@x.org"}) for n in (1, 2)]
    of(report, ("Wei Wang", FIVE), ("w2", FIVE), roster=named_roster(RosterFile((*two, ADA))))
    assert kept(report) == {("Wei Wang", FIVE), ("Wei Wang (w2@x.org)", FIVE)}
