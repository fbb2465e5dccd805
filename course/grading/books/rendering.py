"""Write pages that need nothing but themselves, no network and no script: templates, Markdown."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from course.grading.books.gradebook import number
from course.notebooks.formulas import formula
from whygrad.look import css
from whygrad.report_html import lines_as_html

# A mark that needs no colour, a colour, and words.
STATUSES_SHOWN = {
    "passed": ("✓", "good", "passed"),
    "partly": ("½", "open", "right in parts"),
    "failed": ("✗", "bad", "not right yet"),
    "not-started": ("–", "soft", "not started"),
    "error": ("✗", "bad", "the code raised an error"),
    "timeout": ("✗", "bad", "the code took too long"),
    "died": ("✗", "bad", "the code ended Python"),
    "missing": ("–", "soft", "not handed in"),
    "not-gradable": ("?", "open", "a person will look at it"),
    "grader-error": ("?", "open", "not graded yet: the grader failed, not you"),
}
_ANSI = re.compile(r"\x1b\[[0-9;]*m")  # colours of a terminal
_PYTHON, _COLOURS = PythonLexer(stripnl=False), HtmlFormatter(nowrap=True)
_ELSEWHERE = ("https://", "http://")
_KEPT = "\t\n\r\u200c\u200d"  # names and signs of many scripts need the joiners


def render(template: str, **values: object) -> str:
    """Return a page; what its template shows without a filter goes through `line`."""
    return _PAGES.get_template(template).render(values)


def line(words: object, most: int = 300) -> Markup:
    """Return words as HTML, on one line, with all characters to be seen, cut to a length."""
    text = " ".join(_visible(_ANSI.sub("", str(words)[: 4 * most])).split())
    return escape(text if len(text) <= most else text[: most - 2].rstrip() + " …")


def prose(sentences: str, most: int = 1500) -> Markup:
    """Return sentences as HTML; what stands between backticks becomes code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(line(sentences, most))))


def program(source: str, most: int = 40_000, is_python: bool = True) -> Markup:
    """Return a program as HTML, each line as it is, with its words in colours if it is Python."""
    text = _visible(source[:most].replace("\r\n", "\n"))
    if len(source) > most:
        text += f"\n… cut here: {len(source) - most} more characters"
    return Markup(highlight(text, _PYTHON, _COLOURS).rstrip("\n")) if is_python else escape(text)


def _visible(text: str) -> str:
    return "".join(letter if _is_visible(letter) else "\ufffd" for letter in text)


def _is_visible(letter: str) -> bool:
    return letter.isprintable() or letter in _KEPT or unicodedata.category(letter) == "Zs"


def moment(time: str) -> str:
    """Return a time such as "2026-11-20T23:59:00" as people write it, to the minute.

    >>> moment("2026-11-20T23:59:00")
    '2026-11-20 23:59'
    """
    return time[:16].replace("T", " ")


@lru_cache(maxsize=256)
def statement(markdown: str) -> Markup:
    """Return Markdown as HTML that needs nothing but itself.

    HTML in it is shown, not used. A link within the course, which leads nowhere from a page that
    stands alone, becomes its words, and a picture what it shows, in words.
    """
    return Markup(_MARKDOWN.render(markdown))


def _link(reader: Any, tokens: Sequence[Token], index: int, *how: Any) -> str:
    if not str(tokens[index].attrs["href"]).startswith(_ELSEWHERE):
        tokens[index].attrs = {}
    return reader.renderToken(tokens, index, *how)


def _picture(_: Any, tokens: Sequence[Token], index: int, *__: Any) -> str:
    return f"<em>Picture: {escape(tokens[index].content) or 'without words'}</em>"


_PAGES = Environment(
    loader=PackageLoader("course.grading.books"),
    autoescape=True,
    finalize=lambda value: value if isinstance(value, Markup) else line(value),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES.filters |= {one.__name__: one for one in (line, prose, program, number, moment)}
_PAGES.filters["line_by_line"] = lambda table: Markup(lines_as_html(table))
_PAGES.globals |= {"statuses": STATUSES_SHOWN, "look": css(":root")}
_MARKDOWN = MarkdownIt("js-default", {"html": False}).use(
    dollarmath_plugin,
    allow_labels=False,
    double_inline=True,
    renderer=lambda tex, how: str(formula(tex, how["display_mode"])),
)
_MARKDOWN.add_render_rule("link_open", _link)
_MARKDOWN.add_render_rule("image", _picture)
