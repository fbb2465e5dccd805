"""Let Graphviz's `dot` lay out a DOT document as SVG."""

import re
import subprocess

from helpers.dot_program import HOW_TO_GET_DOT
from helpers.figure import describe_svg

_SECONDS = 60
_WIDEST = 600  # points; a notebook's column


def to_svg(dot: str, title: str, description: str) -> tuple[str | None, str]:
    """Lay out a DOT document.

    Args:
        dot: the document.
        title, description: what the picture is and what it shows, for those who cannot see it.

    Returns:
        The SVG and "", or None and a sentence that says why there is no picture.
    """
    try:
        done = subprocess.run(
            ["dot", "-Tsvg"], input=dot, capture_output=True, encoding="utf-8", timeout=_SECONDS
        )
    except OSError:
        return None, f"No picture: {HOW_TO_GET_DOT}"
    except subprocess.TimeoutExpired:
        return None, f"No picture: the layout took more than {_SECONDS} s; draw a smaller part."
    if done.returncode != 0:
        reason = " ".join(done.stderr.split()) or f"exit status {done.returncode}"
        return None, f"No picture: Graphviz's dot failed ({reason})."
    svg = re.sub(r"<!--.*?-->\n?", "", done.stdout, flags=re.DOTALL)  # names Graphviz's version
    return describe_svg(_fit(svg), title, description), ""


def _fit(svg: str) -> str:
    """Show a wide picture at the width of a column; its viewBox keeps all of it visible."""
    size = re.search(r'<svg width="([\d.]+)pt" height="([\d.]+)pt"', svg)
    if not size or float(size[1]) <= _WIDEST:
        return svg
    height = float(size[2]) * _WIDEST / float(size[1])
    return svg.replace(size[0], f'<svg width="{_WIDEST}pt" height="{height:.0f}pt"', 1)
