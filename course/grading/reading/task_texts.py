"""Read what the tasks of an exercise ask for, so that a page can say it without the notebook."""

import re
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt

from course.notebooks.roles import ANSWER, role
from course.notebooks.student_notebook import UnreadableNotebookError, read_cells, source_of

_TASK = re.compile(r"(\d+\.\d+)\b")
_FENCE = re.compile(r"`{3,}")


def task_texts(root: Path, exercise: str) -> dict[str, str]:
    """Return what each task of an exercise asks for, as Markdown: its text, and the code it gives.

    The text is what students get, from `exercises/`, where nothing is solved. Checks are left out.

    Args:
        root: the course's folder.
        exercise: such as "05_square".

    Returns:
        By task, such as "5.1"; empty where the course has no such exercise any more.
    """
    try:
        cells = read_cells(root / "exercises" / f"{exercise}.ipynb")
    except UnreadableNotebookError:
        return {}
    texts: dict[str, list[str]] = {}
    task = ""
    for cell in cells:
        if cell["cell_type"] == "markdown":
            for heading, text in _sections(source_of(cell)):
                if heading is not None:
                    found = _TASK.match(heading)
                    task = found[1] if found else ""
                texts.setdefault(task, []).append(text)
        elif cell["cell_type"] == "code":
            texts.setdefault(task, []).append(_code(cell["id"], source_of(cell)))
    return {
        name: "\n\n".join(filter(None, parts))
        for name, parts in texts.items()
        if name and any(parts)
    }


def _sections(source: str) -> list[tuple[str | None, str]]:
    """Return the headings of tasks, and others as high, each with what follows; None: no heading.

    Lines of code that begin as headings do are none.
    """
    lines = source.splitlines()
    tokens = MarkdownIt().parse(source)
    starts: list[tuple[int, int, str | None]] = [(0, 0, None)]
    for token, inside in pairwise(tokens):
        if token.type == "heading_open" and token.tag in ("h1", "h2") and token.map:
            starts.append((token.map[0], token.map[1], inside.content))
    ends = [first for first, _, _ in starts[1:]] + [len(lines)]
    return [
        (heading, "\n".join(lines[after:end]).strip("\n"))
        for (_, after, heading), end in zip(starts, ends, strict=True)
    ]


def _code(cell_id: str, source: str) -> str:
    found = role(cell_id)
    if not source.strip() or (found and found.kind != ANSWER):
        return ""
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in _FENCE.findall(source))])
    code = f"{fence}python\n{source}\n{fence}"
    return f"*To be changed:*\n\n{code}" if found else code
