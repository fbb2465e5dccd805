"""Lists of students are read as learning platforms export and spreadsheets save them."""

import re

import pytest

from course.grading.books import sheet_file
from course.grading.books.roster import RosterError, read_roster
from tests.course.grading.books.class_lists import gradebook, read, worksheet


def test_a_grading_worksheet_of_moodle_gives_numbers_ids_and_times(tmp_path):
    text = worksheet((12, "Ada Lovelace", "Friday, 20 November 2026, 11:59 PM"), (13, "Zoë", "-"))
    roster = read(tmp_path, text)
    ada, zoe = roster.entries
    assert roster.platform == "moodle"
    assert (ada.name, ada.number, ada.ids) == ("Ada Lovelace", "12", {"Email address": "12@x.org"})
    assert (ada.handed_in, zoe.handed_in) == ("2026-11-20T23:59:00", "")
    assert ada.cells[3] == "Submitted"


@pytest.mark.parametrize("grade", ["", "7,50"])
def test_a_worksheet_in_another_language_is_known_by_what_stands_in_it(tmp_path, grade):
    text = (
        "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,Geändert\n"
        f'Teilnehmer/in12,Ada,12@x.org,Abgegeben,"{grade}","10,00",-\n'
        'Teilnehmer/in13,Bo,13@x.org,,,"10,00",-\n'
    )
    roster = read(tmp_path, text)
    assert roster.platform == "moodle"
    assert [(one.name, one.number) for one in roster.entries] == [("Ada", "12"), ("Bo", "13")]
    assert roster.columns == {
        "identifier": 0,
        "grade": 4,
        "maximum": 5,
        "name": 1,
        "handed in": 6,
        "modified": 6,
    }


@pytest.mark.parametrize("state", ["", "Bewertung läuft,"])
def test_a_worksheet_in_another_language_says_when_work_came_and_what_is_a_draft(tmp_path, state):
    heading = "Bewertungsworkflow," if state else ""
    text = (
        "ID,Vollständiger Name,E-Mail-Adresse,Status,Bewertung,Bestwertung,"
        f"{heading}Bewertung änderbar,Zuletzt geändert (Abgabe),Online-Text,"
        "Zuletzt geändert (Bewertung)\n"
        "Teilnehmer/in12,Ada,12@x.org,Entwurf (nicht abgegeben),,"
        f'"10,00",{state}Ja,"Samstag, 7. November 2026, 18:01",ab 9:00,'
        '"Montag, 9. November 2026, 8:00"\n'
        f'Teilnehmer/in13,Bo,13@x.org,Keine Abgabe,,"10,00",{state}Ja,-,,-\n'
    )
    ada, bo = read(tmp_path, text).entries
    assert (ada.handed_in, ada.is_draft) == ("2026-11-07T18:01:00", True)
    assert (bo.handed_in, bo.written, bo.is_draft) == ("", "-", False)


def test_a_table_with_numbered_names_is_no_worksheet(tmp_path):
    roster = read(tmp_path, "Login,Name,Mail,Group\nada12,Ada,a@x.org,1\nbo13,Bo,b@x.org,2\n")
    assert roster.platform == ""
    assert [one.name for one in roster.entries] == ["Ada", "Bo"]


def test_a_blind_worksheet_has_no_names_but_numbers(tmp_path):
    roster = read(tmp_path, "Identifier,Status,Grade,Last modified (grade)\nParticipant 9,,,-\n")
    assert [(one.name, one.number) for one in roster.entries] == [("Participant 9", "9")]


@pytest.mark.parametrize(
    ("written", "time"),
    [
        ("Friday, 20 November 2026, 11:59 PM", "2026-11-20T23:59:00"),
        ("Sunday, 1 November 2026, 12:05 AM", "2026-11-01T00:05:00"),
        ("Friday, 20 November 2026, 12:30 PM", "2026-11-20T12:30:00"),
        ("Friday, 20 November 2026, 23:59", "2026-11-20T23:59:00"),
        ("Friday, November 20, 2026, 11:59 PM", "2026-11-20T23:59:00"),
        ("November 20, 2026, 11:59\u202fPM", "2026-11-20T23:59:00"),
        ("7 November 2026, 6:01 PM", "2026-11-07T18:01:00"),
        ("Freitag, 20. November 2026, 23:59", "2026-11-20T23:59:00"),
        ("samedi 7 fe\u0301vrier 2026, 18:01", "2026-02-07T18:01:00"),
        ("sábado, 7 de noviembre de 2026, 18:01", "2026-11-07T18:01:00"),
        ("sabato, 7 novembre 2026, 18:01", "2026-11-07T18:01:00"),
        ("zaterdag, 7 maart 2026, 18:01", "2026-03-07T18:01:00"),
        ("segunda-feira, 9 de novembro de 2026, 18:01", "2026-11-09T18:01:00"),
        ("Friday, 20 November 2026, 13:30 PM", ""),
        ("sobota, 7 listopada 2026, 18:01", ""),
        ("Monday, 31 February 2026, 1:00 PM", ""),
        ("20/11/26, 23:59", ""),
        ("", ""),
    ],
)
def test_a_time_is_read_in_words_and_never_guessed(tmp_path, written, time):
    (entry,) = read(tmp_path, worksheet((1, "Ada", written))).entries
    assert (entry.handed_in, entry.written) == (time, written)


def test_a_gradebook_of_canvas_gives_its_ids(tmp_path):
    roster = read(tmp_path, gradebook((501, "Lovelace, Ada", "8"), (999, "Student, Test", "")))
    (ada,) = roster.entries
    assert roster.platform == "canvas"
    assert (ada.name, ada.number) == ("Lovelace, Ada", "501")
    assert ada.ids == {"ID": "501", "SIS User ID": "s501", "SIS Login ID": "login501"}
    assert [row[0].strip() for row in roster.above] == ["Points Possible"]


def test_a_gradebook_with_two_columns_of_names_is_one_too(tmp_path):
    roster = read(tmp_path, "LastName,FirstName,ID,SIS Login ID,Section\nLovelace,Ada,501,ada,A\n")
    (ada,) = roster.entries
    assert (roster.platform, ada.name, ada.number) == ("canvas", "Ada Lovelace", "501")


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("First name,Last name,Email address,Groups\nAda,Lovelace,a@x.org,G1\n", "a@x.org"),
        ("First name,Surname,ID number,Department\nAda,Lovelace,77,Maths\n", "77"),
        ("Vorname;Nachname;E-Mail-Adresse\nAda;Lovelace;a@x.org\n", "a@x.org"),
        ("Name,Username\nAda  Lovelace,ada\n", "ada"),
        ("First Name,Last Name,SID,Sections\nAda,Lovelace,77,A\n", "77"),
        ("Name,NetID,Paid up\nAda Lovelace,al7,yes\n", "al7"),
        ("sep=;\nName;Matrikelnummer\n\n;;\nAda Lovelace;77\n", "77"),
        ("student\tlogin\nAda Lovelace\tada\n", "ada"),
        ("first_name,last_name,student_id\nAda,Lovelace,77\n", "77"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_other_tables_are_read_by_their_headings(tmp_path, text, ids, encoding):
    path = tmp_path / "list.csv"
    path.write_bytes(text.replace("\n", "\r\n").encode(encoding))
    (ada,) = read_roster(path).entries
    assert (ada.name, list(ada.ids.values()), ada.number) == ("Ada Lovelace", [ids], "")


@pytest.mark.parametrize(
    ("row", "name", "ids"),
    [
        ("ada@x.org,ada-l,77,Ada Lovelace", "Ada Lovelace", ["ada@x.org", "ada-l", "77"]),
        ("Ada Lovelace,ada-l,77,ada the great", "Ada Lovelace", ["Ada Lovelace", "ada-l", "77"]),
        ("s4711,ada-l,77,", "s4711", ["s4711", "ada-l", "77"]),
        ("ada@x.org,,,", "ada@x.org", ["ada@x.org"]),
        (",ada-l,77,", "ada-l", ["ada-l", "77"]),
    ],
)
def test_the_list_of_github_classroom_gives_usernames(tmp_path, row, name, ids):
    (ada,) = read(tmp_path, f"identifier,github_username,github_id,name\n{row}\n").entries
    assert (ada.name, list(ada.ids.values()), ada.number) == (name, ids, "")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "list.csv is empty"),
        (b"\n,,\n", "list.csv is empty"),
        (b"Matrikel,Wer\n1,Ada\n", "list.csv has no column of names: let its first line"),
        (b"Name,ID\nAda,1,2\n", "line 2: 3 cells stand under 2 headings"),
        (b'Name,ID\n"Ada,1\n', "mend its quotation marks"),
        ("Name,ID\nZoë,1\n".encode("cp1252"), "is not UTF-8: save it as “CSV UTF-8”"),
        (b"PK\x03\x04" + b"\0" * 50, "is a workbook: save it as “CSV UTF-8”"),
        (b"Identifier,Grade\nAda,\n", "'Ada' is no “Participant” with a number"),
    ],
)
def test_a_list_that_cannot_be_used_is_answered_by_one_sentence(tmp_path, content, said):
    path = tmp_path / "list.csv"
    path.write_bytes(content)
    with pytest.raises(RosterError, match=re.escape(said)) as error:
        read_roster(path)
    assert "\n" not in str(error.value)


def test_a_list_that_is_not_there_is_answered_too(tmp_path):
    with pytest.raises(RosterError, match="cannot be read"):
        read_roster(tmp_path / "none.csv")


@pytest.mark.parametrize(
    ("limit", "said"),
    [("MOST_ROWS", "more than 2 rows"), ("MOST_COLUMNS", "or 2 columns"), ("MOST_BYTES", "larger")],
)
def test_a_list_has_bounds(tmp_path, monkeypatch, limit, said):
    monkeypatch.setattr(sheet_file, limit, 2)
    with pytest.raises(RosterError, match=said):
        read(tmp_path, "Name,ID,Mail\n" + "Ada,1,a@x.org\n" * 3)
