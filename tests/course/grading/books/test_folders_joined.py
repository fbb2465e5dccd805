"""Folders called as a list of the class knows people are theirs, beside work of earlier weeks."""

import pytest

from course.grading.reading.people import Person
from tests.course.grading.books.class_lists import read, worksheet
from tests.course.grading.books.reports import KNOWN
from tests.course.grading.books.test_called_by_list import Weeks

FIVE, SIX, SEVEN = KNOWN
NAMES = ("Ada Brandt", "Emile Faucher", "Hana Ito", "Quentin Roy")
ASKED = "The folder is called by an id on the list of students"
LIST = "name,email,id,username\n" + "".join(
    f"{name},{name[0].lower()}@x.org,s700{n},{name[0].lower()}{name.split()[1].lower()}\n"
    for n, name in enumerate(NAMES)
)


def folder(name: str) -> Person:
    """Return somebody as a folder has them."""
    return Person(name, folder=name)


@pytest.fixture
def report(tmp_path):
    """Return a report that has work of all of them from Moodle."""
    found = Weeks(tmp_path / "report")
    people = [Person(name, "moodle", str(n), f"{name}_{n}_f") for n, name in enumerate(NAMES)]
    sheet = worksheet(*((n, name, "-") for n, name in enumerate(NAMES)))
    found.week(FIVE, *people, roster=read(tmp_path, sheet))
    return found


@pytest.mark.parametrize(
    "folders",
    [
        ("a@x.org", "s7001", "hito", "qroy"),
        ("ada_brandt", "faucher_emile", "ito.hana", "Quentin Roy"),
        ("Brandt, Ada", "Émile Faucher", "HanaIto", "quentin.roy"),
    ],
)
@pytest.mark.parametrize("first_list", [True, False])
def test_they_are_joined_and_nobody_is_asked(report, tmp_path, folders, first_list):
    roster, people = read(tmp_path, LIST), [folder(name) for name in folders]
    if not first_list:
        report.week(SIX, *people)
    for _ in range(2):
        assert report.week(SIX, *people, roster=roster) == 0
        assert report.done == {name: {FIVE, SIX} for name in NAMES}


def test_an_id_among_names_is_one_doubt_that_one_line_settles(report, tmp_path):
    roster = read(tmp_path, LIST)
    people = [folder(name) for name in ("Ada Brandt", "emile_faucher", "hito")]
    for _ in range(2):
        assert report.week(SIX, *people, roster=roster) == 1
        assert report.done["Hana Ito"] == {FIVE, SIX}
        assert report.done.keys() == {*NAMES}
        assert report.index.count(ASKED) == 1
        by_id = {row["student"]: row[SIX] for row in report.rows("summary.csv")}
        assert not by_id["Hana Ito"]
    report.override(f"Hana Ito,{SIX},,looked at it")
    assert report.week(SIX, *people, roster=roster) == 0
    by_id = {row["student"]: row[SIX] for row in report.rows("summary.csv")}
    assert by_id["Hana Ito"]


@pytest.mark.parametrize("other", ["hito", "s7002"])
def test_two_who_claim_one_person_stay_two(report, tmp_path, other):
    people = [folder(name) for name in ("Hana Ito", other)]
    assert report.week(SIX, *people, roster=read(tmp_path, LIST)) == 1
    assert report.done["Hana Ito"] == {FIVE, SIX}
    assert report.done[other] == {f"-{FIVE}", SIX}


def test_a_later_folder_takes_the_place_of_nobodys_work(report, tmp_path):
    roster = read(tmp_path, LIST)
    report.week(SIX, *(folder(name) for name in NAMES), roster=roster)
    assert report.week(SIX, folder("hito"), roster=roster) == 1
    assert report.done["hito"] == {f"-{FIVE}", SIX}
    assert "could both be Hana Ito" in report.index
