"""A student reads what passed, what did not and why, and nothing that is hidden."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from course.grading.books.pages import feedback_page
from course.grading.results import STATUSES
from helpers.checks.advice import advice
from tests.course.grading.books.samples import result, task

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
    return Tags(feedback_page(result("Ada", "05_square", *tasks, **more))).text


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
        result("Ada", "05_square", FAILED)
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


@pytest.mark.parametrize("status", STATUSES)
def test_every_status_is_said_in_words(status):
    page = feedback_page(result("Ada", "05_square", task("5.1", 0, status)))
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
    hidden = task("5.2", 0, "failed", hidden=(EVIL,))
    page = feedback_page(result(EVIL, EVIL, every, hidden, note=EVIL))
    tags = Tags(page).tags
    assert not {"script", "img", "a", "iframe", "form", "link"} & {tag for tag, _ in tags}
    assert not any(key.startswith("on") for _, attributes in tags for key in attributes)
    assert page.count("</style>") == page.count("</title>") == 1


def test_control_characters_and_surrogates_are_to_be_seen():
    page = feedback_page(
        result(
            "a\0b\udc80", "05_square", task(code="x\x1b[31m\u202e = 1\r\n\ud800", message="\x07")
        )
    )
    page.encode()
    assert "a�b�" in page
    assert "x�[31m� = 1\n�" in page
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", page)


def test_names_of_all_scripts_stay_as_they_are():
    for name in ("Ольга", "山田　太郎", "محمد علی", "می‌خواهم"):
        assert f"<bdi>{' '.join(name.split())}</bdi>" in feedback_page(result(name))


def test_very_long_things_are_cut():
    long = task(code="x" * 10**6, message="m" * 10**6, failed=("f" * 10**5,) * 10**3)
    page = feedback_page(result("n" * 10**5, "05_square", long))
    assert len(page) < 100_000
    assert "960000 more characters" in page
    assert "960 more" in page


def test_the_page_needs_nothing_from_elsewhere_and_runs_nothing():
    page = feedback_page(result())
    assert (
        "default-src &#x27;none&#x27;; style-src &#x27;unsafe-inline&#x27;; img-src data:" in page
    )
    assert not re.search(r"https?:|src=|@import|url\(http", page)


def test_the_page_can_be_read_by_machines_and_in_the_dark():
    page = feedback_page(result("Ada", "05_square", task(code="pass"), FAILED))
    tags = Tags(page).tags
    assert ("html", {"lang": "en"}) in tags
    assert "<title>05_square – Ada</title>" in page
    assert [tag for tag, _ in tags if tag in ("header", "main", "h1")] == ["header", "h1", "main"]
    levels = [int(tag[1]) for tag, _ in tags if re.fullmatch("h[1-6]", tag)]
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert "prefers-color-scheme: dark" in page


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1])
@pytest.mark.parametrize("name", ["text", "soft", "link", "good", "bad", "open"])
@pytest.mark.parametrize("ground", ["page", "panel"])
def test_text_stands_out_from_its_ground(scheme, name, ground):
    style = feedback_page(result()).split("prefers-color-scheme: dark")[scheme]
    colours = dict(re.findall(r"--(\w+): (#\w{6})", style))
    dark, light = sorted(_luminance(colours[key]) for key in (name, ground))
    assert (light + 0.05) / (dark + 0.05) >= 4.5
