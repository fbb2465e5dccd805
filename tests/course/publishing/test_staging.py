"""What Sphinx gets to read: all pages, and no answer."""

import re

import nbformat
import pytest

from course.checkout import PACKAGE_ROOT
from course.publishing.staging import DOCS, FRONT, sources, stage

EXERCISES = sorted(path.stem for path in (PACKAGE_ROOT / "exercises").glob("[0-9]?_*[a-z].ipynb"))
LESSONS = sorted(path.stem for path in (PACKAGE_ROOT / "notebooks").glob("[0-9]?_*.ipynb"))


@pytest.fixture(scope="module")
def pages():
    return sources(PACKAGE_ROOT, "https://binder.example/course")


def test_the_start_page_says_what_one_will_be_able_to_do_and_leads_to_every_page(pages):
    start = pages["index.md"]
    assert "After it you will be able to\n\n- read the graph" in start
    assert "(https://binder.example/course)" in start
    assert "](notebooks/index.ipynb)" in start
    named = re.findall(r"^(?:.+ <)?([\w/]+)>?$", "".join(_trees(start)), re.MULTILINE)
    texts = (name for name in pages if name.endswith((".md", ".ipynb")))
    there = {name.rpartition(".")[0] for name in texts} - {"index", "404"}
    assert len(named) == len(set(named))
    assert set(named) == there


def test_the_start_page_has_a_backward_pass_to_step_through(pages):
    assert pages["index.md"].count('<div class="autograd-step">') == 1


def test_the_map_asks_nobody_to_run_what_does_not_run_here(pages):
    shown = nbformat.reads(pages["notebooks/index.ipynb"], as_version=4)
    assert [cell.cell_type for cell in shown.cells if cell.cell_type != "markdown"] == []
    words = "\n".join(cell.source for cell in shown.cells)
    assert "## Your progress\n\nIn JupyterLab a table stands here" in words
    assert "knows nothing of you.\n\n## Lessons and their questions" in words
    assert "Run the cell" not in words


def test_the_map_explains_no_table_that_is_not_there(pages):
    shown = nbformat.reads(pages["notebooks/index.ipynb"], as_version=4)
    words = "\n\n".join(cell.source for cell in shown.cells)
    assert "a cell below" not in words
    assert "✓" not in words
    assert "knows nothing of you.\n\n\n## Lessons and their questions" in words


def test_every_picture_is_there_for_dark_pages_too(pages):
    pictures = {name.removesuffix(".svg") for name in pages if name.endswith(".svg")}
    light = {name for name in pictures if not name.endswith("-dark")}
    assert len(light) > 40
    assert pictures - light == {f"{name}-dark" for name in light}


def test_lessons_are_followed_by_their_exercise_and_parts_by_their_review(pages):
    trees = _trees(pages["index.md"])
    assert trees[1].splitlines()[:3] == [
        "notebooks/00_autograd",
        "Exercise 0 <exercises/00_autograd>",
        "notebooks/01_linear_function",
    ]
    assert trees[1].splitlines()[-1] == "Review of Part I <exercises/21_review_first_order>"


def _trees(start: str) -> list[str]:
    return re.findall(
        r'```\{toctree\}\n:hidden:\n:caption: "[^"]+"\n\n(.+?\n)```', start, re.DOTALL
    )


def test_without_an_address_no_button_is_promised():
    start = sources(PACKAGE_ROOT)["index.md"]
    assert "Binder" not in start
    assert "clone the repository, and" in start


@pytest.mark.parametrize("launch", ["", "https://binder.example/course"])
def test_the_start_page_leads_to_the_repository_where_it_is_known(launch):
    start = sources(PACKAGE_ROOT, launch, "https://github.com/ada/course")["index.md"]
    assert "clone [the repository](https://github.com/ada/course), and run `make lab`" in start


def test_every_lesson_every_exercise_and_every_guide_is_a_page(pages):
    assert LESSONS
    assert {f"notebooks/{name}.ipynb" for name in LESSONS} <= pages.keys()
    assert {f"exercises/{name}.ipynb" for name in EXERCISES} <= pages.keys()
    assert {*FRONT, *(f"docs/{name}.md" for name in DOCS)} <= pages.keys()
    docs = {path.stem for path in (PACKAGE_ROOT / "docs").glob("*.md")}
    assert docs == set(DOCS)


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_shows_what_students_get(pages, name):
    shown = nbformat.reads(pages[f"exercises/{name}.ipynb"], as_version=4)
    stored = nbformat.read(PACKAGE_ROOT / f"exercises/{name}.ipynb", as_version=4)
    code = [
        [cell.source for cell in one.cells if cell.cell_type == "code"] for one in (shown, stored)
    ]
    assert code[0] == code[1] != []
    assert "This is a preview." in shown.cells[0].source
    assert all(not cell.get("outputs") for cell in shown.cells)


def test_what_lay_in_the_folder_before_is_gone(tmp_path):
    (tmp_path / "old.md").write_text("# Old\n")
    stage(PACKAGE_ROOT, tmp_path)
    assert not (tmp_path / "old.md").exists()
    assert (tmp_path / "figures/course_map.svg").exists()
