"""Find the instructor's cells in a student's notebook: by their names, or else by their text."""

import re

from course.grading.reading.sheet import Sheet, SheetCell, SheetError, arguments
from course.grading.reading.student_cells import StudentCell, places_by_name

_CHECK = re.compile(r"^check\([ \t]*[\"'](\d{1,6}\.\d{1,6})[\"']", re.MULTILINE)
_BOUND = re.compile(
    r"^(?:class|def)[ \t]+(\w+)|^(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*(?::[^=\n]*)?=(?!=)", re.MULTILINE
)
_HEADING = re.compile(r"^#{1,6}[ \t]+(\d{1,6}\.\d{1,6})(?![\d.])", re.MULTILINE)


def places(cells: list[StudentCell], sheet: Sheet) -> list[str]:
    """Return for each cell which one of the instructor's it is, or an empty string."""
    found = places_by_name(cells, {cell.id for cell in sheet.cells})
    answers = {cell.id for cell in sheet.cells if cell.kind == "answer"}
    return found if answers & {*found} else places_by_text(cells, sheet)


def checked_tasks(source: str) -> list[str]:
    """Return the tasks that a cell checks, such as "5.1"."""
    return _CHECK.findall(source)


def headed_tasks(text: str) -> list[str]:
    """Return the tasks that headings of a text name."""
    return _HEADING.findall(text)


def bound_names(source: str) -> set[str]:
    """Return what code defines at its left margin."""
    found = _BOUND.findall(source)
    return {name for pair in found for names in pair for name in re.findall(r"\w+", names)}


def plain(source: str) -> str:
    """Return code without blank lines and spaces at the ends of lines: what compares."""
    return "\n".join(line.rstrip() for line in source.splitlines() if line.strip())


def answer_names(sheet: Sheet) -> dict[str, set[str]]:
    """Return what each answer defines, by its id: what its stub does, or else what is checked."""
    checks = {cell.task: cell for cell in sheet.cells if cell.kind == "check"}
    answers = [cell for cell in sheet.cells if cell.kind == "answer"]
    return {cell.id: bound_names(cell.source) or _handed(checks[cell.task]) for cell in answers}


def _handed(check: SheetCell) -> set[str]:
    try:
        return set(re.findall(r"[A-Za-z_]\w*", arguments(check)))
    except SheetError:
        return set()


def says_exercise(cells: list[StudentCell], sheet: Sheet) -> bool:
    """Tell whether cells are of an exercise, by what they say: a check of it, or its headings."""
    if any(set(checked_tasks(cell.source)) & {*sheet.tasks} for cell in cells if cell.is_code):
        return True
    headed = any(set(headed_tasks(cell.source)) & {*sheet.tasks} for cell in cells)
    names = set().union(*answer_names(sheet).values())
    return headed and any(bound_names(cell.source) & names for cell in cells if cell.is_code)


def places_by_text(cells: list[StudentCell], sheet: Sheet) -> list[str]:
    """Return for each cell which one of the instructor's it is, or an empty string.

    A check is known by its call, what is given by its text, an answer by what it defines, above its
    check if there is such a cell. Where an answer stands in several cells, all are its.
    """
    found = [""] * len(cells)
    if not says_exercise(cells, sheet):
        return found
    checks = {cell.task: cell.id for cell in sheet.cells if cell.kind == "check"}
    given = {plain(cell.source): cell.id for cell in sheet.cells if cell.kind == "given"}
    bound = [bound_names(cell.source) if cell.is_code else set() for cell in cells]
    section, above = "", [""] * len(cells)
    for place in reversed(range(len(cells))):
        source = cells[place].source if cells[place].is_code else ""
        tasks = [task for task in checked_tasks(source) if task in checks]
        section = tasks[-1] if tasks else section
        above[place] = section
        found[place] = checks[tasks[-1]] if tasks and not bound[place] else ""
        found[place] = found[place] or given.get(plain(source), "")
    names = answer_names(sheet)
    for answer in [cell for cell in sheet.cells if cell.kind == "answer"]:
        free = [place for place, names_ in enumerate(bound) if names_ and not found[place]]
        near = [place for place in free if above[place] == answer.task]
        for places in (near, free):
            if fitting := [place for place in places if bound[place] & names[answer.id]]:
                for place in fitting:
                    found[place] = answer.id
                break
    return found
