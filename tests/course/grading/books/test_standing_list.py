"""The list of the class that a report was given last holds for every later run."""

import shutil

import pytest

from course.grading.books.roster import RosterError
from course.grading.books.standing_list import roster_of
from course.grading.reading.people import Person
from tests.course.grading.books.class_lists import gradebook, worksheet
from tests.course.grading.books.importers import moodle_grades
from tests.course.grading.books.reports import KNOWN, WORTH, Report, work

FIVE, SIX, _ = KNOWN
PLAIN = "Name,Email\n{}"
EVERYBODY = "Ada,a@x.org\nBo,b@x.org\nCy,c@x.org\n"
GONE = "Without work, and not on the newest list of the class, so no more in it: "


class Semester(Report):
    """A report whose runs take the list of the class as the command does."""

    def week(self, exercise: str, *names: str, given=None, **more) -> int:
        """Grade an exercise of these people; return the exit status."""
        results = [work(name, exercise, **more) for name in names]
        chosen = {"exercises": (exercise,), "named": True}
        return self.run(*results, roster=roster_of(self.path, given), **chosen)


@pytest.fixture
def report(tmp_path):
    """Return a report that nothing was graded into yet."""
    return Semester(tmp_path / "report")


@pytest.fixture
def write(tmp_path):
    """Return a function that writes a list of the class."""

    def _write(text: str):
        path = tmp_path / "list.csv"
        path.write_text(text, encoding="utf-8")
        return path

    return _write


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.format(EVERYBODY),
        worksheet(*((n, name, "-") for n, name in enumerate(("Ada", "Bo", "Cy"), 11))),
        gradebook(*((n, name, "") for n, name in enumerate(("Ada", "Bo", "Cy"), 11))),
    ],
    ids=["plain", "moodle", "canvas"],
)
def test_who_never_handed_in_stays_in_runs_without_a_list(report, write, text):
    report.week(FIVE, "Ada", "Bo", given=write(text))
    report.override("Cy,5.1,1,at the blackboard", "Cy,05,0,not handed in")
    assert report.week(FIVE, "Ada") == 0
    assert list(report.totals()) == ["Ada", "Bo", "Cy"]
    assert report.grades()["Cy", "5.1"][1] == "1"
    report.week(SIX, "Bo")
    assert report.grades()["Cy", "6.1"] == ("missing", "0")


def test_a_list_beside_the_report_counts_more_than_the_one_given_last(report, write):
    report.week(FIVE, "Ada", given=write(PLAIN.format(EVERYBODY)))
    (report.path / "roster.csv").write_text(PLAIN.format("Ada,a@x.org\nDee,d@x.org\n"))
    report.week(FIVE, "Ada")
    assert list(report.totals()) == ["Ada", "Dee"]
    assert f"{GONE}Bo, Cy." in report.index


def test_who_is_not_on_the_newest_list_and_has_no_work_is_gone_for_good(report, write):
    report.week(FIVE, "Ada", "Bo", given=write(PLAIN.format(EVERYBODY)))
    assert report.week(SIX, "Ada", "Bo", given=write(PLAIN.format(EVERYBODY[:23]))) == 0
    assert list(report.totals()) == ["Ada", "Bo"]
    assert f"{GONE}Cy." in report.index
    report.week(SIX, "Ada")
    assert list(report.totals()) == ["Ada", "Bo"]


def test_who_withdrew_is_taken_out_of_the_list_and_of_the_results(report, write):
    sheets = [
        worksheet(*((number, name, "-") for number, name in enumerate(names, start)))
        for start, names in ((11, ("Ada", "Bo", "Cy")), (21, ("Ada", "Cy")))
    ]
    worth = f"{WORTH[FIVE]:g}.00"
    for number, name in ((11, "Ada"), (12, "Bo")):
        person = Person(name, "moodle", str(number))
        given = write(sheets[0].replace("10.00", worth))
        report.week(FIVE, name, given=given, person=person)
    shutil.rmtree(report.path / "results" / "Bo")
    ada = Person("Ada", "moodle", "21")
    assert report.week(SIX, "Ada", given=write(sheets[1]), person=ada) == 0
    for week in (FIVE, SIX):
        assert list(report.totals()) == ["Ada", "Cy"]
        report.week(week, "Cy")
    assert [one.split("/")[0] for one in report.pages()] == ["Ada", "Ada", "Cy", "Cy"]
    first = (report.path / "way_back" / "moodle" / f"{FIVE}.csv").read_bytes()
    assert moodle_grades(first).keys() == {"11", "13"}


def test_a_row_taken_out_of_the_kept_list_is_taken_out_of_the_class(report, write):
    report.week(FIVE, "Ada", "Bo", given=write(PLAIN.format(EVERYBODY)))
    kept = report.path / "rosters" / "class.csv"
    kept.write_text(kept.read_text().replace('"Cy","c@x.org"\n', ""))
    report.week(FIVE, "Ada")
    assert list(report.totals()) == ["Ada", "Bo"]


def test_a_worksheet_of_an_earlier_week_says_nothing_of_this_one(report, write):
    sheet = worksheet((11, "Ada", "-"), (12, "Cy", "-")).replace("10.00", f"{WORTH[FIVE]:g}.00")
    report.week(FIVE, "Ada", given=write(sheet), person=Person("Ada", "moodle", "11"))
    assert report.week(SIX, "Ada", person=Person("Ada", "moodle", "21")) == 0
    place = report.path / "way_back" / "moodle"
    assert moodle_grades((place / f"{SIX}.csv").read_bytes()) == {"21": WORTH[SIX]}
    assert moodle_grades((place / f"{FIVE}.csv").read_bytes()) == {"11": WORTH[FIVE]}
    assert "none of the exercises" not in report.index


def test_a_damaged_kept_list_says_what_to_do_and_a_new_one_takes_its_place(report, write):
    report.week(FIVE, "Ada", given=write(PLAIN.format(EVERYBODY)))
    (report.path / "rosters" / "class.csv").write_text("x\ny\n")
    with pytest.raises(RosterError, match=r"Or delete .*class\.csv"):
        report.week(FIVE, "Ada")
    assert report.week(FIVE, "Ada", given=write(PLAIN.format(EVERYBODY))) == 0
