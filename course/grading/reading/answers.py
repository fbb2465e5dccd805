"""Read a student's answers from a notebook that may be anything, and nothing else of it."""

from collections import defaultdict
from collections.abc import Container
from dataclasses import dataclass

from course.grading.reading.cells import (
    NotGradableError,
    StudentCell,
    bound_names,
    checked_tasks,
    code_lines,
    plain,
    student_cells,
)
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
    found = _places(cells, sheet)
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


def _places(cells: list[StudentCell], sheet: Sheet) -> list[str]:
    """Return for each cell which one of the instructor's it is, or an empty string."""
    found = _by_name(cells, {cell.id for cell in sheet.cells})
    return found if sheet.stubs.keys() & {*found} else _by_text(cells, sheet)


def _by_name(cells: list[StudentCell], known: Container[str]) -> list[str]:
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


def _by_text(cells: list[StudentCell], sheet: Sheet) -> list[str]:
    """Return for each cell which one of the instructor's it is, or an empty string.

    A check is known by its call, what is given by its text, an answer by what it defines, above its
    check if there is such a cell. Where an answer stands in several cells, all are its.
    """
    found = [""] * len(cells)
    checks = {cell.task: cell.id for cell in sheet.cells if cell.kind == "check"}
    given = {plain(cell.source): cell.id for cell in sheet.cells if cell.kind == "given"}
    bound = [bound_names(cell.source) if cell.is_code else set() for cell in cells]
    section, above = "", [""] * len(cells)
    for place, cell in reversed([*enumerate(cells)]):
        source = cell.source if cell.is_code else ""
        tasks = [task for task in checked_tasks(source) if task in checks]
        section = above[place] = tasks[-1] if tasks else section
        is_check = tasks and not bound[place]
        found[place] = checks[section] if is_check else given.get(plain(source), "")
    for answer in [cell for cell in sheet.cells if cell.kind == "answer"]:
        names = sheet.defined[answer.id]
        fitting = [at for at, _ in enumerate(cells) if not found[at] and bound[at] & names]
        near = [at for at in fitting if above[at] == answer.task]
        for place in near or fitting:
            found[place] = answer.id
    return found


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
