"""Compare a committed notebook with what its lesson builds, and show the difference."""

import difflib
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course.building.outputs import is_measured

SANITIZE = Path(__file__).parents[1] / "notebooks" / "nbval_sanitize.cfg"


def as_text(notebook: NotebookNode) -> str:
    """Return the notebook as its file holds it: sorted keys, indent 1, a newline at the end."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=4) + "\n"


def difference(committed: str, built: NotebookNode, file: str, lesson: str) -> str:
    """Show what differs between a committed notebook and the one just built.

    Pictures are held to their text form, and measured outputs are left out.

    Args:
        committed: what the notebook's file holds.
        built: what its lesson builds.
        file, lesson: how messages name the two.

    Returns:
        A unified diff of each cell that differs, or an empty string.
    """
    try:
        stored = nbformat.reads(committed, as_version=4)
        canonical = nbformat.writes(stored, version=4) + "\n"
    except Exception as error:  # nbformat raises many kinds for a file that is no notebook
        return f"{file} is not a notebook: {error}"
    measured = {cell.id for cell in built.cells if is_measured(cell)}
    left, right = (dict(_cells(notebook, measured)) for notebook in (stored, built))
    parts = [
        _diff(left.get(name, []), right.get(name, []), f"{file}, {name}", f"built from {lesson}")
        for name in dict.fromkeys([*right, *left])
    ]
    parts = [part for part in parts if part]
    if not parts and list(left) != list(right):
        parts = [_diff(list(left), list(right), f"{file}, order of cells", f"built from {lesson}")]
    if not parts and canonical != committed:
        parts = [f"{file} holds the right cells but is not laid out as `course build` does"]
    return "\n\n".join(parts)


def _diff(left: list[str], right: list[str], from_name: str, to_name: str) -> str:
    return "\n".join(difflib.unified_diff(left, right, from_name, to_name, n=2, lineterm=""))


def _cells(notebook: NotebookNode, measured: set[str]) -> Iterator[tuple[str, list[str]]]:
    about = {key: notebook[key] for key in ("metadata", "nbformat", "nbformat_minor")}
    yield "the notebook itself", _json_lines(about)
    seen: dict[str, int] = {}
    for cell in notebook.cells:
        name = cell.get("id", "without an id")
        seen[name] = seen.get(name, 0) + 1
        again = f" ({seen[name]})" if seen[name] > 1 else ""
        yield f"cell {name}{again}", list(_lines(cell, name in measured))


def _lines(cell: NotebookNode, measured: bool) -> Iterator[str]:
    yield f"{cell.cell_type} cell"
    if cell.metadata:
        yield from _json_lines({"metadata": cell.metadata})
    yield from cell.source.splitlines()
    if cell.cell_type != "code":
        return
    yield f"execution count {cell.execution_count}"
    for output in [] if measured else cell.outputs:
        yield from _output_lines(output)


def _output_lines(output: NotebookNode) -> Iterator[str]:
    if output.output_type == "stream":
        yield f"output, {output.name}:"
        yield from _sanitized(output.text).splitlines()
    elif output.output_type == "error":
        yield f"output, error: {output.ename}: {output.evalue}"
        yield from output.traceback
    else:
        if output.metadata:
            yield from _json_lines({"output metadata": output.metadata})
        for mime, data in sorted(output.data.items()):
            yield f"output, {output.output_type}, {mime}:"
            yield from _data_lines(mime, data)


def _data_lines(mime: str, data: object) -> list[str]:
    if mime.startswith("image/"):
        return ["(a picture)"]
    return _sanitized(data).splitlines() if isinstance(data, str) else _json_lines(data)


def _json_lines(value: object) -> list[str]:
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False).splitlines()


def _sanitized(text: str) -> str:
    for pattern, replacement in _patterns():
        text = re.sub(pattern, replacement, text)
    return text


@cache
def _patterns() -> list[tuple[str, str]]:
    settings = SANITIZE.read_text(encoding="utf-8")
    return re.findall(r"^regex: (.*)\nreplace: (.*)$", settings, re.MULTILINE)
