"""The report as HTML: a table that can be read aloud, and nothing of a student's gets out of it."""

import base64
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from whygrad.diagnosis import Diagnosis
from whygrad.figure import Figure
from whygrad.look import EITHER, PICTURE
from whygrad.mistakes import MISTAKES
from whygrad.report import as_text
from whygrad.report_html import as_html
from whygrad.verdict import Finding, Property, Raised, Verdict

TAGS = [
    "br",
    "code",
    "details",
    "div",
    "em",
    "img",
    "li",
    "ol",
    "p",
    "pre",
    "small",
    "strong",
    "summary",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
]
WITHOUT_END = ("br", "img")
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><text>µ</text></svg>'
NASTY = [
    "<script>alert(1)</script>",
    "</code></td></table></div><h1>",
    '" onerror="alert(1)" x="',
    "' onload='alert(1)",
    "&lt;script&gt; &#60;b&#62;",
    "]]><!-- --> <!--",
    "`<b>` and ` alone",
    "{colour} {0} %s $\\href{javascript:alert(1)}{x}$",
    "\x00\x1b[31m\u202e\ud800",
]


class Reader(HTMLParser):
    """Collects the tags, attributes and text of a page, and holds every tag to its end."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.texts, self.open = [], [], [], []
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, key, value) for key, value in attrs]
        if tag not in WITHOUT_END:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    handle_decl = handle_pi = unknown_decl = handle_comment

    @property
    def text(self):
        return " ".join("".join(self.texts).split())

    def values(self, tag, key):
        return [value for *place, value in self.attributes if place == [tag, key]]


def made(text="x", *, title=None, raised=True, name="raises"):
    """A diagnosis with the same text wherever a student's words can come in."""
    lines = (
        Property(text, False, text, text, text, text),
        Property(text, None),
        Property(text, True, note=text),
    )
    told = Raised(text, text, text, text, 3, text) if raised else None
    findings = (Finding(name, text, text), Finding("wrong-forward", text, text))
    pictures = ((text, Figure(text, SVG)), (text, Figure(text)))
    return Diagnosis(Verdict(lines, findings, told), {}, pictures, title or text)


def wrong(*properties):
    verdict = Verdict(properties, (Finding("wrong-factor", "x"),))
    return Reader(as_html(Diagnosis(verdict, title="5.1 Square")))


def is_safe(html):
    page = Reader(html)
    assert set(page.tags) <= set(TAGS)
    allowed = {"style", "scope", "class", "alt", "src"}
    assert {key for _, key, _ in page.attributes} <= allowed
    for source in page.values("img", "src"):
        assert re.fullmatch(r"data:image/(svg\+xml|png);base64,[A-Za-z0-9+/=]+", source)
    assert not [style for _, key, style in page.attributes if key == "style" and "url(" in style]
    assert html.encode()
    return page


def structure(page):
    # Backticks in words may make code of them; that is the one tag that words can make.
    return [tag for tag in page.tags if tag != "code"]


@pytest.mark.parametrize("text", NASTY)
def test_no_tag_of_a_student_is_a_tag_of_the_page(text):
    assert structure(is_safe(as_html(made(text)))) == structure(is_safe(as_html(made("x"))))


@given(st.text(min_size=1), st.sampled_from(NASTY), st.sampled_from(list(MISTAKES)), st.booleans())
@settings(max_examples=150, deadline=None)
def test_nothing_that_a_student_can_write_breaks_out(text, nasty, name, raised):
    said = f"§{text}{nasty}{text}"  # never empty, which would leave parts out
    harmless = as_html(made("x", title="t", raised=raised, name=name))
    page = is_safe(as_html(made(said, title="t", raised=raised, name=name)))
    assert structure(page) == structure(Reader(harmless))


def test_what_a_student_wrote_is_shown_as_it_was_written():
    nasty = '<script>alert("1")</script> & <b>'
    assert nasty in Reader(as_html(made(nasty))).text
    assert "<script" not in as_html(made(nasty))


def test_there_is_no_script_no_style_block_and_no_address():
    html = as_html(made())
    for word in ("<script", "<style", "http", "onclick", "javascript"):
        assert word not in html


def test_text_has_the_colour_of_the_page_around_it():
    html = as_html(made())
    colours = re.findall(r"[; \"]color: ([^;\"]+)", html)
    # The only ones are in the card of a picture, whose background is fixed as well.
    ink, paper = PICTURE["ink"], PICTURE["paper"]
    assert colours == [ink]
    assert html.count(f"background: {paper}; color: {ink}") == 1


def test_lines_have_colours_that_show_on_any_page():
    html = as_html(made())
    lines = re.findall(r"border[a-z-]*: \w+ solid ([^;\"]+)", html)
    assert set(lines) == {EITHER["wrong"], EITHER["rule"]}
    assert "var(" not in html


def test_the_table_has_headers_for_its_columns_and_rows():
    page = wrong(
        Property("forward", True),
        Property("gradient of x", False, "[0, 1]", "1.5", "3"),
        Property("second order", None),
    )
    assert page.values("th", "scope") == ["col"] * 5 + ["row"] * 3
    for words in ("✓ right", "✗ wrong", "– not looked at", "[0, 1]", "1.5", "gradient of x"):
        assert words in page.texts


def test_columns_that_nothing_stands_in_are_left_out():
    page = wrong(Property("forward", True), Property("gradient of x", False, note="it is late"))
    assert page.values("th", "scope") == ["col"] * 2 + ["row"] * 2
    assert "it is late" in page.texts
    assert "Expected" not in page.texts


def test_html_and_text_say_the_same():
    for name in MISTAKES:
        diagnosis = Diagnosis(
            Verdict((Property("forward", False, "[1]", "2", "4"),), (Finding(name, "W", "Seen."),)),
            title="7.1 Tanh",
        )
        page, text = Reader(as_html(diagnosis)), as_text(diagnosis)
        for paragraph in text.split("\n\n")[1:]:
            for line in paragraph.splitlines():
                words = line.replace("`", "").split(": ", 1)[-1]
                assert words in page.text, name


def test_all_right_and_not_started_are_said_in_words():
    fine = Reader(as_html(Diagnosis(Verdict((Property("forward", True),)), title="5.1 Square")))
    assert fine.text == "✓ 5.1 Square ResultLooked at ✓ rightforward Nothing wrong was found."
    stub = Reader(as_html(Diagnosis(Verdict((), (Finding("not-started"),)), title="5.1 Square")))
    assert stub.text.startswith("– 5.1 Square: not started")
    assert "table" not in stub.tags


def test_a_picture_is_there_in_words_for_those_who_cannot_see_it():
    words = 'yours: 2 functions\n  1  "MulBackward0" → 2 & more\n\nyours lacks: nothing.'
    verdict = Verdict((), (Finding("second-order-lost"),))
    pictures = (("Two graphs:", Figure(words, SVG)),)
    page = Reader(as_html(Diagnosis(verdict, {}, pictures)))
    assert page.values("img", "alt") == [words]
    assert words in page.texts  # below the picture, folded
    assert "details" in page.tags
    (source,) = page.values("img", "src")
    assert base64.b64decode(source.removeprefix("data:image/svg+xml;base64,")).decode() == SVG


def test_a_picture_without_svg_is_words_alone():
    verdict = Verdict((), (Finding("second-order-lost"),))
    page = Reader(as_html(Diagnosis(verdict, {}, (("A graph:", Figure("words")),))))
    assert page.values("img", "src") == []
    assert "words" in page.texts


def test_what_stands_between_dollars_is_not_typeset():
    html = as_html(made("$x$"))
    assert re.match(r'<div class="tex2jax_ignore mathjax_ignore"', html)


def test_code_in_the_advice_is_shown_as_code():
    page = wrong()
    html = as_html(Diagnosis(Verdict((), (Finding("grad-output-ignored", "x"),))))
    assert "<code>2 * x * grad_y</code>" in html
    assert "`" not in html
    assert page.tags.count("table") == 0


def test_further_mistakes_remarks_and_what_was_examined_stand_in_the_page():
    from tests.whygrad.test_report import MANY

    diagnosis = Diagnosis(MANY, title="Square")
    page, text = Reader(as_html(diagnosis)), as_text(diagnosis)
    for paragraph in text.split("\n\n")[1:]:
        for line in paragraph.splitlines():
            words = line.replace("`", "").split(": ", 1)[-1]
            assert re.sub(r"^\(\d\) ", "", words) in page.text, line
    assert "– remark" in page.text
    assert page.text.index("Also wrong:") < page.text.index("Remarks, which are no errors:")
    assert page.text.endswith("empty (no rows).")
