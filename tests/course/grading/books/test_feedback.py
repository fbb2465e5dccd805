"""A student reads what passed, what did not and why, and nothing that is hidden."""

import re
from dataclasses import replace
from functools import partial

import pytest

from course.grading.books.pages import feedback_page
from course.grading.results import EarnedPart
from tests.course.grading.books.samples import EVIL, is_harmless, result, task, text
from whygrad.lines.table import LineTable, Row

ada = partial(result, "Ada", "05_square")
PARTS = EarnedPart("forward", 1, True), EarnedPart("gradients", 2, False, "It keeps `x`, too.")
SAID = {"message": "The gradient of `x` is negative.", "code": "def f(x):\n\treturn -x  # <b>"}
LISTS = {"passed": ("output",), "failed": ("gradient of x: at [0] yours -6",)}
FAILED = task("5.2", 0, "failed", diagnosis="wrong-sign", **SAID, **LISTS)
TABLE = LineTable("Line by line", (Row(2, "y = -x", ("x: 3",), ("y: -3",), ("cast",)),))
LINED = replace(FAILED, where="On line 2.", table=(TABLE,))
HIDDEN = task("5.2", 0, "failed", diagnosis="wrong-factor", hidden=("gradient of x",) * 2)
BLANK = task("5.2", 0, "not-started", message="Nothing yet.", code="STUB")
PARTLY = replace(FAILED, points=0.8, status="partly", parts=PARTS)
LATE = {"lateness": "It came late.", "file": "Ada_12/5.ipynb", "handed_in": "2026-11-20T23:59:01"}
BY_HAND = replace(FAILED, points=2, by_hand=True, reason="shown", comment="Neat.", parts=PARTS)
OPEN = {"is_asked": True, "doubts": ("A copy?",), "comment": "Soon."}


@pytest.mark.parametrize(
    ("one", "wanted", "unwanted"),
    [
        (
            ada(task(), FAILED),
            "Ada|Exercise 5: Square|3 of 6 points|✓ Passed|Diagnosis: wrong-sign|Usual cause"
            "|The gradient of x is negative.|✗ gradient of x: at [0] yours -6|✓ output|# <b>",
            "so far|late|Why:",
        ),
        (
            ada(replace(FAILED, why="Lost.", look="Look!")),
            "Why: Lost.|What to do: Look!",
            "Usual cause",
        ),
        (ada(LINED), "Where: On line 2.|Line by line|y = -x|cast|x: 3|y: -3", "Gradient of"),
        (
            ada(replace(HIDDEN, where="On line 2.", table=(TABLE,))),
            "A hidden check on gradient of x failed.",
            "wrong-factor|Usual|Why|ine 2|Line by line",
        ),
        (
            ada(replace(PARTLY, lost=0.2), **LATE),
            "½ Right in parts · 0.8 of 3 points; coming late took 0.2|Gradients: It keeps x, too."
            "|forward ✓ 1 of 1, gradients ✗ 0 of 2|It came late.|Ada_12/5.ipynb|2026-11-20 23:59",
            "only together",
        ),
        (ada(PARTLY), "They earn points only together.", "1 of 1"),
        (
            ada(BY_HAND, note="Unread."),
            "Set by hand: shown · 2 of 3 points Neat. By parts",
            "1 of 1|only together|so far|Unread",
        ),
        (
            ada(BLANK, BY_HAND, note="Unread."),
            "Unread.|– Not started · 0 of 3 points Nothing yet.",
            "STUB|in another file",
        ),
        (ada(BLANK), "If your answers are in another file", "STUB"),
        (
            ada(replace(BLANK, status="missing", message="No notebook."), note="No notebook."),
            "0 of 3 points No notebook. Task 5.2: Title of 5.2 – Not handed in · 0 of 3 points",
            "3 points No notebook. Your",
        ),
        (
            ada(task(), replace(BLANK, status="not-gradable")),
            "3 of 6 points so far|no points yet, of 3 Nothing yet. Nothing is lost.|STUB",
            "missing",
        ),
        (ada(**OPEN), "3 of 3 points so far|Soon.", "A copy|Odd"),
    ],
)
def test_the_page_says_what_became_of_each_task(one, wanted, unwanted):
    words = text(feedback_page(one, {}))
    assert [each for each in wanted.split("|") if each not in words] == []
    assert [each for each in unwanted.split("|") if each in words] == []


def test_the_page_holds_what_each_task_asks_for_a_long_one_folded():
    texts = {"5.1": "Write `f`: $x^2$.\n\n<b>now</b>", "5.2": "Long. " * 1000}
    page = feedback_page(ada(task(), FAILED, task("5.3")), texts)
    for words in ("Write <code>f</code>: ", "<msup><mi>x</mi><mn>2</mn></msup>", "&lt;b&gt;now"):
        assert words in page
    assert re.findall(r"<details(.*?)>\n<summary>The task", page) == [" open", ""]


def test_nothing_a_student_wrote_becomes_html_or_hides():
    table = LineTable(EVIL, (Row(1, EVIL, (EVIL,), (EVIL,), (EVIL,)),), ((EVIL, EVIL, EVIL),))
    said = {
        "message": EVIL,
        "table": (table,),
        "passed": (EVIL,),
        "failed": (EVIL,),
        "code": f"{EVIL}\x1b[31m\u202e",
    }
    every = task(EVIL, 0, "failed", diagnosis=EVIL, parts=(EarnedPart(EVIL, 1, True),), **said)
    hidden = task("5.2", 0, "failed", hidden=(EVIL,))
    by_hand = task("5.3", by_hand=True, reason=EVIL, comment=EVIL)
    more = dict.fromkeys(("note", "file", "handed_in", "lateness", "comment"), EVIL)
    one = result(f"a\0b\udc80{EVIL}", EVIL, every, hidden, by_hand, **more)
    page = feedback_page(one, {"5.2": EVIL})
    assert is_harmless(page)
    assert "a�b�" in page
    assert '<html lang="en">' in page


@pytest.mark.parametrize("name", ["Ольга", "山田　太郎", "محمد علی", "می‌خواهم"])
def test_names_of_all_scripts_stay_as_they_are(name):
    assert f"<bdi>{' '.join(name.split())}</bdi>" in feedback_page(result(name), {})


def test_very_long_things_are_cut():
    long = task(code="x" * 10**6, message="m" * 10**6, failed=("f" * 10**5,) * 10**3)
    assert len(feedback_page(result("n" * 10**5, "05_square", long), {})) < 100_000
