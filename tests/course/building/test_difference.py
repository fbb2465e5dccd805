"""A difference between two notebooks is shown by cell, in words, and never as JSON."""

from copy import deepcopy

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course.building.difference import as_text, difference


def shown(**data):
    data = {name.replace("__", "/"): value for name, value in data.items()}
    return new_output("display_data", data=data)


@pytest.fixture
def built():
    cells = [
        new_markdown_cell("# 1. Tiny\n\nA sentence.", id="before-one"),
        new_code_cell(
            "print(1)\nprint(2)",
            id="one",
            execution_count=1,
            outputs=[new_output("stream", name="stdout", text="1\n2\n")],
        ),
        new_code_cell("draw()", id="two", execution_count=2),
    ]
    picture = {"image/svg+xml": "<svg><g/></svg>", "text/plain": "3 nodes"}
    cells[2].outputs = [new_output("display_data", data=picture)]
    notebook = new_notebook(cells=cells)
    notebook.nbformat_minor = 5
    return notebook


def compare(stored, built):
    text = stored if isinstance(stored, str) else as_text(stored)
    return difference(text, built, "notebooks/01.ipynb", "lessons/01.md")


def test_equal_notebooks_do_not_differ(built):
    assert compare(built, built) == ""


def test_a_changed_sentence_and_a_changed_output_are_shown_by_cell(built):
    stored = deepcopy(built)
    stored.cells[0].source = "# 1. Tiny\n\nAnother sentence."
    stored.cells[1].outputs[0].text = "1\n3\n"
    expected = """\
--- notebooks/01.ipynb, cell before-one
+++ built from lessons/01.md
@@ -2,3 +2,3 @@
 # 1. Tiny
~
-Another sentence.
+A sentence.

--- notebooks/01.ipynb, cell one
+++ built from lessons/01.md
@@ -5,3 +5,3 @@
 output, stdout:
 1
-3
+2"""
    assert compare(stored, built) == expected.replace("~", " ")


def test_pictures_are_held_to_their_text_form(built):
    stored = deepcopy(built)
    stored.cells[2].outputs[0].data["image/svg+xml"] = "<svg>elsewhere</svg>"
    assert compare(stored, built) == ""
    stored.cells[2].outputs[0].data["text/plain"] = "4 nodes"
    assert "-4 nodes\n+3 nodes" in compare(stored, built)
    del stored.cells[2].outputs[0].data["image/svg+xml"]
    assert "+output, display_data, image/svg+xml:\n+(a picture)" in compare(stored, built)


def test_a_picture_inside_html_is_left_out_and_the_words_around_it_are_not(built):
    built.cells[2].outputs = [shown(text__html="<p>one</p><svg>\n1</svg><p>two</p><svg>2</svg>")]
    stored = deepcopy(built)
    stored.cells[2].outputs[0].data["text/html"] = "<p>one</p><svg>3</svg><p>two</p><svg>4</svg>"
    assert compare(stored, built) == ""
    stored.cells[2].outputs[0].data["text/html"] = "<p>one</p><svg>1</svg><p>2</p><svg>2</svg>"
    assert "+<p>one</p><svg/><p>two</p><svg/>" in compare(stored, built)


def test_a_measured_output_is_left_out_and_its_source_is_not(built):
    built.cells[1].metadata["tags"] = ["nbval-ignore-output"]
    stored = deepcopy(built)
    stored.cells[1].outputs[0].text = "another\n"
    assert compare(stored, built) == ""
    stored.cells[1].source = "print(1)"
    assert "+print(2)" in compare(stored, built)


def change_metadata(notebook):
    notebook.metadata["kernelspec"] = {"name": "mine", "display_name": "Mine"}


def change_cell_metadata(notebook):
    notebook.cells[1].metadata["collapsed"] = True


def change_count(notebook):
    notebook.cells[1].execution_count = 7


def change_id(notebook):
    notebook.cells[1].id = "other"


def change_order(notebook):
    notebook.cells.insert(0, notebook.cells.pop())


def add_cell(notebook):
    notebook.cells.append(new_code_cell("extra", id="extra"))


def drop_cell(notebook):
    notebook.cells.pop()


def add_output(notebook):
    notebook.cells[0] = new_code_cell(notebook.cells[0].source, id="before-one")


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (change_metadata, "the notebook itself"),
        (change_cell_metadata, '-  "collapsed": true'),
        (change_count, "-execution count 7\n+execution count 1"),
        (change_id, "notebooks/01.ipynb, cell other"),
        (change_order, "notebooks/01.ipynb, order of cells"),
        (add_cell, "-extra"),
        (drop_cell, "+draw()"),
        (add_output, "-code cell\n+markdown cell"),
    ],
)
def test_every_other_change_is_shown(built, change, shown):
    stored = deepcopy(built)
    change(stored)
    assert shown in compare(stored, built)


def test_a_file_that_is_no_notebook_or_laid_out_otherwise_is_named(built):
    assert compare("{", built).startswith("notebooks/01.ipynb is not a notebook: ")
    assert compare("[]", built).startswith("notebooks/01.ipynb is not a notebook: ")
    spaced = as_text(built).replace("\n ", "\n  ")
    assert "is not laid out as `course build` does" in compare(spaced, built)
