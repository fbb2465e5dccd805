"""The picture of the map: an arrow from what is needed, and none that follows from others."""

import re

import pytest

from course.building.chapters import find_chapters
from course.building.map_picture import arrows, in_words, to_dot
from tests.course.building.test_tables import put


@pytest.fixture
def lessons(tmp_path):
    put(tmp_path, "01_one", "part: 1", "builds_on: []", "way: afternoon")
    put(tmp_path, "02_two", "part: 1", "builds_on: [1]")
    put(tmp_path, "03_three", "part: 2", "builds_on: [1]")
    put(tmp_path, "04_four", "part: 2", "builds_on: [1, 2, 3]")
    put(tmp_path, "07_own.exercise")
    return find_chapters(tmp_path / "lessons", lambda number: [])


def test_what_follows_from_other_arrows_has_none(lessons):
    assert arrows(lessons) == {1: [], 2: [1], 3: [1], 4: [2, 3], 7: []}


def test_the_dot_has_a_frame_for_each_part_and_a_thick_border_on_the_shortest_way(lessons):
    dot = to_dot(lessons)
    assert re.findall(r'label="(Part .*?)"', dot) == [
        "Part I: first derivatives",
        "Part II: double backward",
    ]
    assert re.findall(r"(n\d) .*penwidth=(\d)", dot) == [
        ("n1", "3"),
        ("n2", "1"),
        ("n3", "1"),
        ("n4", "1"),
    ]
    assert re.findall(r"n\d -> n\d", dot) == ["n1 -> n2", "n1 -> n3", "n2 -> n4", "n3 -> n4"]


def test_the_words_say_what_the_arrows_show(lessons):
    assert in_words(lessons) == (
        "Which lesson builds on which: 1 builds on no other; 2 builds on 1; 3 builds on 1; "
        "4 builds on 2 and 3."
    )
