"""Feedback as a notebook says what the page says, and shows nothing that was not meant."""

import re
import unicodedata
from html.parser import HTMLParser

import nbformat
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from nbconvert.filters import markdown2html

from course.grading.books.feedback_notebook import feedback_notebook
from course.grading.results import STATUSES, EarnedPart
from tests.course.grading.books.samples import result, task


def texts(one):
    notebook = nbformat.reads(feedback_notebook(one).decode(), as_version=4)
    nbformat.validate(notebook)
    assert {cell.cell_type for cell in notebook.cells} == {"markdown"}
    return [cell.source for cell in notebook.cells]


def test_it_says_points_and_lateness_and_what_each_task_earned():
    parts = (EarnedPart("forward", 1, True), EarnedPart("gradients", 2, False, "It keeps x."))
    failed = ("gradient: got `2.0`, expected `4.0`",)
    partly = task("5.1", 0.9, "partly", parts=parts, lost=0.1, message="A factor.", failed=failed)
    late = "Handed in 1 minute late."
    top, first, second = texts(result("Ada", "05_square", partly, task("5.2"), lateness=late))
    assert top == "# Exercise 05&#95;square: 3.9 of 6 points\n\nHanded in 1 minute late."
    assert first == (
        "## Task 5.1: Title of 5.1\n\n**✗ right in parts** · 0.9 of 3 points; coming late took 0.1"
        "\n\n- ✓ forward, 1 of 1\n- ✗ gradients, 0 of 2. It keeps x.\n\nA factor.\n\n"
        "- ✗ gradient: got `2.0`, expected `4.0`"
    )
    assert second == "## Task 5.2: Title of 5.2\n\n**✓ passed** · 3 of 3 points"


def test_points_set_by_hand_are_said_with_their_reason_and_nothing_else():
    by_hand = task("5.1", 2, "not-gradable", by_hand=True, reason="shown", message="It uses gc.")
    _, said = texts(result("Ada", "05_square", by_hand))
    assert said == "## Task 5.1: Title of 5.1\n\n**Set by hand: shown** · 2 of 3 points"


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_has_words(status):
    assert texts(result("Ada", "05_square", task(status=status)))


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("<script>x</script>", "&#60;script&#62;x&#60;/script&#62;"),
        ("![a](http://x) [b](y)", "!&#91;a&#93;(http&#58;//x) &#91;b&#93;(y)"),
        ("a\x1b[2J\nb\u202ec", "a\ufffd&#91;2J b\ufffdc"),
        ("`x < 1` and y < 1", "&#96;x &#60; 1&#96; and y &#60; 1"),
        ("`x * 1` and `[y]`", "`x * 1` and `[y]`"),
        ("`a``b`", "`a` `b`"),
        ("`` <b> `.", "&#96;&#96; &#60;b&#62; &#96;."),
        ("12. - x", "12&#46; - x"),
        ("- x", "&#45; x"),
        ("$x$ and | and # and ~", "＄x＄ and &#124; and &#35; and &#126;"),
    ],
)
def test_what_a_submission_says_is_shown_as_words(message, shown):
    _, said = texts(result("Ada", "05_square", task(status="error", message=message)))
    assert said.endswith(f"\n\n{shown}")


MARKUP = [
    *"`*_~#$|<>[]()!&{}^=+-:;.@/\\'\"1a✓ \t\n",
    *("``", "```", "\n\n", "    ", "---", "# ", "## Task 5.2: all right", "- ✓ passed", "1. "),
    *("<script>", "</p>", "<!--", "<b x='", "&lt;", "&#60;", "![a](x)", "[a]: x", "](x)", "\\["),
    *("$$", "\\begin{a}", "\\end{a}", "\\(", "http://x.de", "www.x.de", "a@x.de", "@@0@@"),
    *("|a|b|", "|-|-|", "\x00", "\u2028", "\x1b", "\udc80"),
]
SAID = st.lists(st.sampled_from([*MARKUP, *["`"] * 20]) | st.text(max_size=3), max_size=30).map(
    "".join
)


class Shown(HTMLParser):
    """The tags of a page, in order, and its words."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.words = [], ""
        self.feed(re.sub(r'<a class="anchor-link".*?</a>', "", page))

    def handle_starttag(self, tag, attrs):
        self.tags += [tag] if tag != "code" else []

    def handle_data(self, data):
        self.words += data

    def handle_comment(self, data):
        self.tags.append("comment")


def by_markdown_it(text):
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(text)


def letters(words):
    """Return what is said, whatever became code."""
    return re.sub(r"[\s`]", "", words)


@pytest.mark.parametrize("page_of", [by_markdown_it, markdown2html])
@settings(max_examples=300, deadline=None)
@given(SAID, SAID, SAID)
@example("raised: `` <script>x</script> `.", "``<b>x</b>`", "`` <i> `")
@example("$\\style{color: green}{10 of 10}$", "\\(x\\) \\[y\\]", "$$x$$ \\begin{a}b\\end{a}")
@example("1. x", "``![a](http://x)`", "## Task 5.2: all right")
@example("`$$ x $$ <b> $$ $$`", "`\\begin{a}` <b> `\\end{a}`", "---")
def test_no_words_of_a_submission_have_a_meaning_to_markdown(page_of, message, failed, why):
    def texts_of(message, failed, why):
        parts = (EarnedPart("forward", 1, False, why),)
        own = task("5.1", 0, "error", message=message, failed=(failed,), parts=parts)
        by_hand = task("5.2", by_hand=True, reason=why)
        return texts(result("Ada", "05_square", own, by_hand, note=message, lateness=failed))

    said = [f"a{one}b" if not letters(one) else one for one in (message, failed, why)]
    for text, plain in zip(texts_of(*said), texts_of("xxx", "yyy", "zzz"), strict=True):
        found, meant = Shown(page_of(text)), Shown(page_of(plain))
        assert found.tags == meant.tags
        assert not {*"$\\"} & {*found.words}
        words = letters(meant.words)
        for mark, one in zip(("xxx", "yyy", "zzz"), said, strict=True):
            words = words.replace(mark, letters(seen(one)))
        assert letters(found.words) == words


def seen(words):
    """Return words with all that is not to be seen as U+FFFD, and without marks of formulas."""
    line = " ".join(words.split()).replace("$", "＄").replace("\\", "＼")
    return "".join(
        "\ufffd" if unicodedata.category(letter) in ("Cc", "Cf", "Cs") else letter
        for letter in line
    )


def test_the_same_result_gives_the_same_bytes_whatever_it_holds():
    one = result("a\udc80", "05_square", task(status="error", message="\udc80" * 5000))
    assert feedback_notebook(one) == feedback_notebook(one)
