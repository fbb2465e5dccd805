"""The map of the course: order, ways, links, what builds on what, and no progress in it."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import nbformat
import pytest

from course.building.chapters import find_chapters, in_order
from course.building.course_map import SOURCE, course_map
from course.building.tables import ways
from course.building.texts import TEXTS
from course.checkout import PACKAGE_ROOT as ROOT
from course.checkout import START_PAGE
from course.notebooks.regions import BuildError
from helpers.checks.course_list import LISTED
from tests.ours import NAMES

CHAPTERS = [one for one in find_chapters(ROOT / "lessons") if one.name in NAMES]
LESSONS = [one for one in CHAPTERS if one.lesson.exists()]
REVIEWS = [one for one in CHAPTERS if one.is_review]


@pytest.fixture(scope="module")
def stored():
    return nbformat.read(ROOT / START_PAGE, as_version=4)


def prose(notebook):
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def test_every_lesson_says_its_part_its_way_and_builds_on_earlier_ones_alone():
    numbers = {one.number for one in LESSONS}
    for one in [*LESSONS, *REVIEWS]:
        assert str(one.front["part"]) in TEXTS["parts"], one.name
        assert one.front["way"] in TEXTS["ways"], one.name
        below = one.front["builds_on"]
        assert set(below) <= {number for number in numbers if number < one.number}, one.name
        assert len(set(below)) == len(below), one.name
    assert all(one.front["builds_on"] for one in LESSONS[1:])


def test_parts_follow_each_other_and_each_ends_with_its_review():
    found = [(one.front["part"], one.is_review) for one in in_order(CHAPTERS)]
    assert found == sorted(found)
    assert [part for part, is_review in found if is_review] == sorted({part for part, _ in found})
    for review in REVIEWS:
        lessons = [one.number for one in LESSONS if one.front["part"] == review.front["part"]]
        assert review.front["builds_on"] == lessons
        assert review.front["after"] == lessons[-1]


def test_the_three_ways_are_an_afternoon_a_week_and_everything():
    on_way = {
        title: [one.number for one in on_it if one.lesson.exists()]
        for title, on_it in ways(CHAPTERS)
    }
    assert on_way["An afternoon"] == [0, 1, 5, 7]
    assert on_way["A week"] == list(range(9))
    assert on_way["Everything"] == [one.number for one in LESSONS]


def test_the_map_lists_every_lesson_and_every_exercise_in_the_order_of_the_course(stored):
    rows = re.findall(r"^\| \[(\d+)\. .*?\]\((\w+)\.ipynb\) \|", prose(stored), re.MULTILINE)
    ours = [row for row in rows if row[1] in NAMES]
    assert ours == [(str(one.number), one.name) for one in LESSONS]
    exercises = re.findall(r"\d&nbsp;min\]\(\.\./exercises/(\w+)\.ipynb\) \|", prose(stored))
    named = [one.name for one in in_order(CHAPTERS) if one.exercise.exists()]
    assert [name for name in exercises if name in NAMES] == named
    listed = stored.metadata[LISTED]
    assert [told["name"] for told in listed if told["exercise"]] == exercises
    assert [told["name"] for told in listed if told["lesson"]] == [row[1] for row in rows]


def test_the_links_of_the_map_lead_to_files_and_headings(stored):
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(stored))
    assert len(targets) > 2 * len(LESSONS)
    headings = re.findall(r"^#+ (.*)$", prose(stored), re.MULTILINE)
    for target in targets:
        file, _, heading = target.partition("#")
        assert (ROOT / "notebooks" / file).exists(), target
        assert not heading or heading.replace("-", " ") in headings, target


def test_the_picture_has_a_text_form_that_says_the_same(stored):
    (words,) = re.findall(r"!\[(.*)\]\(\.\./docs/course_map\.svg\)", prose(stored))
    svg = ElementTree.parse(ROOT / "docs/course_map.svg").getroot()
    assert svg.findtext("{http://www.w3.org/2000/svg}desc") == words
    for one in LESSONS:
        assert re.search(rf"\b{one.number} builds on ", words), one.name


def test_progress_is_never_stored(stored):
    (cell,) = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert "overview()" in cell.source
    assert (cell.outputs, cell.execution_count) == ([], None)


def test_the_three_ways_with_their_hours_stand_before_all_else(stored):
    text = prose(stored)
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert headings[0] == "Three ways through"
    assert text.index("| An afternoon | ") < 1500


def test_a_review_is_a_link_and_says_the_number_that_its_page_has(stored):
    for one in REVIEWS:
        link = f"[{one.front['title']}](../exercises/{one.name}.ipynb)"
        assert f"| {link} (exercise {one.number}) |" in prose(stored)


def test_a_map_for_some_exercises_names_no_other():
    found = course_map(ROOT, CHAPTERS, ["05_square", "21_review_first_order"])
    exercises = ["21_review_first_order", "05_square"]
    assert re.findall(r"min\]\(\.\./exercises/(\w+)", prose(found)) == exercises
    assert set(re.findall(r"exercises/(\w+)", prose(found))) == set(exercises)
    listed = found.metadata[LISTED]
    assert [told["name"] for told in listed if told["exercise"]] == exercises
    assert "Review of Part II" not in prose(found)
    assert len(re.findall(r"^\| \[\d+\. ", prose(found), re.MULTILINE)) == len(LESSONS)


def test_a_gap_that_there_is_not_is_named_with_its_line(tmp_path):
    path = tmp_path / SOURCE
    path.parent.mkdir()
    path.write_text("# Map\n\n{{ lesons }}\n")
    message = "lessons/index.md:3: no text is called lesons: there are lessons, picture, ways"
    with pytest.raises(BuildError, match=re.escape(message)):
        course_map(tmp_path, [])


def test_the_metadata_are_what_the_file_holds():
    told = json.loads(Path(ROOT / START_PAGE).read_text(encoding="utf-8"))["metadata"]
    review = {"name": "21_review_first_order", "label": "Review of Part I"}
    assert {**review, "lesson": False, "exercise": True} in told[LISTED]
