"""Write what a task asks for as HTML: Markdown, code, and formulas."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup, escape
from mdit_py_plugins.dollarmath import dollarmath_plugin

from course.notebooks.formulas import formula

_ELSEWHERE = ("https://", "http://")


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


_MARKDOWN = _markdown()
