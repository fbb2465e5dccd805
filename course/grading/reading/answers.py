"""Read a student's answers, and nothing else of the notebook."""

from course.grading.reading.sheet_data import Answers, Sheet, SheetCell
from course.grading.reading.student_cells import (
    NotGradableError,
    StudentCell,
    places,
    student_cells,
)


def read_answers(content: bytes, sheet: Sheet) -> Answers:
    """Return a student's answers, and nothing else that could have an effect.

    Raises:
        NotGradableError: the file is no notebook, or that of another exercise.
    """
    placed = _placed(student_cells(content), sheet)
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


def _placed(cells: list[StudentCell], sheet: Sheet) -> dict[str, list[StudentCell]]:
    placed: dict[str, list[StudentCell]] = {cell.id: [] for cell in sheet.cells}
    found = places(cells, placed.keys())
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


def _changed(given: SheetCell, cells: list[StudentCell]) -> list[str]:
    if given.kind != "given":
        return []
    sources = [cell.source for cell in cells if cell.is_code]
    return [source for source in sources if source.split() != given.source.split()]


def _printable(source: str) -> str:
    return source.encode(errors="replace").decode()
