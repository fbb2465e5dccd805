"""The instructor's notebook and a student's answers, as plain data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SheetCell:
    """A code cell of the instructor's notebook.

    Attributes:
        id: of the cell.
        kind: "given", "answer" or "check".
        task: such as "5.1"; "" for what is given.
        source: for an answer the stub that students get, else the solution's.
    """

    id: str
    kind: str
    task: str
    source: str


@dataclass(frozen=True)
class Sheet:
    """The code cells of an exercise, and its tasks, in order."""

    exercise: str
    tasks: tuple[str, ...]
    cells: tuple[SheetCell, ...]


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
