"""Feedback as a notebook says what the page says, and shows nothing that was not meant."""

import re

import nbformat
import pytest
from nbconvert.filters import markdown2html

from course.grading.books.canvas_files import feedback_notebook
from course.grading.results import EarnedPart
from tests.course.grading.books.samples import result, task, text

SIGNS = "`*_~#$|<>[]()!&{}^=+-:;.@/\\'\"a \t\n\x00\u2028\x1b\udc80"
SAID = [
    "$\\style{color: green}{10 of 10}$",
    "\\(x\\) \\[y\\] $$x$$ \\begin{a}b\\end{a}",
    "```\n\n# b\n\n---\n\n1. <script></section><!-- &lt;![a](x)\n\n[a]: x\n|a|\n|-|\n",
    SIGNS,
    "\n\n".join(SIGNS),
]


def source(one):
    notebook = nbformat.reads(feedback_notebook(one).decode(), as_version=4)
    nbformat.validate(notebook)
    return notebook.cells[0].source


def shown(page):
    """Return the tags of a page, and its words without spaces."""
    return re.findall(r"<\w+", page), text(page).replace(" ", "")


@pytest.mark.parametrize("said", SAID)
def test_markdown_shows_the_page_without_the_code_as_it_is_whatever_a_submission_says(said):
    parts = (EarnedPart("forward", 1, False, said),)
    own = task("5.1", 0.9, "error", message=said, parts=parts, failed=(said,), code="f()")
    by_hand = task("5.2", by_hand=True, reason=said)
    page = source(result("Ada", "05_square", own, by_hand, note=said))
    assert shown(markdown2html(page)) == shown(page)
    assert "0.9 of 3 points" in page
    assert not re.search(r"<script>|f\(\)", page)
    assert not {*"$\\"} & {*page}
