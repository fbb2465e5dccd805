"""Two people of one name stay two in a report, and one whose name changes stays one."""

from dataclasses import replace
from pathlib import Path

import pytest

from course.grading.books.same_people import told_apart
from course.grading.reading.people import Person
from course.grading.reading.submissions import Found, PassedOver, Submission
from tests.course.grading.books.reports import work


def of(*people: Person) -> Found:
    """Return what a run found of people, each of whom handed in exercise 5."""
    submissions = [Submission(one.name, "05_square", Path("x"), person=one) for one in people]
    scripts = [PassedOver(one.name, "a.py", "") for one in people]
    return Found(tuple(submissions), people, tuple(scripts), ())


def names(found: Found) -> set[str]:
    """Return by which names the students of a run go; the same everywhere."""
    called = {one.student for one in found.submissions}
    assert called == {one.person.name for one in found.submissions}
    assert called == set(found.students) == {one.student for one in found.passed_over}
    return called


def person(number: str, name: str = "Ada", platform: str = "canvas") -> Person:
    """Return somebody whom a platform has a number for."""
    return Person(name, platform, number)


def test_another_person_of_the_same_name_is_no_newer_work_and_is_named():
    found = told_apart(of(person("12")), [person("11")], [])
    assert names(found) == {"Ada (12)"}
    assert "Another Ada is in this report" in found.submissions[0].doubts[0]


def test_of_several_notebooks_each_is_of_the_same_person_and_as_doubtful():
    (one,) = of(person("12")).submissions
    several = replace(of(person("12")), submissions=(replace(one, alone=(one, one)),))
    (one,) = told_apart(several, [person("11")], []).submissions
    assert {(each.student, each.doubts) for each in one.alone} == {("Ada (12)", one.doubts)}


@pytest.mark.parametrize("known", [[], [person("12")], [Person("Ada")], [person("11", "Bo")]])
def test_others_keep_their_names(known):
    found = told_apart(of(person("12")), known, [])
    assert names(found) == {"Ada"}
    assert found.submissions[0].doubts == ()


def test_who_was_told_apart_before_still_is_until_somebody_has_looked():
    first = told_apart(of(person("12")), [person("11")], [])
    assert told_apart(of(person("12")), [person("11"), *first.people], []) == first


def test_who_has_another_name_now_keeps_that_of_the_report():
    found = told_apart(of(person("12", "Ada King")), [person("12", "Ada Lovelace")], [])
    assert names(found) == {"Ada Lovelace"}
    assert found.submissions[0].doubts == ()


def test_moodle_numbers_people_anew_for_each_exercise():
    moodle = person("12", platform="moodle")
    before = person("11", platform="moodle")
    other = [work("Ada", "06_exp", person=before)]
    assert names(told_apart(of(moodle), [before], other)) == {"Ada"}
    same = [work("Ada", "05_square", person=before)]
    assert names(told_apart(of(moodle), [before], same)) == {"Ada (12)"}


def test_who_comes_from_a_folder_is_known_by_name():
    plain = Person("Ada")
    assert names(told_apart(of(plain), [person("11")], [])) == {"Ada"}
