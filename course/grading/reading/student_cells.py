"""Take a notebook that may be anything apart into cells, and find those of certain names."""

import json
from collections.abc import Container
from dataclasses import dataclass
from typing import Any

# What Python makes of a file takes up to a hundred times its bytes where it is all brackets.
_MOST_PIECES = 2_000_000


class NotGradableError(ValueError):
    """A file that cannot be graded; the message is one sentence that says why."""


@dataclass(frozen=True)
class StudentCell:
    """What counts of a student's cell.

    Attributes:
        names: its id, the one nbgrader keeps in its metadata, and the one Colab keeps there; ""
            where there is none.
        is_code: whether it is a code cell.
        source: its text, with plain line ends.
    """

    names: tuple[str, ...]
    is_code: bool
    source: str


def student_cells(content: bytes) -> list[StudentCell]:
    """Return the cells of a notebook, in order.

    Raises:
        NotGradableError: it is no notebook of format 4.
    """
    notebook = _json(content)
    if not isinstance(notebook, dict):
        raise NotGradableError("The file is no notebook: open and save it in JupyterLab.")
    version = notebook.get("nbformat", 4)
    if isinstance(version, bool) or not isinstance(version, int | float):
        raise NotGradableError("The file does not say which notebook format it has.")
    if not version >= 4:
        raise NotGradableError(
            "The notebook has a format older than 4: open and save it in JupyterLab."
        )
    cells = notebook.get("cells")
    if not isinstance(cells, list) or not cells:
        raise NotGradableError("The notebook has no cells.")
    return [_cell(number, cell) for number, cell in enumerate(cells, 1)]


def _json(content: bytes) -> Any:
    if not content.strip():
        raise NotGradableError("The file is empty.")
    if sum(map(content.count, (b",", b"[", b"{"))) > _MOST_PIECES:
        raise NotGradableError("The file has too many parts for a notebook: clear all outputs.")
    try:
        return json.loads(content)
    except RecursionError:
        raise NotGradableError("The file is nested too deeply to be a notebook.") from None
    except MemoryError:
        raise NotGradableError("The file is too large to be read.") from None
    except ValueError:
        raise NotGradableError("The file is no notebook, or a damaged one.") from None


def _cell(number: int, cell: Any) -> StudentCell:
    if not isinstance(cell, dict) or not isinstance(cell.get("cell_type"), str):
        raise NotGradableError(f"Cell {number} of the notebook is damaged.")
    source = cell.get("source")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise NotGradableError(f"The text of cell {number} of the notebook is damaged.")
    metadata = _part(cell, "metadata")
    names = (cell.get("id"), _part(metadata, "nbgrader").get("grade_id"), metadata.get("id"))
    # As Python reads line ends, so that rules and messages see the lines that it runs.
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    return StudentCell(tuple(map(_words, names)), cell["cell_type"] == "code", source)


def _words(data: Any) -> str:
    return data if isinstance(data, str) else ""


def _part(data: dict[str, Any], key: str) -> dict[str, Any]:
    part = data.get(key)
    return part if isinstance(part, dict) else {}


def places_by_name(cells: list[StudentCell], known: Container[str]) -> list[str]:
    """Return for each cell which one of these it is called, or an empty string.

    A name in the metadata counts only where no cell has it as its id, or for the pieces that
    JupyterLab leaves of a cell that is split: they stand beside it, with its metadata, and no
    other cell of the instructor's between.
    """
    found = [cell.names[0] if cell.names[0] in known else "" for cell in cells]
    named = [(place, name) for place, name in enumerate(found) if name]
    for place, name in named:
        for step in (-1, 1):
            near = place + step
            while 0 <= near < len(cells) and not found[near]:
                found[near] = name if cells[near].names[1] == name else ""
                near += step
    for rank in (1, 2):
        taken = set(found)
        for place, cell in enumerate(cells):
            name = cell.names[rank]
            if not found[place] and name in known and name not in taken:
                found[place] = name
    return found
