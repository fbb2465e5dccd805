"""A student reads what passed, what did not and why, and nothing that is hidden."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from course.grading.books.pages import feedback_page
from course.grading.results import STATUSES, EarnedPart
from helpers.checks.advice import advice
from tests.course.grading.books.samples import result, task
from whygrad.look import css

EVIL = "</pre></title></style><script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


class Tags(HTMLParser):
    """Collects tags, attributes and text, and sees that all is closed."""

    VOID = ("meta", "rect", "circle", "link", "br")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags, self.open, self.words = [], [], []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


def shown(*tasks, **more) -> str:
    """Return the text of a page."""
    return Tags(feedback_page(result("Ada", "05_square", *tasks, **more), {})).text


FAILED = task(
    "5.2",
    0,
    "failed",
    diagnosis="wrong-sign",
    message="The gradient of `x` is the negative of the right one.",
    passed=("output", "shape"),
    failed=("gradient of x: at [0] yours -6, expected 6",),
    code="def f(x):\n\treturn -x  # <b>",
)


def test_the_page_names_student_exercise_points_and_each_task():
    text = shown(task("5.1"), FAILED)
    for words in ("Ada", "Exercise 05_square", "3 of 6 points", "Task 5.1: Title of 5.1", "Passed"):
        assert words in text


def test_a_failed_task_shows_diagnosis_message_lines_advice_and_code():
    text = shown(FAILED)
    for words in (
        "Diagnosis: wrong-sign",
        "is the negative of the right one.",
        "✗ gradient of x: at [0] yours -6, expected 6",
        "✓ output",
        advice("5.1")["wrong-sign"].look.replace("`", "")[:30],
        "return -x # <b>",
    ):
        assert words in text
    assert "<pre><code>def f(x):\n\treturn -x  # &lt;b&gt;</code></pre>" in feedback_page(
        result("Ada", "05_square", FAILED), {}
    )


def test_a_reason_that_is_known_takes_the_place_of_the_usual_cause():
    known = replace(FAILED, why="The minus is lost.", look="Look at the minus.")
    text = shown(known)
    assert "Why: The minus is lost." in text
    assert "What to do: Look at the minus." in text
    assert "Usual cause" not in text
    assert "Usual cause" in shown(FAILED)


def test_a_hidden_check_is_named_by_its_property_only():
    hidden = task("5.1", 0, "failed", diagnosis="wrong-factor", hidden=("gradient of x",) * 2)
    text = shown(hidden)
    assert text.count("A hidden check on gradient of x failed.") == 1
    assert "wrong-factor" not in text
    assert advice("5.1")["wrong-factor"].look[:20] not in text


def test_the_page_says_what_the_task_asks_for_so_that_it_can_be_read_alone():
    texts = {"5.1": "Write `f`: $x^2$.\n\n<b>now</b>\n\n```python\nclass F: ...\n```"}
    page = feedback_page(result("Ada", "05_square", task("5.1"), task("5.2")), texts)
    assert "Write <code>f</code>: " in page
    assert "<msup><mi>x</mi><mn>2</mn></msup>" in page
    assert "&lt;b&gt;now&lt;/b&gt;" in page
    assert Tags(page).text.count("The task") == 1


def test_a_long_task_is_folded_and_a_short_one_is_not():
    texts = {"5.1": "Short.", "5.2": "Long. " * 1000}
    page = feedback_page(result("Ada", "05_square", task("5.1"), task("5.2")), texts)
    assert re.findall(r"<details.*?>\n<summary>The task", page) == [
        "<details open>\n<summary>The task",
        "<details>\n<summary>The task",
    ]


PARTS = (
    EarnedPart("forward", 1, True),
    EarnedPart("gradients", 1.5, False),
    EarnedPart("<b>", 0.5, False),
)


def test_parts_say_what_earned_which_points():
    partly = task("5.2", 1, "partly", max_points=3, diagnosis="wrong-sign", parts=PARTS)
    text = shown(partly)
    assert "✗ Right in parts · 1 of 3 points" in text
    assert (
        "By parts: forward ✓ 1 of 1 , gradients ✗ 0 of 1.5 , <b> ✗ 0 of 0.5 Diagnosis: wrong-sign"
    ) in text
    assert "Usual cause" in text


def test_parts_that_another_mistake_takes_say_which_once():
    parts = [EarnedPart(name, 1, False, "It keeps `x`, too.") for name in ("forward", "gradients")]
    text = shown(task("5.2", 0, "failed", max_points=3, parts=(*parts, EarnedPart("b", 1, False))))
    assert "b ✗ 0 of 1 Forward, gradients: It keeps x , too." in text
    assert text.count("It keeps") == 1


def test_parts_that_earn_nothing_by_themselves_have_no_points():
    text = shown(task("5.2", 0, "partly", parts=PARTS))
    assert "By parts: forward ✓ , gradients ✗ , <b> ✗ . They earn points only together." in text
    late = replace(task("5.2", 0.8, "partly", parts=PARTS), lost=0.2)
    assert "forward ✓ 1 of 1 , gradients ✗ 0 of 1.5" in shown(late)
    doubted = shown(task("5.1"), task("5.2", 0, "not-gradable", message="Odd.", parts=PARTS))
    assert "By parts: forward ✓ , gradients ✗ , <b> ✗ Odd." in doubted


def test_lateness_is_said_once_and_what_it_took_from_each_task():
    late = replace(task("5.1", 2.4), lost=0.6)
    text = shown(late, lateness="It came `2 days` late.")
    assert "It came 2 days late." in text
    assert "2.4 of 3 points; coming late took 0.6" in text
    assert "coming late" not in shown(task())


def test_the_page_names_the_file_and_when_it_was_handed_in():
    more = {"file": "Ada_12/Hausaufgabe 5.ipynb", "handed_in": "2026-11-20T23:59:01"}
    text = shown(task(), **more)
    assert ("File: Ada_12/Hausaufgabe 5.ipynb , handed in 2026-11-20 23:59") in text
    assert "File:" not in shown(task())


def test_points_set_by_hand_say_their_reason_and_nothing_else_of_the_task():
    judged = replace(FAILED, status="not-gradable", message="It uses gc.", parts=PARTS)
    by_hand = replace(judged, points=2, by_hand=True, reason="shown at the blackboard")
    page = feedback_page(result("Ada", "05_square", by_hand), {"5.2": "Write it."})
    words = Tags(page).text.partition("Title of 5.2 ")[2]
    assert words == (
        "Set by hand: shown at the blackboard · 2 of 3 points "
        "The task Write it. Your code def f(x): return -x # <b>"
    )
    assert "Set by hand · 2 of 3 points" in shown(replace(by_hand, reason=""))
    assert "so far" not in page
    assert "cannot be read" not in shown(by_hand, note="It cannot be read.")
    assert "cannot be read" in shown(by_hand, task(), note="It cannot be read.")


@pytest.mark.parametrize(
    ("status", "next_said"),
    [
        ("not-gradable", "A person will look at it; nothing is lost."),
        ("grader-error", "It will be graded again; nothing is lost."),
        ("missing", "If you did hand something in, tell who grades"),
        ("not-started", "If your answers are in another file, tell who grades"),
    ],
)
def test_what_could_not_be_graded_says_why_once_and_what_happens_next(status, next_said):
    tasks = [task(name, 0, status, message="`a.py` is no notebook.") for name in ("5.1", "5.2")]
    for note in ("", "`a.py` is no notebook."):
        text = shown(*tasks, note=note, file="Ada/a.py")
        assert text.count("a.py is no notebook.") == 1
        assert text.count(next_said) == 1
        assert "Ada/a.py" in text


def test_a_task_that_was_not_started_shows_no_code_of_the_course_as_the_student_s():
    given = {"diagnosis": "not-started", "message": "Nothing has been written yet."}
    blank = task("5.2", 0, "not-started", code="STUB", failed=("forward: raised",), **given)
    text = shown(task("5.1"), blank)
    assert "– Not started · 0 of 3 points Nothing has been written yet." in text
    assert "STUB" not in text
    assert "raised" not in text
    elsewhere = replace(blank, status="not-gradable", message="It stands in another cell.")
    text = shown(task("5.1"), elsewhere)
    assert "no points yet, of 3 It stands in another cell. Nothing is lost. Your code STUB" in text


def test_points_that_may_change_are_points_so_far():
    odd = task("5.2", 0, "not-gradable", message="It uses gc.")
    text = shown(task("5.1"), odd)
    assert "3 of 6 points so far" in text
    assert "? A person will look at it · no points yet, of 3 It uses gc. Nothing is lost." in text
    assert "no points yet, of 3" in shown(task("5.1"), task("5.2", 0, "grader-error"))
    assert "so far" not in shown(task("5.1"), FAILED)


def test_points_that_are_doubted_are_points_so_far_until_somebody_has_seen_to_it():
    assert "3 of 3 points so far" in shown(task(), doubts=("It may be a copy.",))
    assert "so far" not in shown(task(), doubts=("It may be a copy.",), seen=True)


def test_the_student_reads_nothing_that_is_for_the_instructor():
    text = shown(task(), doubts=("It may be a copy.",), remarks=("Two files were there.",))
    assert "copy" not in text
    assert "Two files" not in text


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_is_said_in_words(status):
    page = feedback_page(result("Ada", "05_square", task("5.1", 0, status)), {})
    assert re.search(r'class="state"><span class="\w+">[✓✗?–] [A-Z][a-z]*', page)


def test_nothing_a_student_wrote_becomes_html():
    every = task(
        EVIL,
        0,
        "failed",
        diagnosis=EVIL,
        message=EVIL,
        passed=(EVIL,),
        failed=(EVIL,),
        hidden=(),
        code=EVIL,
    )
    hidden = task("5.2", 0, "failed", hidden=(EVIL,), parts=(EarnedPart(EVIL, 1, True),))
    by_hand = task("5.3", 0, "failed", by_hand=True, reason=EVIL)
    more = {"note": EVIL, "file": EVIL, "handed_in": EVIL, "lateness": EVIL}
    page = feedback_page(result(EVIL, EVIL, every, hidden, by_hand, **more), {"5.2": EVIL})
    tags = Tags(page).tags
    assert not {"script", "img", "a", "iframe", "form", "link"} & {tag for tag, _ in tags}
    assert not any(key.startswith("on") for _, attributes in tags for key in attributes)
    assert page.count("</style>") == page.count("</title>") == 1


def test_control_characters_and_surrogates_are_to_be_seen():
    page = feedback_page(
        result(
            "a\0b\udc80", "05_square", task(code="x\x1b[31m\u202e = 1\r\n\ud800", message="\x07")
        ),
        {},
    )
    page.encode()
    assert "a�b�" in page
    assert "x�[31m� = 1\n�" in page
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", page)


def test_names_of_all_scripts_stay_as_they_are():
    for name in ("Ольга", "山田　太郎", "محمد علی", "می‌خواهم"):
        assert f"<bdi>{' '.join(name.split())}</bdi>" in feedback_page(result(name), {})


def test_very_long_things_are_cut():
    long = task(code="x" * 10**6, message="m" * 10**6, failed=("f" * 10**5,) * 10**3)
    page = feedback_page(result("n" * 10**5, "05_square", long), {})
    assert len(page) < 100_000
    assert "960000 more characters" in page
    assert "960 more" in page


def test_the_page_needs_nothing_from_elsewhere_and_runs_nothing():
    page = feedback_page(result(), {})
    assert (
        "default-src &#x27;none&#x27;; style-src &#x27;unsafe-inline&#x27;; img-src data:" in page
    )
    assert not re.search(r"https?:|src=|@import|url\(http", page)


def test_the_page_can_be_read_by_machines_and_in_the_dark():
    page = feedback_page(result("Ada", "05_square", task(code="pass"), FAILED), {})
    tags = Tags(page).tags
    assert ("html", {"lang": "en"}) in tags
    assert "<title>05_square – Ada</title>" in page
    assert [tag for tag, _ in tags if tag in ("header", "main", "h1")] == ["header", "h1", "main"]
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch("h[1-6]", tag)]
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert css(":root") in page
