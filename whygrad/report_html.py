"""Write a diagnosis as HTML that holds in JupyterLab and in a plain page, light and dark.

Text has the colour of the page around it. Only borders have colours of their own, from
JupyterLab's theme where there is one. Styles are inline and nothing is a script, since pages that
show other people's notebooks take out the rest.
"""

import base64
import re
from html import escape
from typing import Any

from whygrad.diagnosis import Diagnosis, Property
from whygrad.report_words import (
    NOTHING,
    SAID,
    Explained,
    clean,
    explained,
    heading,
    lines,
    opening,
    printable,
)

_EDGE = "var(--jp-border-color2, rgba(128,128,128,0.45))"
_MARKED = {
    "right": "var(--jp-success-color1, #388e3c)",
    "wrong": "var(--jp-error-color1, #d32f2f)",
    "open": "var(--jp-border-color1, rgba(128,128,128,0.7))",
}
# JupyterLab typesets what stands between dollar signs, except inside of these classes.
_PAGE = """\
<div class="tex2jax_ignore mathjax_ignore" style="border-left: 4px solid {colour}; \
padding: 2px 0 2px 12px; margin: 4px 0; max-width: 760px">
<p style="margin: 0 0 8px 0"><strong>{heading}</strong></p>
{parts}
</div>"""
_CELL = f"text-align: left; vertical-align: top; padding: 3px 12px 3px 0; \
border-bottom: 1px solid {_EDGE}"
_TEXT = "margin: 8px 0; line-height: 1.45"


def as_html(diagnosis: Diagnosis) -> str:
    """Write a diagnosis as one piece of HTML, with the pictures in it."""
    state = "right" if diagnosis.ok else "open" if diagnosis.name == "not-started" else "wrong"
    parts = [_table(diagnosis), *_explanations(explained(diagnosis.verdict))]
    parts += [_picture(caption, figure) for caption, figure in diagnosis.pictures]
    return _PAGE.format(
        colour=_MARKED[state],
        heading=escape(heading(diagnosis)),
        parts="\n".join(filter(None, parts)),
    )


def _table(diagnosis: Diagnosis) -> str:
    shown, more = lines(diagnosis.verdict)
    if not shown:
        return ""
    heads = {"where": "Where", "yours": "Yours", "expected": "Expected"}
    used = [key for key in heads if any(getattr(line, key) for line in shown)]
    titles = ["Result", "Looked at", *(heads[key] for key in used)]
    top = "".join(f'<th scope="col" style="{_CELL}">{title}</th>' for title in titles)
    rows = "\n".join(_row(line, used) for line in shown)
    left_out = f'\n<p style="{_TEXT}">… {more}</p>' if more else ""
    return (
        '<table style="border-collapse: collapse; margin: 0; font-size: inherit">\n'
        f"<thead><tr>{top}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>{left_out}"
    )


def _row(line: Property, used: list[str]) -> str:
    mark, said = SAID[line.ok]
    name = escape(line.name)
    if line.note:
        name += f'<br><small style="font-weight: normal">{escape(line.note)}</small>'
    style = f"{_CELL}; font-weight: {'bold' if line.ok is False else 'normal'}"
    cells = "".join(f'<td style="{_CELL}">{_number(key, getattr(line, key))}</td>' for key in used)
    return (
        f'<tr><td style="{style}; white-space: nowrap">{mark} {said}</td>'
        f'<th scope="row" style="{style}">{name}</th>{cells}</tr>'
    )


def _number(column: str, value: str) -> str:
    if not value or (column == "where" and not value.startswith("[")):
        return escape(value)
    return f"<code>{escape(value)}</code>"


def _explanations(fitting: list[Explained]) -> list[str]:
    if not fitting:
        return [f'<p style="{_TEXT}">{NOTHING}</p>']
    if len(fitting) == 1:
        return [_explanation(fitting[0])]
    items = "\n".join(f"<li>{_explanation(one)}</li>" for one in fitting)
    return [
        f'<p style="{_TEXT}"><strong>{opening(len(fitting))}</strong></p>',
        f'<ol style="margin: 0; padding-left: 24px">\n{items}\n</ol>',
    ]


def _explanation(one: Explained) -> str:
    more = {"Usual cause": one.cause, "What to do": one.look}
    rest = "".join(
        f'<p style="{_TEXT}"><em>{head}:</em> {_with_code(said)}</p>'
        for head, said in more.items()
        if said
    )
    return f'<p style="{_TEXT}"><strong>{_with_code(one.text)}</strong></p>{rest}'


def _with_code(text: str) -> str:
    """Escape text, and show what stands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _picture(caption: str, figure: Any) -> str:
    words = escape("\n".join(map(printable, figure.text.splitlines())))
    details = (
        f'<details style="{_TEXT}"><summary>The picture in words</summary>'
        f'<pre style="white-space: pre-wrap; font-size: 90%">{words}</pre></details>'
    )
    above = f'<p style="{_TEXT}">{escape(clean(caption))}</p>'
    source = _source(figure)
    if source is None:
        return f"{above}\n{details}"
    # Drawn for a white page: the card is white in a dark theme, too.
    return (
        f'{above}\n<div style="background: white; color: black; padding: 8px; '
        f'border: 1px solid {_EDGE}; overflow-x: auto">'
        f'<img alt="{words}" src="{source}" style="max-width: 100%; height: auto"></div>\n{details}'
    )


def _source(figure: Any) -> str | None:
    if figure.svg is not None:
        return (
            "data:image/svg+xml;base64,"
            + base64.b64encode(figure.svg.encode(errors="replace")).decode()
        )
    if figure.png is not None:
        return "data:image/png;base64," + base64.b64encode(figure.png).decode()
    return None
