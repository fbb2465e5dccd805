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


# People, as name|platform|number|id|called; and who they are on the list.
PEOPLE = """\
S77 -> Ada Lovelace
a.king@x.org -> Ada Lovelace
a.king -> Ada Lovelace
lovelace,  ADA -> Ada Lovelace
AdaLovelace -> Ada Lovelace
anything|moodle|12 -> Ada Lovelace
Countess|||s77 -> Ada Lovelace
Countess||||ada_lovelace -> Ada Lovelace
Grace|canvas|12 ->
Ada; Wei Wang; - ->
Ada Lovelace; s77 ->
Wei Wang (1)|moodle|1; Wei Wang (9)|moodle|9 -> Wei Wang (w1@x.org)"""


@pytest.mark.parametrize("row", PEOPLE.splitlines())
def test_a_student_is_found_on_the_list_by_number_or_else_by_a_key_and_nobody_is_guessed(row):
    written, _, names = row.partition(" ->")
    people = []
    for each in written.split("; "):
        name, platform, number, own, called, *_ = f"{each}||||".split("|")
        people.append(Person(name, platform, number, ids=(own,), called=called))
    found = entries_by_student(LIST, people)
    assert "; ".join(one.name for one in found.values()) == names.strip()


WORDS = """\
hw5 LOVELACE_ada v2 -> Ada Lovelace
adalovelace -> Ada Lovelace
s77-05 -> Ada Lovelace
ada_lovelace_and_grace.hopper -> Ada Lovelace, Grace Hopper
wei_wang -> Wei Wang (w1@x.org), Wei Wang (w2@x.org)
ada 05 ->
adam lovelace ->
ada x lovelace ->
05_square (77) ->"""


@pytest.mark.parametrize("row", WORDS.splitlines())
def test_whole_keys_are_found_among_the_words_of_a_text(row):
    text, _, names = row.partition(" ->")
    directory = Directory({one.name: person_keys(one) for one in LIST.entries})
    assert ", ".join(directory.in_words(text)) == names.strip()
