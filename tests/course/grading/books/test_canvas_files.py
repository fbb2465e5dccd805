"""Feedback as a notebook says what the page says, and shows nothing that was not meant."""

import re
from html.parser import HTMLParser

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


class Shown(HTMLParser):
    """The tags and the words of a page, in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.all = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.all += f"<{tag}>"

    def handle_data(self, data):
        self.all += "".join(data.split())


def test_it_says_what_the_page_says_without_the_code():
    words = text(source(result("Ada", "05_square", task("5.1", 0.9, message="No.", code="f()"))))
    assert re.search(r"0\.9 of 3 points.*No\.", words)
    assert "f()" not in words


@pytest.mark.parametrize("said", SAID)
def test_markdown_shows_the_page_as_it_is_whatever_a_submission_says(said):
    parts = (EarnedPart("forward", 1, False, said),)
    own = task("5.1", 0, "error", message=said, parts=parts, failed=(said,))
    by_hand = task("5.2", by_hand=True, reason=said)
    page = source(result("Ada", "05_square", own, by_hand, note=said))
    assert Shown(markdown2html(page)).all == Shown(page).all
    assert "<script>" not in page
    assert not {*"$\\"} & {*page}
