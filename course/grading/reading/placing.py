"""Find the instructor's cells in a student's notebook: by their names, or else by their text."""

from collections.abc import Container

from course.grading.reading.cells import (
    StudentCell,
    bound_names,
    checked_tasks,
    plain,
)
from course.grading.reading.sheet import Sheet


def places(cells: list[StudentCell], sheet: Sheet) -> list[str]:
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
