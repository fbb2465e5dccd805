"""Read a student's answers from a notebook that may be anything, and nothing else of it."""

from collections import defaultdict
from dataclasses import dataclass

from course.grading.reading.cells import NotGradableError, StudentCell, code_lines, student_cells
from course.grading.reading.placing import places
from course.grading.reading.sheet import Sheet, SheetCell, words


@dataclass(frozen=True)
class Answers:
    """What a student wrote.

    Attributes:
        sources: by the id of the answer cell; those that are missing are left out.
        extra: what else may hold an answer, and is never run: the code of other cells, changed
            cells of the course's, and answer cells that are no code cells.
        notes: sentences for the student on what was unusual.
        beside: the tasks beside whose answers or checks the student wrote text.
    """

    sources: dict[str, str]
    extra: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


def read_answers(content: bytes, sheet: Sheet) -> Answers:
    """Return a student's answers, and nothing else that could have an effect.

    Raises:
        NotGradableError: the file is no notebook, or that of another exercise.
    """
    return answers_in(student_cells(content), sheet)


def answers_in(cells: list[StudentCell], sheet: Sheet) -> Answers:
    """Return what `read_answers` does, of a notebook that was taken apart already.

    Raises:
        NotGradableError: it is the notebook of another exercise.
    """
    found = places(cells, sheet)
    placed: dict[str, list[StudentCell]] = defaultdict(list)
    for name, cell in zip(found, cells, strict=True):
        placed[name].append(cell)
    if not any(placed[name] for name in sheet.stubs):
        raise NotGradableError(
            f"No cell has the id of an answer to {sheet.exercise}: it is another notebook, or "
            "a program took the ids away."
        )
    sources, notes, text = {}, [], []
    for name in sheet.stubs:
        code = [cell.source for cell in placed[name] if cell.is_code]
        text += [cell.source for cell in placed[name] if not cell.is_code]
        if code:
            sources[name] = "\n".join(code)
        notes += _notes(name, len(code), len(placed[name]))
    extra = [cell.source for cell in placed[""] if cell.is_code] + text
    for given in (cell for cell in sheet.cells if cell.kind != "answer"):
        changed = _changed(given, placed[given.id])
        if changed and given.kind == "given":
            notes.append(f"The cell {given.id} was changed: the course's own stands in its place.")
        extra += changed
    extra = [source for source in extra if source.strip()]
    return Answers(sources, tuple(extra), tuple(notes), _beside(cells, found, sheet))


def _beside(cells: list[StudentCell], found: list[str], sheet: Sheet) -> tuple[str, ...]:
    """Return the tasks next to whose cells stands text that is not the exercise's."""
    tasks = {cell.id: cell.task for cell in sheet.cells if cell.task}
    near: set[str] = set()
    last, waiting = "", False  # the task of the cell before, and whether own text has come since
    for name, cell in zip(found, cells, strict=True):
        if not name and _is_own_text(cell, sheet):
            near.add(last)
            waiting = True
        elif name or not cell.is_code:
            last = tasks.get(name, "")
            near |= {last} if waiting else set()
            waiting = False
    return tuple(task for task in sheet.tasks if task in near)


def _is_own_text(cell: StudentCell, sheet: Sheet) -> bool:
    text = "" if cell.is_code else words(cell.source)
    return bool(text) and sheet.prose.isdisjoint((cell.names[0], text))


def _notes(name: str, code: int, there: int) -> list[str]:
    if not there:
        return [f"The answer cell {name} is missing."]
    if not code:
        return [f"The answer cell {name} is not a code cell."]
    return [f"The answer cell {name} occurs {code} times: all were run, in order."] * (code > 1)


def _changed(own: SheetCell, cells: list[StudentCell]) -> list[str]:
    """Return the code of cells that have lines which the instructor's has not."""
    known = _lines(own.source)  # with the hidden check, which students have not got
    return [cell.source for cell in cells if cell.is_code and _lines(cell.source) - known]


def _lines(source: str) -> set[str]:
    return {line.strip() for line in code_lines(source)}
