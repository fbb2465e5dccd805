"""Who is missing beside work of somebody who looks like them is asked about, and nobody else."""

import pytest

from course.grading.books.look_alikes import look_alikes
from course.grading.reading.people import Person
from tests.course.grading.books.class_lists import read
from tests.course.grading.books.reports import Report, work
from tests.course.grading.books.samples import result, task

FIVE, SIX = "05_square", "06_exp"


def asked(one: Person, other: Person, listed=(), both_did: str = "") -> list[str]:
    """Return what is asked where one handed in the first exercise, and the other the second."""
    gone = [
        result(name, exercise, task(status="missing"))
        for name, exercise in ((one.name, SIX), (other.name, FIVE))
    ]
    kept = [result(one.name, FIVE), result(other.name, SIX)]
    kept += [result(name, both_did) for name in (one.name, other.name) if both_did]
    found = look_alikes([one, other], gone, kept, listed)
    return sorted({name for one in found for name in one.doubts} - {f"perhaps {one.name}"})


@pytest.mark.parametrize(
    "name",
    [
        *(
            "ada-l",
            "a.lovelace",
            "alovelace",
            "adal",
            "lovelacea",
            "lovelace_ada",
            "Ada",
            "LOVELACE",
        ),
        *("Lovelace, Ada", "adalovelace", "Ada M. Lovelace", "ada lovelace king", "l. ada"),
    ],
)
def test_names_that_could_be_one_are_asked_about(name):
    assert asked(Person("Ada Lovelace"), Person(name)) == [f"perhaps {name}"]


@pytest.mark.parametrize(
    "name", ["Ada King", "Alan Lovelace", "adam", "al", "a", "s4711", "B. Lovelace", "Åse", "李明"]
)
def test_other_names_are_not(name):
    assert asked(Person("Ada Lovelace"), Person(name)) == []


def test_what_stands_before_the_at_of_an_address_is_a_name():
    ada = Person("Ada Lovelace", ids=("countess@x.org",))
    assert len(asked(ada, Person("countess"))) == 1


def test_who_is_told_apart_is_not_asked_about():
    one, other = Person("Ada Lovelace"), Person("ada-l")
    assert asked(one, other, both_did="07_sinh") == []
    assert asked(one, other, listed=("Ada Lovelace", "ada-l")) == []
    both = Person("Ada Lovelace", "canvas", "1"), Person("lovelaceada", "canvas", "2")
    assert asked(*both) == []


def test_it_stands_on_the_index_without_a_list(tmp_path):
    report = Report(tmp_path / "report")
    assert report.run(work("Ada Lovelace"), work("Bo"), exercises=(FIVE,), named=True) == 0
    later = work("ada-l", SIX), work("Bo", SIX)
    assert report.run(*later, exercises=(SIX,), named=True) == 1
    assert "Nothing was handed in under this name" in report.index
    assert "perhaps ada-l" in report.index
    rows = {row["student"]: row for row in report.rows("summary.csv")}
    assert rows["Ada Lovelace"][SIX] == rows["Ada Lovelace"]["total"] == ""
    report.override(f"Ada Lovelace,{SIX},0,another person", f"ada-l,{FIVE},0,another person")
    assert report.run(*later, exercises=(SIX,), named=True) == 0
    rows = {row["student"]: row for row in report.rows("summary.csv")}
    assert rows["Ada Lovelace"][SIX] == "0"


def test_it_stands_on_the_index_with_one(tmp_path):
    report = Report(tmp_path / "report")
    roster = read(tmp_path, "Name,ID\nAda Lovelace,1\nBo,2\n")
    people = work("ada-l"), work("Bo")
    assert report.run(*people, roster=roster, exercises=(FIVE,), named=True) == 1
    assert "perhaps ada-l" in report.index
    (row,) = (row for row in report.rows("summary.csv") if row["student"] == "Ada Lovelace")
    assert row[FIVE] == ""


def test_one_cause_is_one_reason_for_all(tmp_path, capsys):
    report = Report(tmp_path / "report")
    report.run(work("Ada Lovelace"), work("Bo King"), exercises=(FIVE,), named=True)
    report.run(work("ada-l", SIX), work("bo-k", SIX), exercises=(SIX,), named=True)
    assert report.index.count("Nothing was handed in under this name") == 1
    assert capsys.readouterr().err.count("Nothing was handed in under this name") == 1
