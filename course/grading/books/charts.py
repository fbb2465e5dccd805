"""Draw counts as bars inside of the table that says the same in numbers."""

from collections.abc import Sequence

CHART_STYLE = """\
figure { margin: 1rem 0; }
figcaption { font-weight: 600; margin-bottom: .25rem; }
.bar { display: block; height: 1rem; margin-top: .25rem; width: 100%; }
td.plot { min-width: 9rem; padding-right: 1rem; width: 40%; }
figure table { width: 100%; }
figure th[scope=row] { font-weight: 400; min-width: 10rem; }
figure th code { white-space: nowrap; }
.full { fill: var(--full); } .part { fill: url(#part); } .none { fill: url(#none); }
.key { display: inline-block; height: .8rem; margin-right: .3rem; vertical-align: -.05rem;
  width: 1.4rem; }
.keys { font-weight: 400; }
.keys span { margin-right: 1.25rem; white-space: nowrap; }
"""
# What a colour says is said by a pattern too.
PATTERNS = """\
<svg width="0" height="0" aria-hidden="true" focusable="false" style="position:absolute"><defs>
<pattern id="part" width="6" height="6" patternUnits="userSpaceOnUse"
 patternTransform="rotate(45)"><rect width="6" height="6" style="fill:var(--page)"/>
<rect width="3" height="6" style="fill:var(--part)"/></pattern>
<pattern id="none" width="5" height="5" patternUnits="userSpaceOnUse">
<rect width="5" height="5" style="fill:var(--page)"/>
<circle cx="2.5" cy="2.5" r="1.6" style="fill:var(--none)"/></pattern>
</defs></svg>"""


def bar(parts: Sequence[tuple[int, str]], most: int) -> str:
    """Return a bar of parts, one after the other; the table beside it holds the numbers.

    Args:
        parts: each with its length and its class.
        most: the length of a bar that fills its cell.
    """
    rects, start = [], 0.0
    for size, kind in parts:
        width = 100 * size / max(most, 1)
        if size:
            rects.append(
                f'<rect class="{kind}" x="{start:.4g}%" width="{width:.4g}%" height="100%"/>'
            )
        start += width
    return f'<svg class="bar" aria-hidden="true" focusable="false">{"".join(rects)}</svg>'


def key(kind: str, words: str) -> str:
    """Return the entry of a legend."""
    shown = f'<rect class="{kind}" width="100%" height="100%"/>'
    return (
        f'<span><svg class="key" aria-hidden="true" focusable="false">{shown}</svg>{words}</span>'
    )


def figure(caption: str, heads: Sequence[tuple[str, str]], rows: Sequence[Sequence[str]]) -> str:
    """Return a figure whose text form is the table that it is drawn in.

    Args:
        caption: as HTML.
        heads: of the columns, each with its class.
        rows: of cells, as HTML; the first of each names its row.
    """
    top = "".join(f'<th scope="col"{_of(kind)}>{title}</th>' for title, kind in heads)
    body = "\n".join(_row(row, [kind for _, kind in heads]) for row in rows)
    return (
        f'<figure>\n<figcaption>{caption}</figcaption>\n<div class="scroll">\n<table>\n'
        f"<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>\n</figure>"
    )


def _row(row: Sequence[str], kinds: Sequence[str]) -> str:
    first, *rest = row
    cells = "".join(f"<td{_of(k)}>{c}</td>" for c, k in zip(rest, kinds[1:], strict=True))
    return f'<tr><th scope="row"{_of(kinds[0])}>{first}</th>{cells}</tr>'


def _of(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
