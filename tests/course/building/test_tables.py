"""The tables of the README and the map: order, parts, ways, links, sums of minutes."""

import re

import pytest

from course.building.chapters import find_chapters, in_order
from course.building.tables import hours, in_all, lessons_table, ways, ways_table
from course.building.texts import TEXTS
from tests.course.tiny import Task, exercise, lesson, write

README = """\
### Part I: first derivatives

| lesson | question | minutes | exercise |
|---|---|---|---|
| [1. Tiny](notebooks/01_tiny.ipynb) | Does it build? | 45 | [20 minutes](exercises/01_tiny.ipynb) |
| [2. Tiny](notebooks/02_two.ipynb) | Does it build? | 45 | |
| [3. Tiny](notebooks/03_three.ipynb) | Does it build? | 45 | |
| [Review](exercises/21_all.ipynb) | Which is wrong? | | [20 minutes](exercises/21_all.ipynb) |

### Part II: double backward

| lesson | question | minutes | exercise |
|---|---|---|---|
| [4. Tiny](notebooks/04_four.ipynb) | Does it build? | 45 | |

### More lessons and exercises

| lesson | question | minutes | exercise |
|---|---|---|---|
| 7. Tiny | | | [20 minutes](exercises/07_own.ipynb) |
"""
WAYS = """\
| | lessons | to read | with exercises and reviews |
|---|---|---|---|
| An afternoon | [1](01_tiny.ipynb), [3](03_three.ipynb) | 1½ hours | 2 hours |
| A week | [1](01_tiny.ipynb) to [3](03_three.ipynb) | 2 hours | 3 hours |
| Everything | [1](01_tiny.ipynb) to [4](04_four.ipynb) | 3 hours | 4 hours |"""


def put(folder, name, *lines):
    """Write a lesson, or an exercise, that says more of its place."""
    text = exercise() if name.endswith(".exercise") else lesson()
    head, front, rest = text.replace("minutes: 5", "minutes: 45").split("---\n", 2)
    write(folder, "---\n".join([head, front + "".join(f"{line}\n" for line in lines), rest]), name)


@pytest.fixture
def chapters(tmp_path):
    put(tmp_path, "01_tiny", "part: 1", "builds_on: []", "way: afternoon")
    put(tmp_path, "01_tiny.exercise")
    put(tmp_path, "02_two", "part: 1", "builds_on: [1]", "way: week")
    put(tmp_path, "03_three", "part: 1", "builds_on: [2, 1]", "way: afternoon")
    put(tmp_path, "04_four", "part: 2", "builds_on: [3, 2, 1]")
    put(tmp_path, "07_own.exercise")
    review = ["part: 1", "builds_on: [1, 3]", "way: week", "after: 3", "question: Which is wrong?"]
    put(tmp_path, "21_all.exercise", *review)
    path = tmp_path / "lessons" / "21_all.exercise.md"
    path.write_text(path.read_text().replace("title: Tiny", "title: Review"))
    return find_chapters(tmp_path / "lessons", lambda number: [Task(f"{number}.1", minutes=20)])


def test_the_table_goes_part_by_part_and_a_review_stands_behind_its_part(chapters):
    assert lessons_table(chapters, TEXTS["readme"]) == README


def test_the_map_says_what_each_builds_on_with_links(chapters):
    table = lessons_table(chapters, TEXTS["map"])
    rows = [line.split(" | ") for line in table.splitlines() if "? | [" in line]
    below = [row[2] for row in rows]
    one, two, three = "[1](01_tiny.ipynb)", "[2](02_two.ipynb)", "[3](03_three.ipynb)"
    assert below == [one, f"{one}, {two}", f"{one}, {three}", f"{one} to {three}"]
    review = "| [Review](../exercises/21_all.ipynb) (exercise 21) | Which is wrong? |"
    assert f"{review} {one}, {three} | | [20&nbsp;min](../exercises/21_all" in table


def test_an_exercise_that_is_not_offered_has_no_link(chapters):
    table = lessons_table(chapters, TEXTS["readme"], ["21_all"])
    assert re.findall(r"exercises/(\w+)", table) == ["21_all"] * 2
    assert "exercises/" not in lessons_table(chapters, TEXTS["map"], [])


def test_without_parts_there_is_one_table_and_no_heading(tmp_path):
    write(tmp_path, lesson())
    text = lessons_table(find_chapters(tmp_path / "lessons"), TEXTS["readme"])
    assert text.startswith("| lesson |")
    assert text.count("| lesson |") == 1


def test_each_way_has_the_lessons_of_the_shorter_ones(chapters):
    found = {title: [one.number for one in on_it] for title, on_it in ways(chapters)}
    # An exercise that names no way is on the longest, and so is a lesson.
    assert found == {
        "An afternoon": [1, 3],
        "A week": [1, 2, 3, 21],
        "Everything": [1, 2, 3, 21, 4, 7],
    }


def test_the_hours_of_a_way_are_sums_of_minutes_with_and_without_exercises(chapters):
    assert ways_table(chapters) == WAYS
    assert "| 3 hours | 3½ hours |" in ways_table(chapters, ["01_tiny", "21_all"]).splitlines()[-1]


def test_the_whole_course_takes_as_long_as_its_longest_way_and_its_core_as_the_shortest(chapters):
    assert in_all(chapters) == (
        "The whole course takes 3 hours to read, 4 hours with exercises and reviews.\n"
        "Its core, lessons 1, 3, takes 1½ hours to read, 2 hours with exercises."
    )


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0, "0 hours"), (30, "½ hour"), (60, "1 hour"), (95, "1½ hours"), (600, "10 hours")],
)
def test_minutes_become_half_hours(minutes, words):
    assert hours(minutes) == words


def test_a_broken_review_does_not_stop_the_order(tmp_path):
    write(tmp_path, lesson())
    write(tmp_path, "no front matter", "21_all.exercise")
    assert [one.name for one in in_order(find_chapters(tmp_path / "lessons"))] == [
        "01_tiny",
        "21_all",
    ]
