"""A picture and the words that say the same: what every drawing helper returns."""

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

_WIDEST = 600  # points; a notebook's column


@dataclass(frozen=True, repr=False)
class Figure:
    """A figure that a notebook shows as SVG, with its text form beside it.

    Attributes:
        text: what the picture shows, in words and numbers; the same on every machine.
        svg: the picture as an SVG document, or None.
    """

    text: str
    svg: str | None = None

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        if self.svg is not None:
            return {"text/plain": self.text, "image/svg+xml": self.svg}, {}
        return {"text/plain": self.text}, {}

    def __repr__(self) -> str:
        return self.text

    def save(self, path: str | Path) -> None:
        """Write the picture to `path`: the name ends in .svg or .txt.

        Raises:
            ValueError: this figure has no picture of that kind.
        """
        path = Path(path)
        kinds = {".svg": self.svg, ".txt": self.text}
        content = kinds.get(path.suffix)
        if content is None:
            have = ", ".join(suffix for suffix, data in kinds.items() if data is not None)
            raise ValueError(f"cannot save {path.name}: this figure can be saved as {have}")
        path.write_bytes(content.encode())


def describe_svg(svg: str, title: str, description: str) -> str:
    """Put a title and a description into an SVG document, for those who cannot see it.

    Set into a page, the picture is never wider than its column.
    """
    opening, rest = re.search(r"<svg([^>]*)>(.*)", _fit(svg), flags=re.DOTALL).groups()
    words = f"<title>{escape(title)}</title>\n<desc>{escape(description)}</desc>"
    return f'<svg role="img" style="max-width:100%;height:auto"{opening}>\n{words}{rest}'


def _fit(svg: str) -> str:
    """Show a wide picture at the width of a column; its viewBox keeps all of it visible."""
    size = re.search(r'(<svg[^>]* width=")([\d.]+)(pt" height=")([\d.]+)', svg)
    if not size or float(size[2]) <= _WIDEST:
        return svg
    height = float(size[4]) * _WIDEST / float(size[2])
    return svg.replace(size[0], f"{size[1]}{_WIDEST}{size[3]}{height:.0f}", 1)
