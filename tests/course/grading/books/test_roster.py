"""Lists of students are read as learning platforms export and spreadsheets save them."""

import re
from dataclasses import replace

import pytest

from course.grading.books.gradebook import TableError
from course.grading.books.roster import (
    NO_ROSTER,
    keep_roster,
    read_roster,
    roster_of,
)
from tests.course.grading.books.class_lists import gradebook, read, worksheet


def test_a_grading_worksheet_of_moodle_gives_numbers_ids_times_and_drafts(tmp_path):
    rows = (12, "Ada Lovelace", "Friday, 20 November 2026, 11:59 PM"), (13, "Zoë", "-")
    text = worksheet(*rows).replace("Submitted", "Draft (not submitted)", 1)
    roster = read(tmp_path, text)
    ada, zoe = roster.entries
    assert roster.platform == "moodle"
    assert (ada.name, ada.number, ada.ids) == ("Ada Lovelace", "12", ("12@x.org",))
    assert (ada.handed_in, zoe.handed_in) == ("2026-11-20T23:59:00", "")
    assert (ada.is_draft, zoe.is_draft) == (True, False)


def test_a_worksheet_without_names_has_numbers(tmp_path):
    roster = read(tmp_path, "Identifier,Status,Grade,Last modified (grade)\nParticipant 9,,,-\n")
    assert [(one.name, one.number) for one in roster.entries] == [("Participant 9", "9")]


TIMES = """\
Friday, 20 November 2026, 11:59 PM -> 2026-11-20T23:59:00
Sunday, 1 November 2026, 12:05 AM -> 2026-11-01T00:05:00
20 November 2026, 23:59 -> 2026-11-20T23:59:00
Friday, November 20, 2026, 11:59\u202fPM -> 2026-11-20T23:59:00
November 20, 2026, 23:59 -> 2026-11-20T23:59:00
2026-11-20 23:59 -> 2026-11-20T23:59:00
Friday, 20 November 2026, 13:30 PM ->
Monday, 31 February 2026, 1:00 PM ->
Freitag, 20. November 2026, 23:59 ->
20/11/26, 23:59 ->"""


@pytest.mark.parametrize("row", TIMES.split("\n"))
def test_a_time_is_read_in_words_and_never_guessed(tmp_path, row):
    written, _, time = row.partition(" ->")
    (entry,) = read(tmp_path, worksheet((1, "Ada", written))).entries
    assert entry.handed_in == time.strip()


def test_a_gradebook_of_canvas_gives_its_ids(tmp_path):
    roster = read(tmp_path, gradebook((501, "Lovelace, Ada", "8"), (999, "Student, Test", "")))
    (ada,) = roster.entries
    assert (roster.platform, ada.name, ada.number) == ("canvas", "Lovelace, Ada", "501")
    assert ada.ids == ("501", "s501", "login501")
    assert [row[0].strip() for row in roster.above] == ["Points Possible"]
    other = read(tmp_path, "LastName,FirstName,ID,Section\nLovelace,Ada,501,A\n")
    assert (other.platform, other.entries[0].name) == ("canvas", "Ada Lovelace")


# A list, whose lines end at /, and the ids that it gives to Ada Lovelace.
LISTS = """\
First name,Last name,Email address,Groups/Ada,Lovelace,a@x.org,G1 -> a@x.org
Vorname;Nachname;E-Mail-Adresse/Ada;Lovelace;a@x.org -> a@x.org
Name,NetID,Section/Ada  Lovelace,al7,A -> al7
sep=;/Name;Matrikelnummer//;;/Ada Lovelace;77 -> 77
first_name\tlast_name\tstudent_id/Ada\tLovelace\t77 -> 77"""


@pytest.mark.parametrize("row", LISTS.splitlines())
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_other_tables_are_read_by_their_headings(tmp_path, row, encoding):
    text, _, own = row.partition(" -> ")
    path = tmp_path / "list.csv"
    path.write_bytes(f"{text}/".replace("/", "\r\n").encode(encoding))
    roster = read_roster(path)
    (ada,) = roster.entries
    assert (ada.name, ada.ids, roster.platform) == ("Ada Lovelace", (own,), "")


CLASSROOM = """\
s4711,ada-l,77,Ada Lovelace -> Ada Lovelace: s4711 ada-l 77
ada king,ada-l,77,ada the great -> ada king: ada king ada-l 77
ada@x.org,,, -> ada@x.org: ada@x.org
,ada-l,77, -> ada-l: ada-l 77"""


@pytest.mark.parametrize("row", CLASSROOM.splitlines())
def test_the_list_of_github_classroom_gives_usernames(tmp_path, row):
    line, _, meant = row.partition(" -> ")
    (ada,) = read(tmp_path, f"identifier,github_username,github_id,name\n{line}\n").entries
    assert f"{ada.name}: {' '.join(ada.ids)}" == meant
    assert ada.number == ""


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\n,,\n", "list.csv has no column of names"),
        (b"Matrikel,Wer\n1,Ada\n", "list.csv has no column of names: let its first line"),
        (b"Name,ID\nAda,1,2\n", "line 2: 3 cells are under 2 headings"),
        (b'Name,ID\n"Ada,1\n', "fix its quotation marks"),
        ("Name,ID\nZoë,1\n".encode("cp1252"), "is not text in UTF-8: save it as “CSV UTF-8”"),
        (None, "cannot be read"),
    ],
)
def test_a_list_that_cannot_be_used_is_answered_by_one_sentence(tmp_path, content, said):
    path = tmp_path / "list.csv"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TableError, match=re.escape(said)) as error:
        read_roster(path)
    assert "\n" not in str(error.value)


def test_those_who_share_a_name_have_an_id_or_a_number_beside_it(tmp_path):
    roster = read(tmp_path, "Name,ID\nWei Wang,1\nWei Wang,2\nBo,3\nWei Wang,\n")
    names = [one.name for one in roster.entries]
    assert names == ["Wei Wang (1)", "Wei Wang (2)", "Bo", "Wei Wang"]
    assert [one.own_name for one in roster.entries] == [*["Wei Wang"] * 2, "Bo", "Wei Wang"]


def test_the_last_list_is_kept_and_one_in_the_report_goes_before_it(tmp_path):
    assert roster_of(tmp_path, None) == NO_ROSTER
    given = read(tmp_path, "Name,ID\nAda,1\n")
    keep_roster(tmp_path, given)
    assert roster_of(tmp_path, None) == replace(given, is_remembered=True)
    (tmp_path / "roster.csv").write_text("Name\nBo\n")
    assert [one.name for one in roster_of(tmp_path, None).entries] == ["Bo"]
    assert roster_of(tmp_path, given.path) == given
    (tmp_path / "roster.csv").unlink()
    (tmp_path / "rosters" / "class.csv").write_text("")
    with pytest.raises(TableError, match="Or delete"):
        roster_of(tmp_path, None)
