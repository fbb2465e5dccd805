"""People are found by equal keys, and nobody is guessed."""

import pytest

from course.grading.books.identity import (
    Directory,
    entries_by_student,
    name_keys,
    normalized,
    person_keys,
)
from course.grading.books.roster import RosterEntry, RosterFile
from course.grading.reading.layouts import Person

ADA = RosterEntry("Ada Lovelace", "moodle", "12", ids=("a.king@x.org", "s77", "77"))
GRACE = RosterEntry("Grace Hopper", "moodle", "13", ids=("g@x.org", "s76"))
IDS = [f"w{n}@x.org" for n in (1, 2)]
TWO = [RosterEntry(f"Wei Wang ({one})", "moodle", one[1], ids=(one,)) for one in IDS]
LIST = RosterFile((ADA, GRACE, *TWO), "moodle")


ALIKE = """\
Zoë Müller = Zoe Muller
Zoe\u0308 Mu\u0308ller = zoë müller
Søren Łukasz = soren_lukasz
Ольга Ивановна = ольга ИВАНОВНА
Straße, Max = strasse max
O'Neil, Sean = o neil.sean"""


@pytest.mark.parametrize("row", ALIKE.splitlines())
def test_accents_case_and_punctuation_are_loose(row):
    one, _, other = row.partition(" = ")
    assert normalized(one) == normalized(other) != ""


def test_letters_that_are_written_with_marks_are_letters():
    assert normalized("कि") != normalized("का")
    assert Directory({"नि": name_keys("नि")}).in_words("नि 05") == ["नि"]


def test_a_name_of_very_many_words_takes_no_time():
    assert name_keys("a b " * 60) == {"ab" * 60, "ba" * 60}


@pytest.mark.parametrize(
    "person",
    [
        *map(Person, ("S77", "a.king@x.org", "a.king", "lovelace,  ADA", "AdaLovelace")),
        Person("anything", "moodle", "12"),
        Person("Countess", ids=("s77",)),
        Person("Countess", called="ada_lovelace"),
    ],
)
def test_a_student_is_found_on_the_list_by_number_id_or_name(person):
    assert entries_by_student(LIST, [person]) == {person.name: ADA}


@pytest.mark.parametrize(
    "people",
    [
        [Person("Grace", "canvas", "12")],
        [Person("Ada"), Person("Wei Wang"), Person(" ")],
        [Person("Ada Lovelace"), Person("s77")],
    ],
)
def test_nobody_is_guessed(people):
    assert entries_by_student(LIST, people) == {}


def test_a_number_of_the_platform_goes_before_the_name():
    people = [Person(f"Wei Wang ({n})", "moodle", str(n)) for n in (1, 2, 9)]
    found = entries_by_student(LIST, people)
    assert found == {"Wei Wang (1)": TWO[0], "Wei Wang (2)": TWO[1]}


WORDS = """\
hw5 LOVELACE_ada v2 -> Ada Lovelace
adalovelace -> Ada Lovelace
s77-05 -> Ada Lovelace
ada_lovelace_and_grace.hopper -> Ada Lovelace, Grace Hopper
ada 05 ->
adam lovelace ->
ada x lovelace ->
05_square (77) ->"""


@pytest.mark.parametrize("row", WORDS.splitlines())
def test_whole_keys_are_found_among_the_words_of_a_text(row):
    text, _, names = row.partition(" ->")
    directory = Directory({one.name: person_keys(one) for one in (ADA, GRACE)})
    assert ", ".join(directory.in_words(text)) == names.strip()
