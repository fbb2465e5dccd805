"""The README's hours, its table and the map are written from all chapters, by every build."""

import re

import nbformat
import pytest

from course.build import build
from course.building.chapters import find_chapters
from course.building.front_pages import BEGIN, END, renew
from course.building.map_picture import PICTURE
from course.checkout import START_PAGE
from tests.course.tiny import Task, cell, lesson, write

TABLE = """
| lesson | question | minutes | exercise |
|---|---|---|---|
| [1. Tiny](notebooks/01_tiny.ipynb) | Does it build? | 5 | |

"""
HOURS = "\nThe whole course takes 0 hours to read, 0 hours with exercises and reviews.\n\n"
LESSONS = BEGIN.format("lessons")
INDEX = "# Map\n\n{{ lessons }}\n\n{{ picture }}\n\n{{ ways }}\n\n" + cell("overview", "1 + 1")


@pytest.fixture
def course(tmp_path):
    write(tmp_path, lesson("No code."))
    (tmp_path / "README.md").write_text(f"Before.\n{LESSONS}old\n{END}After.\n")
    return tmp_path


def renewed(course, *, check=False):
    chapters = find_chapters(course / "lessons", lambda number: [Task(f"{number}.1")])
    return renew(course, chapters, check=check)


def test_the_readme_gets_the_table_between_its_marks_and_keeps_the_rest(course):
    readme = course / "README.md"
    (told,) = renewed(course, check=True)
    assert told.startswith("README.md is not what the lessons build:\n--- README.md\n")
    assert "-old" in told
    assert readme.read_text() == f"Before.\n{LESSONS}old\n{END}After.\n"
    assert renewed(course) == ["README.md: built"]
    assert readme.read_text() == f"Before.\n{LESSONS}{TABLE}{END}After.\n"
    assert renewed(course, check=True) == []


def test_the_hours_come_where_the_readme_has_their_marks(course):
    readme, begin = course / "README.md", BEGIN.format("hours")
    between = f"{END}Between.\n{LESSONS}"
    readme.write_text(f"Before.\n{begin}old\n{between}old\n{END}After.\n")
    assert renewed(course) == ["README.md: built"]
    assert readme.read_text() == f"Before.\n{begin}{HOURS}{between}{TABLE}{END}After.\n"


def test_the_map_is_built_with_its_picture_and_is_not_run(course, capsys):
    write(course, INDEX, "index")
    assert build(course, ["index"]) == 0
    assert "notebooks/index.ipynb: built" in capsys.readouterr().out
    cells = nbformat.read(course / START_PAGE, as_version=4).cells
    assert "[1. Tiny](01_tiny.ipynb)" in cells[0].source
    assert (cells[1].source, cells[1].outputs, cells[1].execution_count) == ("1 + 1", [], None)
    assert "1. Tiny" in (course / PICTURE).read_text()
    assert build(course, ["index"], check=True) == 0
    assert not (course / "notebooks" / "01_tiny.ipynb").exists()


def test_a_check_finds_a_map_that_was_run_and_saved(course, capsys):
    write(course, INDEX, "index")
    build(course)
    path = course / START_PAGE
    stored = path.read_text()
    path.write_text(stored.replace('"execution_count": null', '"execution_count": 1'))
    assert build(course, check=True) == 1
    assert '-   "execution_count": 1' in capsys.readouterr().err
    assert build(course) == 0
    assert path.read_text() == stored


def test_a_picture_that_another_graphviz_laid_out_stays_until_it_shows_something_else(course):
    write(course, INDEX, "index")
    renewed(course)
    path = course / PICTURE
    moved = re.sub(r'points="', 'points="1,1 ', path.read_text())
    path.write_text(moved)
    assert renewed(course) == []
    path.write_text(f"<<<<<<< HEAD\n{moved}")
    assert renewed(course) == [f"{PICTURE}: built"]
    write(course, lesson().replace("title: Tiny", "title: Other"))
    assert f"{PICTURE}: built" in renewed(course)
    assert "1. Other" in path.read_text()


def test_a_broken_map_is_named_and_the_build_ends_with_1(course, capsys):
    write(course, "# Map\n\n{{ nothing }}\n", "index")
    assert build(course, ["index"]) == 1
    assert "lessons/index.md:3: no text is called nothing" in capsys.readouterr().err
