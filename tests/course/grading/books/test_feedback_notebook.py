"""Feedback as a notebook says what the page says, and shows nothing that was not meant."""

import nbformat
import pytest

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
    assert top == "# Exercise 05\\_square: 3.9 of 6 points\n\nHanded in 1 minute late."
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
        ("<script>x</script>", "&lt;script&gt;x&lt;/script&gt;"),
        ("![a](http://x) [b](y)", "\\!\\[a\\](http://x) \\[b\\](y)"),
        ("a\x1b[2J\nb\u202ec", "a\ufffd\\[2J b\ufffdc"),
        ("`x < 1` and y < 1", "`x < 1` and y &lt; 1"),
        ("$x$ and | and # and ~", "\\$x\\$ and \\| and \\# and \\~"),
    ],
)
def test_what_a_submission_says_is_shown_as_words(message, shown):
    _, said = texts(result("Ada", "05_square", task(status="error", message=message)))
    assert said.endswith(f"\n\n{shown}")


def test_the_same_result_gives_the_same_bytes_whatever_it_holds():
    one = result("a\udc80", "05_square", task(status="error", message="\udc80" * 5000))
    assert feedback_notebook(one) == feedback_notebook(one)
