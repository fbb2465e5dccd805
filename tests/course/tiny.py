"""A course of lessons that only print, for tests of the builder."""

from pathlib import Path

FRONT = "---\ntitle: Tiny\nquestion: Does it build?\nminutes: 5\n---\n"


def cell(name: str, code: str, *options: str) -> str:
    """Write a code cell as MyST Markdown."""
    lines = [f":id: {name}", *options, code]
    return "```{code-cell} ipython3\n" + "\n".join(lines) + "\n```\n"


def lesson(*parts: str) -> str:
    """Write a lesson: front matter (lines 1 to 5), a heading on line 7, then the parts."""
    return "\n".join([FRONT, "# 1. Tiny\n", *parts])


def write(root: Path, text: str, name: str = "01_tiny") -> Path:
    """Put a lesson into the course at `root`; return the path of the notebook it builds."""
    path = root / "lessons" / f"{name}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return root / "notebooks" / f"{name}.ipynb"


def line_of(text: str, code: str) -> int:
    """Return the number, from 1, of the only line of `text` that holds `code`."""
    (number,) = [n for n, line in enumerate(text.splitlines(), 1) if code in line]
    return number
