"""Read what the tasks of an exercise ask for, so that a page can say it without the notebook."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from course.notebooks.roles import ANSWER, role
from course.notebooks.student_notebook import read_cells, source_of

_TASK = re.compile(r"\d+\.\d+\b")


def task_texts(root: Path, exercise: str) -> dict[str, str]:
    """Return what each task of an exercise asks for, as Markdown: its text, and the code it gives.

    The text is what students get, from `exercises/`, where nothing is solved. Checks are left out.

    Args:
        root: the course's folder.
        exercise: such as "05_square".

    Returns:
        By task, such as "5.1".

    Raises:
        UnreadableNotebookError: the notebook is missing or damaged.
    """
    cells = read_cells(root / "exercises" / f"{exercise}.ipynb")
    text = "\n\n".join(filter(None, map(_markdown, cells)))
    lines = text.split("\n")
    tokens = MarkdownIt().parse(text)
    # Lines of code that begin as headings do are none.
    headings = [
        (*token.map, inside.content)
        for token, inside in pairwise(tokens)
        if token.type == "heading_open" and token.tag in ("h1", "h2") and token.map
    ]
    ends = [first for first, _, _ in headings[1:]] + [len(lines)]
    return {
        task[0]: said
        for (_, after, heading), end in zip(headings, ends, strict=True)
        if (task := _TASK.match(heading)) and (said := "\n".join(lines[after:end]).strip("\n"))
    }


def _markdown(cell: dict[str, Any]) -> str:
    source, found = source_of(cell), role(cell["id"])
    if cell["cell_type"] != "code":
        return source.strip("\n") if cell["cell_type"] == "markdown" else ""
    if not source.strip() or (found and found.kind != ANSWER):
        return ""
    code = f"~~~~python\n{source}\n~~~~"  # which is in no code
    return f"*To be changed:*\n\n{code}" if found else code
