"""People who handed in are found on a list of students, and nobody is guessed."""

import pytest

from course.grading.books.matching import match
from course.grading.books.roster import NO_ROSTER
from course.grading.reading.people import Person
from tests.course.grading.books.class_lists import gradebook, read, worksheet


def names(matching):
    return {name: entry.name for name, entry in matching.entries.items()}


def test_without_a_list_nobody_is_absent_and_nothing_is_asked():
    matching = match(NO_ROSTER, [Person("Ada")])
    assert (matching.entries, matching.absent, matching.doubts) == ({}, (), ())


def test_a_number_of_the_platform_goes_before_the_name(tmp_path):
    roster = read(tmp_path, worksheet((12, "Ada", "-"), (13, "Ada", "-")))
    people = [Person("Ada (12)", "moodle", "12"), Person("Ada (13)", "moodle", "13")]
    matching = match(roster, people)
    assert {name: entry.number for name, entry in matching.entries.items()} == {
        "Ada (12)": "12",
        "Ada (13)": "13",
    }
    assert matching.doubts == ()


def test_a_number_of_another_platform_is_no_number_of_this_one(tmp_path):
    roster = read(tmp_path, gradebook((12, "Lovelace, Ada", "")))
    matching = match(roster, [Person("Grace", "moodle", "12")])
    assert matching.entries == {}
    assert [person.name for person in matching.absent] == ["Lovelace, Ada"]


@pytest.mark.parametrize(
    "person",
    [
        Person("S77"),
        Person("a.king@x.org"),
        Person("a.king"),
        Person("anything", "nbgrader", "", "s77"),
        Person("Ada Lovelace"),
        Person("ada  lovelace"),
        Person("Lovelace, Ada"),
        Person("Lovelace Ada"),
        Person("lovelaceada", "canvas", "4"),
        Person("AdaLovelace"),
        Person("Countess (s77)", "blackboard", "s77"),
        Person("Ada Lovelace (x9)", "blackboard", "x9"),
        Person("Countess", "gradescope", "77"),
    ],
)
def test_ids_logins_and_names_in_both_orders_are_known(tmp_path, person):
    text = (
        "Name,Email,Login,ID number\n"
        "Grace Hopper,g@x.org,s76,76\n"
        "Ada Lovelace,a.king@x.org,s77,77\n"
    )
    matching = match(read(tmp_path, text), [person])
    assert names(matching) == {person.name: "Ada Lovelace"}
    assert [one.name for one in matching.absent] == ["Grace Hopper"]
    assert matching.doubts == ()


@pytest.mark.parametrize(
    ("listed", "handed_in"),
    [
        ("Zoë Müller", "Zoe Muller"),
        ("Zoe\u0308 Mu\u0308ller", "Zoë Müller"),
        ("Søren Łukasz", "Soren Lukasz"),
        ("Ольга Ивановна", "ИВАНОВНА Ольга"),
        ("Straße, Max", "max strasse"),
        ("Ana María de la Cruz", "delacruzanamaria"),
        ("O'Neil, Sean", "sean o neil"),
    ],
)
def test_accents_case_and_punctuation_are_loose(tmp_path, listed, handed_in):
    matching = match(read(tmp_path, f'Name,ID\n"{listed}",1\n'), [Person(handed_in)])
    assert list(matching.entries) == [handed_in]


def test_two_of_one_name_are_neither_taken_nor_missing(tmp_path):
    roster = read(tmp_path, "Name,ID\nAda King,1\nAda King,2\nGrace Hopper,3\n")
    matching = match(roster, [Person("Ada King")])
    assert matching.entries == {}
    assert [person.name for person in matching.absent] == ["Grace Hopper"]
    assert "Ada King" in matching.doubts[0]
    assert "Ada King, Ada King on the list" in matching.doubts[1]


def test_two_folders_that_could_be_one_student_are_not_taken(tmp_path):
    roster = read(tmp_path, "Name,ID\nAda Lovelace,1\n")
    matching = match(roster, [Person("ada lovelace"), Person("lovelace, ada")])
    assert (matching.entries, matching.absent) == ({}, ())
    assert len(matching.doubts) == 2


def test_the_exact_name_goes_before_the_turned_one(tmp_path):
    roster = read(tmp_path, "Name,ID\nAnna Maria,1\nMaria Anna,2\n")
    matching = match(roster, [Person("Maria Anna"), Person("Anna Maria")])
    assert names(matching) == {"Maria Anna": "Maria Anna", "Anna Maria": "Anna Maria"}


def test_who_is_not_on_the_list_asks_a_person_where_somebody_of_it_is_absent(tmp_path):
    roster = read(tmp_path, "Name,ID\nAda,1\nBo,2\n")
    matching = match(roster, [Person("Ada"), Person("Guest")])
    assert matching.notes == ()
    (doubt,) = matching.doubts
    assert doubt.startswith("Guest handed in and is not known on the list of students: let the")


def test_who_is_not_on_the_list_asks_nobody_where_all_of_it_handed_in(tmp_path):
    matching = match(read(tmp_path, "Name,ID\nAda,1\n"), [Person("Ada"), Person("Guest")])
    assert matching.doubts == ()
    assert matching.notes == ("Guest handed in and is not known on the list of students.",)


def test_absent_people_have_names_of_their_own_and_their_numbers(tmp_path):
    roster = read(tmp_path, worksheet((1, "Ada", "-"), (2, "Ada", "-"), (3, "Bo", "-")))
    assert [(one.name, one.platform, one.number) for one in match(roster, []).absent] == [
        ("Ada (1)", "moodle", "1"),
        ("Ada (2)", "moodle", "2"),
        ("Bo", "moodle", "3"),
    ]


def test_somebody_of_several_weeks_is_one_person(tmp_path):
    roster = read(tmp_path, worksheet((12, "Ada", "-")))
    weeks = [Person("Ada", "moodle", "7"), Person("Ada", "moodle", "12")]
    assert list(match(roster, weeks).entries) == ["Ada"]


def test_a_name_of_very_many_words_takes_no_time(tmp_path):
    roster = read(tmp_path, "Name,ID\nAda,1\n")
    assert match(roster, [Person("a " * 120)]).entries == {}


def test_two_who_could_be_one_on_the_list_ask_a_person(tmp_path):
    roster = read(tmp_path, "Name,Email,ID number\nAda Lovelace,a@x.org,1001\nBob,b@x.org,1002\n")
    matching = match(roster, [Person(name) for name in ("Ada Lovelace", "Bob", "1001")])
    (doubt,) = matching.doubts
    assert doubt.startswith("Ada Lovelace and 1001 could both be Ada Lovelace on the list")
    assert match(roster, [Person("Ada Lovelace"), Person("Bob"), Person("Eva")]).doubts == ()


PLAIN = "Name,Email,Username\nAda Lovelace,alove@x.org,a17\nBob,bob@x.org,b18\nEve,e@x.org,e19\n"


@pytest.mark.parametrize("folder", ["a17", "A17", "alove", "alove@x.org"])
def test_a_folder_that_is_called_by_an_id_among_names_is_only_loosely_somebodys(tmp_path, folder):
    matching = match(read(tmp_path, PLAIN), [Person("Bob"), Person(folder)])
    assert (names(matching)[folder], matching.loose) == ("Ada Lovelace", {folder})
    (doubt,) = matching.doubts
    assert doubt.startswith(f"{folder} could be Ada Lovelace, by an id on the list")


@pytest.mark.parametrize("folder", ["a17", "alove"])
def test_two_who_claim_a_row_get_no_points_into_it(tmp_path, folder):
    people = [Person("Ada Lovelace"), Person(folder), Person("b18"), Person("e19")]
    matching = match(read(tmp_path, PLAIN), people)
    assert matching.loose == {folder}
    assert matching.doubts[0].endswith("Until then, no points of theirs go back.")


@pytest.mark.parametrize(
    "people",
    [
        [Person("a17"), Person("b18"), Person("Eve")],
        [Person("alove"), Person("bob"), Person("e")],
        [Person("a17", "nbgrader", "a17", "a17"), Person("Bob"), Person("Eve")],
        [Person("a17", folder="05-square-a17"), Person("Bob"), Person("Eve")],
        [Person("Lovelace, Ada"), Person("Bob"), Person("Eve")],
        [Person("Ada Lovelace", ids=("a17",), called="a17"), Person("Bob"), Person("Eve")],
    ],
)
def test_where_ids_are_the_rule_or_are_a_platforms_they_are_certain(tmp_path, people):
    matching = match(read(tmp_path, PLAIN), people)
    assert len(matching.entries) == 3
    assert (matching.loose, matching.doubts) == (frozenset(), ())


def test_an_id_is_the_right_way_to_call_one_of_two_of_a_name(tmp_path):
    roster = read(tmp_path, "Name,ID\nWei Wang,w1\nWei Wang,w2\nBob,b\nEve,e\n")
    matching = match(roster, [Person("w1"), Person("w2"), Person("Bob"), Person("Eve")])
    assert len(matching.entries) == 4
    assert (matching.loose, matching.doubts) == (frozenset(), ())
