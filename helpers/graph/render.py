"""Let Graphviz's `dot` lay out a DOT document as SVG."""

import re
import subprocess
from html import escape

from helpers.dot_program import HOW_TO_GET_DOT

_SECONDS = 60


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
    return _accessible(done.stdout, title, description), ""


def _accessible(svg: str, title: str, description: str) -> str:
    svg = re.sub(r"<!--.*?-->\n?", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    words = f"<title>{escape(title)}</title>\n<desc>{escape(description)}</desc>"
    return re.sub(r"<svg([^>]*)>", rf'<svg role="img"\1>\n{_literal(words)}', svg, count=1)


def _literal(text: str) -> str:
    return text.replace("\\", r"\\")
