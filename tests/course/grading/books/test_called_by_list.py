"""Students are called as the list of the class does, and two of one name are two in every week."""

from dataclasses import replace
from pathlib import Path

import pytest

from course.grading.books.called_by_list import who_is_who
from course.grading.books.publish import Choices, publish
from course.grading.books.roster import NO_ROSTER
from course.grading.reading.people import Person
from course.grading.reading.submissions import Found, Submission
from course.grading.report_folder import ReportError, ReportFolder
from course.grading.results import write_result
from tests.course.grading.books.class_lists import WORKSHEET, gradebook, read, worksheet
from tests.course.grading.books.importers import canvas_grades, moodle_feedback, moodle_grades
from tests.course.grading.books.reports import KNOWN, TASKS, WORTH, Report, work
from tests.course.grading.classes import ROOT

FIVE, SIX, SEVEN = KNOWN
ONE, TWO = "Wei Wang (wei1@x.org)", "Wei Wang (wei2@x.org)"


class Weeks(Report):
    """A report that downloads are graded into; all of the work passes."""

    def week(self, exercise: str, *people: Person, roster=NO_ROSTER, **choices) -> int:
        """Grade an exercise of these people, publish it; return the exit status."""
        folder = ReportFolder(self.path)
        files = [Submission(one.name, exercise, Path("x"), person=one) for one in people]
        try:
            found = who_is_who(Found(tuple(files), people, (), ()), folder, roster)
            for one in found.submissions:
                result = work(one.student, exercise, person=one.person, doubts=one.doubts)
                write_result(folder.result(one.student, exercise), result)
            known = {"exercises": (exercise,), "named": True, "roster": roster, **choices}
            return publish(ROOT, folder, found, Choices(**known))
        finally:
            folder.close()

    @property
    def done(self) -> dict[str, set[str]]:
        """Return the exercises that each student has handed in; "-" before those missing."""
        found: dict[str, set[str]] = {}
        for row in self.rows("grades.csv"):
            mark = "-" if row["status"] == "missing" else ""
            found.setdefault(row["student"], set()).add(f"{mark}{row['exercise']}")
        return found


@pytest.fixture
def report(tmp_path):
    """Return a report that nothing was graded into yet."""
    return Weeks(tmp_path / "report")


def wei(number: int, *, shared: bool = True) -> Person:
    """Return a Wei Wang as a download of Moodle's has them."""
    name = f"Wei Wang ({number})" if shared else "Wei Wang"
    return Person(name, "moodle", str(number), f"Wei Wang_{number}_assignsubmission_file")


@pytest.fixture
def lists(tmp_path):
    """Return a function that makes a week's grading worksheet of the two and Ada."""

    def _lists(one: int, two: int, ada: int, exercise: str = FIVE):
        people = ((two, "Wei Wang", "wei2"), (one, "Wei Wang", "wei1"), (ada, "Ada", "ada"))
        worth = f"{WORTH[exercise]:.2f}"
        rows = (
            f'"Participant {number}","{name}",{mail}@x.org,Submitted,,{worth},Yes,-,-,\n'
            for number, name, mail in people
        )
        return read(tmp_path, WORKSHEET + "".join(rows))

    return _lists


def test_two_of_one_name_are_two_in_every_week(report, lists):
    report.week(FIVE, wei(11), wei(12), roster=lists(11, 12, 13))
    report.week(SIX, wei(22), wei(21), roster=lists(21, 22, 23))
    report.week(SEVEN, wei(31, shared=False), roster=lists(31, 32, 33))
    assert report.done == {
        ONE: {FIVE, SIX, SEVEN},
        TWO: {FIVE, SIX, f"-{SEVEN}"},
        "Ada": {f"-{FIVE}", f"-{SIX}", f"-{SEVEN}"},
    }


def test_without_a_list_nobody_of_one_name_is_missing_and_a_person_is_asked(report):
    ada = Person("Ada", "moodle", "13")
    assert report.week(FIVE, wei(11), wei(12), ada) == 0
    assert report.week(SIX, wei(21, shared=False), replace(ada, number="23")) == 1
    assert "grading worksheet, with e-mail addresses, as --roster" in report.index
    assert not [name for name, done in report.done.items() if any("-" in one for one in done)]


def test_a_list_that_is_given_later_mends_what_was_graded_without(report, lists):
    report.week(FIVE, wei(11), wei(12))
    report.week(SIX, wei(21), wei(22))
    report.week(FIVE, wei(11), wei(12), roster=lists(11, 12, 13))
    assert report.week(SIX, wei(21), wei(22), roster=lists(21, 22, 23)) == 0
    assert report.done == {
        ONE: {FIVE, SIX},
        TWO: {FIVE, SIX},
        "Ada": {f"-{FIVE}", f"-{SIX}"},
    }


def test_the_worksheet_of_another_week_is_told_and_that_of_this_week_mends_it(report, lists):
    report.week(FIVE, wei(11), wei(12), roster=lists(11, 12, 13))
    assert report.week(SIX, wei(21), wei(22), roster=lists(11, 12, 13)) == 1
    said = f"is the grading worksheet of {FIVE}, by the numbers of its participants, and this run"
    assert said in report.index
    assert report.week(SIX, wei(21), wei(22), roster=lists(21, 22, 23, SIX)) == 0
    assert said not in report.index
    assert report.done == {
        ONE: {FIVE, SIX},
        TWO: {FIVE, SIX},
        "Ada": {f"-{FIVE}", f"-{SIX}"},
    }


def test_a_week_without_a_list_forgets_nobody(report, lists):
    ada = Person("Ada", "moodle", "13")
    report.week(FIVE, wei(11), wei(12), ada, roster=lists(11, 12, 13))
    report.week(SIX, replace(ada, number="23"))
    report.week(SEVEN, wei(31), wei(32), replace(ada, number="33"), roster=lists(31, 32, 33))
    assert report.done["Ada"] == {FIVE, SIX, SEVEN}
    assert report.done[ONE] == report.done[TWO] == {FIVE, f"-{SIX}", SEVEN}


def test_each_weeks_worksheet_is_filled_in_all_later_weeks(report, lists):
    ada = Person("Ada", "moodle", "13")
    report.week(FIVE, wei(11), wei(12), ada, roster=lists(11, 12, 13))
    place = report.path / "way_back" / "moodle"
    first = (place / f"{FIVE}.csv").read_bytes()
    assert b"wei1@x.org" in first
    report.override(f"{TWO},6.1,0,not there")
    report.week(SIX, wei(21, shared=False), roster=lists(21, 22, 23, SIX))
    report.week(SEVEN, wei(31), wei(32))
    assert (place / f"{FIVE}.csv").read_bytes() == first
    assert moodle_grades(first) == dict.fromkeys(("11", "12", "13"), WORTH[FIVE])
    assert moodle_grades((place / f"{SIX}.csv").read_bytes()) == {"21": WORTH[SIX]}
    assert b'"Participant 23","Ada"' in (place / f"{SIX}.csv").read_bytes()
    pages = moodle_feedback((place / f"{SIX}_feedback.zip").read_bytes())
    assert set(pages) == {"21"}


def test_without_its_worksheet_no_row_has_a_number_of_another_assignment(report):
    ada, bo = Person("Ada", "moodle", "13"), Person("Bo", "moodle", "14")
    report.week(FIVE, ada, bo)
    report.week(SIX, replace(ada, number="23"))
    report.override(*(f"Bo,{task.id},0,not there" for task in TASKS[SIX]))
    report.week(SIX, replace(ada, number="23"))
    place = report.path / "way_back" / "moodle"
    assert moodle_grades((place / f"{FIVE}.csv").read_bytes()).keys() == {"13", "14"}
    sheet = (place / f"{SIX}.csv").read_text()
    assert "Participant 23" in sheet
    assert "Participant 14" not in sheet
    assert "are without Bo: the worksheet or the download has no number" in report.index


def test_who_is_not_in_a_remembered_worksheet_is_named(report, lists):
    report.week(FIVE, wei(11), wei(12), roster=lists(11, 12, 13))
    report.week(FIVE, Person("Eva", "moodle", "19"))
    assert "are without Eva: the worksheet or the download has no number" in report.index


def test_a_damaged_worksheet_says_what_to_do(report, lists):
    report.week(FIVE, wei(11), wei(12), roster=lists(11, 12, 13))
    (report.path / "rosters" / f"{FIVE}.csv").write_text("Name\n")
    with pytest.raises(ReportError, match="give that week's worksheet with --roster"):
        report.week(FIVE, wei(11), wei(12))


CLASS = ((501, "García López, María", ""), (502, "Lee, Kim", ""))
MARIA, KIM = (
    Person(slug, "canvas", number, f"{slug}_{number}_9_")
    for slug, number in (("garcialopezmaria", "501"), ("leekim", "502"))
)


@pytest.mark.parametrize("first_list", [True, False])
def test_a_student_of_canvas_is_called_as_the_gradebook_does(report, tmp_path, first_list):
    roster = read(tmp_path, gradebook(*CLASS))
    report.week(FIVE, MARIA, roster=roster if first_list else NO_ROSTER)
    report.week(SIX, MARIA, KIM, roster=roster)
    assert report.done == {"García López, María": {FIVE, SIX}, "Lee, Kim": {f"-{FIVE}", SIX}}
    assert sorted({page.split("/")[0] for page in report.pages()}) == sorted(report.done)


@pytest.mark.parametrize("name", ["leekim", "Lee, Kim"])
def test_either_name_holds_in_overrides(report, tmp_path, name):
    roster = read(tmp_path, gradebook(*CLASS).replace("10.0", f"{WORTH[FIVE]:g}"))
    report.week(FIVE, MARIA, KIM, roster=roster)
    report.override(f'"{name}",5.1,0,seen')
    assert report.week(FIVE, MARIA, KIM, roster=roster) == 0
    assert report.grades()["Lee, Kim", "5.1"] == ("passed", "0")
    back = (report.path / "way_back" / "canvas" / f"{FIVE}.csv").read_bytes()
    assert set(canvas_grades(back)[2]) == {"501", "502"}


def jan(number: int, group: str = "") -> Person:
    """Return Jan as a download of Moodle's has him, in a group."""
    name = f"{group}Jan de Vries"
    return Person(name, "moodle", str(number), f"{name}_{number}_assignsubmission_file")


JAN = worksheet((1, "Jan de Vries", "-"), (2, "Eva", "-")).replace("10.00", f"{WORTH[SIX]:g}.00")
GROUP = "Group C-"


@pytest.mark.parametrize("mails", [True, False])
def test_somebody_in_a_group_is_known_by_the_number_on_a_kept_worksheet(report, tmp_path, mails):
    text = JAN if mails else JAN.replace("1@x.org", "").replace("2@x.org", "")
    report.week(SIX, jan(1), roster=read(tmp_path, text))
    report.week(SIX, Person("Group C-Eva", "moodle", "2"))
    assert report.done == {"Jan de Vries": {SIX}, "Eva": {SIX}}


@pytest.mark.parametrize("roster", ["Name\nJan de Vries\nEva\n", JAN])
def test_somebody_in_a_group_is_known_by_the_name_on_the_list(report, tmp_path, roster):
    roster = read(tmp_path, roster)
    report.week(SIX, jan(1), roster=roster)
    assert report.week(FIVE, jan(7, GROUP), roster=replace(roster, is_remembered=True)) == 0
    assert report.done["Jan de Vries"] == {FIVE, SIX}
    assert len(report.done) == 2


def test_a_number_that_the_report_knows_needs_no_list(report):
    report.week(SIX, jan(1))
    assert report.week(FIVE, jan(1, GROUP)) == 0
    assert report.done == {"Jan de Vries": {FIVE, SIX}}


def test_who_looks_like_somebody_in_a_group_asks_a_person(report):
    report.week(SIX, jan(1))
    assert report.week(FIVE, jan(7, GROUP)) == 1
    said = "Group C-Jan de Vries may be Jan de Vries, with the name of a group before"
    assert said in report.index


def test_two_who_handed_in_the_same_exercise_are_two(report):
    both = jan(1, "Anna-"), jan(2)
    assert report.week(SIX, *both) == 0
    assert len(report.done) == 2


def test_who_is_on_the_list_with_a_hyphen_is_nobody_else(report, tmp_path):
    roster = read(tmp_path, "Name\nJan de Vries\nAnna-Jan de Vries\n")
    report.week(SIX, jan(1), roster=roster)
    assert report.week(FIVE, jan(7, "Anna-"), roster=roster) == 0
    assert report.done["Anna-Jan de Vries"] == {FIVE, f"-{SIX}"}


PLAIN = "name,id\nAda Lovelace,ada-l\nBo King,bo-k\nBo King,bo-2\n"
CLASSROOM = (
    "identifier,github_username,github_id,name\n"
    "ada@x.org,Ada-L,77,Ada Lovelace\n"
    "s1,bo-k,78,Bo King\n"
    "s2,bo-2,79,Bo King\n"
)


def folder(user: str, exercise: str) -> Person:
    """Return somebody as GitHub Classroom's download has them."""
    return Person(user, folder=f"{exercise.replace('_', '-')}-{user}")


@pytest.mark.parametrize(
    ("text", "bo", "bo_2"),
    [(PLAIN, "Bo King (bo-k)", "Bo King (bo-2)"), (CLASSROOM, "Bo King (s1)", "Bo King (s2)")],
)
@pytest.mark.parametrize("weeks_with_a_list", [(FIVE,), (SIX,), (FIVE, SIX)])
def test_who_is_on_the_list_by_an_id_is_called_by_name(
    report, tmp_path, text, bo, bo_2, weeks_with_a_list
):
    roster = read(tmp_path, text)
    for week in (FIVE, SIX):
        users = ("ada-l", "bo-k") if week == FIVE else ("ada-l", "bo-2")
        given = roster if week in weeks_with_a_list else NO_ROSTER
        report.week(week, *(folder(user, week) for user in users), roster=given)
    report.week(SIX, *(folder(user, SIX) for user in users), roster=roster)
    assert report.done == {
        "Ada Lovelace": {FIVE, SIX},
        bo: {FIVE, f"-{SIX}"},
        bo_2: {f"-{FIVE}", SIX},
    }
    rows = {row["student"]: row for row in report.rows("summary.csv")}
    assert rows.keys() == report.done.keys()
    assert rows["Ada Lovelace"][FIVE] == f"{WORTH[FIVE]:g}"
    assert {page.split("/")[0] for page in report.pages()} == report.done.keys()


def test_a_name_of_the_list_holds_in_a_week_without_it_and_so_does_the_downloads(report, tmp_path):
    roster = read(tmp_path, PLAIN)
    report.week(FIVE, folder("ada-l", FIVE), folder("bo-k", FIVE), roster=roster)
    report.override("ada-l,5.1,0,seen")
    report.week(SIX, folder("ada-l", SIX))
    assert report.done["Ada Lovelace"] == {FIVE, SIX}
    assert "ada-l" not in report.done
    assert report.grades()["Ada Lovelace", "5.1"] == ("passed", "0")


def test_nobody_gets_a_name_that_another_has(report, tmp_path):
    people = folder("ada-l", FIVE), Person("Ada Lovelace"), folder("bo-k", FIVE)
    assert report.week(FIVE, *people, roster=read(tmp_path, PLAIN)) == 1
    assert {"ada-l", "Ada Lovelace"} <= report.done.keys()
    assert "Ada Lovelace and ada-l could both be Ada Lovelace on the list" in report.index


def test_a_folder_that_only_claims_an_id_gets_no_name_of_the_list(report, tmp_path):
    roster = read(tmp_path, PLAIN.replace("bo-2", "bo-3").replace("Bo King,bo-k", "Eve,eve-e"))
    assert report.week(FIVE, Person("Eve"), Person("ada-l"), roster=roster) == 1
    assert "ada-l could be Ada Lovelace, by an id on the list" in report.index
    report.week(FIVE, Person("Eve"), Person("Ada Lovelace"), roster=roster)
    assert report.done["ada-l"] == report.done["Ada Lovelace"] == {FIVE}
    assert "Ada Lovelace and ada-l could both be Ada Lovelace on the list" in report.index


ADA_OF_CANVAS = Person("brandtada", "canvas", "501", "brandtada_501_9_")


def ada_of_moodle(name: str = "Ada Brandt") -> Person:
    """Return an Ada Brandt as Moodle's downloads have her."""
    return Person(name, "moodle", "11", f"{name}_11_assignsubmission_file")


@pytest.mark.parametrize("with_list", [True, False])
@pytest.mark.parametrize("earlier", ["Ada Brandt", "brandt ADÁ", "Brandt, Ada"])
def test_who_has_the_same_words_in_their_name_is_one_person(report, tmp_path, earlier, with_list):
    sheet = read(tmp_path, worksheet((11, earlier, "-"))) if with_list else NO_ROSTER
    report.week(FIVE, ada_of_moodle(earlier), roster=sheet)
    report.override(f'"{earlier}",5.1,1,shown')
    roster = read(tmp_path, gradebook((501, "Brandt, Ada", ""), (502, "Lee, Kim", "")))
    for _ in range(2):
        assert report.week(SIX, ADA_OF_CANVAS, roster=roster) == 0
        assert report.done == {earlier: {FIVE, SIX}, "Lee, Kim": {f"-{FIVE}", f"-{SIX}"}}
        assert report.grades()[earlier, "5.1"] == ("passed", "1")
    place = report.path / "way_back" / "canvas" / f"{SIX}.csv"
    assert canvas_grades(place.read_bytes())[2] == {"501": f"{WORTH[SIX]:g}"}


def test_where_two_could_be_meant_a_person_is_asked(report, tmp_path):
    earlier = ("Ada Brandt", "Brandt Ada")
    several = [replace(ada_of_moodle(name), number=str(n)) for n, name in enumerate(earlier)]
    report.week(FIVE, *several)
    roster = read(tmp_path, gradebook((501, "Brandt, Adá", "")))
    assert report.week(SIX, ADA_OF_CANVAS, roster=roster) == 1
    assert all(SIX not in report.done[name] for name in earlier)
