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
from tests.course.grading.books.class_lists import read, worksheet

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


# A list, whose lines end at /; its platform, and the name, the number and the ids of each.
LISTS = """\
First name,Last name,Email address,Groups/Ada,Lovelace,a@x.org,G1 -> Ada Lovelace: a@x.org
Vorname;Nachname;E-Mail-Adresse/Ada;Lovelace;a@x.org -> Ada Lovelace: a@x.org
Name,NetID,Section/Ada  Lovelace,al7,A -> Ada Lovelace: al7
sep=;/Name;Matrikelnummer//;;/Zoë;77 -> Zoë: 77
first_name\tlast_name\tstudent_id/Ada\tLovelace\t77 -> Ada Lovelace: 77
Name,ID/Wei,1/Wei,2/Bo,3/Wei, -> Wei (1): 1; Wei (2): 2; Bo: 3; Wei:
Identifier,Grade,Last modified (grade)/Participant 9,,- -> moodle Participant 9: 9
Identifier,Full name,Email,Grade,Last modified (grade)/Participant 9,A,a@x,,- -> moodle A: 9 a@x
Student,ID,SIS Login ID,Section/ Points,,,/Lee,5,l5,A/"Student, Test",6,, -> canvas Lee: 5 5 l5
LastName,FirstName,ID,Section/Lovelace,Ada,5,A -> canvas Ada Lovelace: 5 5
identifier,github_username,github_id,name/s4,ada-l,77,Ada Lovelace -> Ada Lovelace: s4 ada-l 77
identifier,github_username,github_id,name/ada k,ada-l,77,ada t -> ada k: ada k ada-l 77
identifier,github_username,github_id,name/ada@x.org,,, -> ada@x.org: ada@x.org
identifier,github_username,github_id,name/,ada-l,77, -> ada-l: ada-l 77"""


@pytest.mark.parametrize("row", LISTS.splitlines())
def test_a_list_is_read_by_its_headings(tmp_path, row):
    text, _, meant = row.partition(" -> ")
    roster = read(tmp_path, f"\ufeff{text}/".replace("/", "\n"))
    found = [" ".join([f"{one.name}:", one.number, *one.ids]).split() for one in roster.entries]
    said = "; ".join(map(" ".join, found))
    assert f"{roster.platform} {said}".strip() == meant


WRONG = """\
/,,/ -> list.csv has no column of names
Matrikel,Wer/1,Ada/ -> list.csv has no column of names: let its first line
Name,ID/Ada,1,2/ -> line 2: 3 cells are under 2 headings
Name,ID/"Ada,1/ -> fix its quotation marks
Name,ID/Zoë,1/ -> is not text in UTF-8: save it as “CSV UTF-8”
 -> cannot be read"""


@pytest.mark.parametrize("row", WRONG.splitlines())
def test_a_list_that_cannot_be_used_is_answered_by_one_sentence(tmp_path, row):
    path = tmp_path / "list.csv"
    text, _, said = row.partition(" -> ")
    if text:
        path.write_bytes(text.replace("/", "\n").encode("cp1252"))
    with pytest.raises(TableError, match=re.escape(said)) as error:
        read_roster(path)
    assert "\n" not in str(error.value)


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
