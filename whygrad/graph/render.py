"""Let Graphviz's `dot` lay out a DOT document as SVG."""

import hashlib
import re
import subprocess

from whygrad.dot_program import HOW_TO_GET_DOT
from whygrad.figure import describe_svg

_SECONDS = 60


def to_svg(dot: str, title: str, description: str) -> tuple[str | None, str]:
    """Lay out a DOT document.

    Args:
        dot: the document.
        title, description: what the picture is and what it shows, for those who cannot see it.

    Returns:
        The SVG and "", or None and a sentence that says why there is no picture. The SVG's
        attribute `data-dot` is a digest of the document.
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
    # Two pictures with one digest differ in nothing but the layout that a Graphviz gave them.
    digest = hashlib.sha256(dot.encode()).hexdigest()[:16]
    svg = svg.replace("<svg ", f'<svg data-dot="{digest}" ', 1)
    return describe_svg(svg, title, description), ""
