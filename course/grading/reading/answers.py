"""Read a student's answers from a notebook that may be anything, and nothing else of it."""

import json
from collections.abc import Container
from dataclasses import dataclass
from typing import Any

from course.grading.reading.sheet import Sheet, SheetCell

# What Python makes of a file takes up to a hundred times its bytes where it is all brackets.
_MOST_PIECES = 2_000_000
_MOST_CODE = 4 * 2**20  # characters of all code cells


class NotGradableError(ValueError):
    """A file that cannot be graded; the message is one sentence that says why."""


@dataclass(frozen=True)
class Answers:
    """What a student wrote.

    Attributes:
        sources: by the id of the answer cell; those that are missing are left out.
        extra: the code of other cells, which is never run.
        notes: sentences for the student on what was unusual.
    """

    sources: dict[str, str]
    extra: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _StudentCell:
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


def read_answers(content: bytes, sheet: Sheet) -> Answers:
    """Return a student's answers, and nothing else that could have an effect.

    Raises:
        NotGradableError: the file is no notebook, or that of another exercise.
    """
    cells = _student_cells(content)
    if sum(len(cell.source) for cell in cells if cell.is_code) > _MOST_CODE:
        raise NotGradableError("The notebook has more code than can be read.")
    placed = _placed(cells, sheet)
    answers = [cell for cell in sheet.cells if cell.kind == "answer"]
    if not any(placed[answer.id] for answer in answers):
        raise NotGradableError(
            f"No cell has the id of an answer to {sheet.exercise}: it is another notebook, or "
            "a program took the ids away."
        )
    sources, notes = {}, []
    for answer in answers:
        code = [cell.source for cell in placed[answer.id] if cell.is_code]
        notes += _notes(answer.id, len(code), len(placed[answer.id]))
        if code:
            sources[answer.id] = _printable("\n".join(code))
            if sources[answer.id] != "\n".join(code):
                notes.append(f"The cell {answer.id} holds damaged characters: ? stands for them.")
    extra = [cell.source for cell in placed[""] if cell.is_code and cell.source.strip()]
    for given in sheet.cells:
        if changed := _changed(given, placed[given.id]):
            notes.append(f"The cell {given.id} was changed: the course's own stands in its place.")
            extra += changed
    return Answers(sources, tuple(map(_printable, extra)), tuple(notes))


def _placed(cells: list[_StudentCell], sheet: Sheet) -> dict[str, list[_StudentCell]]:
    placed: dict[str, list[_StudentCell]] = {cell.id: [] for cell in sheet.cells}
    found = _places(cells, placed.keys())
    placed[""] = []
    for name, cell in zip(found, cells, strict=True):
        placed[name].append(cell)
    return placed


def _notes(name: str, code: int, there: int) -> list[str]:
    if not there:
        return [f"The answer cell {name} is missing: it counts as not started."]
    if not code:
        return [f"The answer cell {name} is not a code cell: it counts as not started."]
    return [f"The answer cell {name} occurs {code} times: all were run, in order."] * (code > 1)


def _changed(given: SheetCell, cells: list[_StudentCell]) -> list[str]:
    if given.kind != "given":
        return []
    sources = [cell.source for cell in cells if cell.is_code]
    return [source for source in sources if source.split() != given.source.split()]


def _printable(source: str) -> str:
    return source.encode(errors="replace").decode()


def _student_cells(content: bytes) -> list[_StudentCell]:
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


def _cell(number: int, cell: Any) -> _StudentCell:
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
    return _StudentCell(tuple(map(_words, names)), cell["cell_type"] == "code", source)


def _words(data: Any) -> str:
    return data if isinstance(data, str) else ""


def _part(data: dict[str, Any], key: str) -> dict[str, Any]:
    part = data.get(key)
    return part if isinstance(part, dict) else {}


def _places(cells: list[_StudentCell], known: Container[str]) -> list[str]:
    """Return for each cell which one of the instructor's it is, or an empty string.

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
