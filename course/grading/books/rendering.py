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
_JOINERS = "\u200c\u200d"  # names and signs of many scripts need them


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
    lines = source[:most].replace("\r\n", "\n").split("\n")
    if len(source) > most:
        lines.append(f"… cut here: {len(source) - most} more characters")
    text = "\n".join(map(_visible, lines))
    return Markup(highlight(text, _PYTHON, _COLOURS).rstrip("\n")) if is_python else escape(text)


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(letter if _is_visible(letter) else "\ufffd" for letter in text)


def _is_visible(letter: str) -> bool:
    return (
        letter.isprintable()
        or letter in _JOINERS
        or (letter.isspace() and letter in "\t\n\r")
        or unicodedata.category(letter) == "Zs"
    )


def moment(time: str) -> str:
    """Return a time such as "2026-11-20T23:59:00" as people write it, to the minute.

    >>> moment("2026-11-20T23:59:00")
    '2026-11-20 23:59'
    """
    day, _, hour = time.partition("T")
    return f"{day} {hour[:5]}".rstrip()


@lru_cache(maxsize=256)
def statement(markdown: str) -> Markup:
    """Return Markdown as HTML that needs nothing but itself.

    HTML in it is shown, not used. A link within the course, which leads nowhere from a page that
    stands alone, becomes its words, and a picture what it shows, in words.
    """
    return Markup(_MARKDOWN.render(markdown))


def _formula(tex: str, how: dict[str, Any]) -> str:
    return str(formula(tex, how["display_mode"]))


def _words_of_links(state: Any) -> None:
    for token in state.tokens:
        if token.type == "inline":
            token.children = _without_links(token.children or [])


def _without_links(tokens: Sequence[Token]) -> list[Token]:
    kept, leads_out = [], True
    for token in tokens:
        if token.type == "link_open":
            leads_out = str(token.attrGet("href")).startswith(_ELSEWHERE)
        if leads_out or not token.type.startswith("link_"):
            kept.append(token)
    return kept


def _picture(_: Any, tokens: Sequence[Token], index: int, *__: Any) -> str:
    return f"<em>Picture: {escape(tokens[index].content) or 'without words'}</em>"


def _markdown() -> MarkdownIt:
    reader = MarkdownIt("js-default", {"html": False})
    reader.use(dollarmath_plugin, allow_labels=False, double_inline=True, renderer=_formula)
    reader.core.ruler.push("words_of_links", _words_of_links)
    reader.add_render_rule("image", _picture)
    return reader


def _shown(value: object) -> Markup:
    return value if isinstance(value, Markup) else line(value)


_PAGES = Environment(
    loader=PackageLoader("course.grading.books"),
    autoescape=True,
    finalize=_shown,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES.filters |= {"line": line, "prose": prose, "program": program}
_PAGES.filters |= {"number": number, "moment": moment}
_PAGES.globals |= {"statuses": STATUSES_SHOWN}
_PAGES.globals |= {"look": css(":root")}
_MARKDOWN = _markdown()
