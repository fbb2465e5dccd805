"""The exercises that a notebook may be of, with what tells them apart and what solves them."""

import ast
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from course.grading.reading.answers import Answers
from course.grading.reading.placing import answer_names, bound_names, plain
from course.grading.reading.sheet import Sheet, SheetError, read_sheet
from course.notebooks.student_notebook import UnreadableNotebookError, read_cells, source_of
from helpers.checks.cell_code import TooMuchError, parse

_MARK = re.compile(r"^[ \t]*### (?:BEGIN|END) (?:SOLUTION|HIDDEN TESTS)[ \t]*$", re.MULTILINE)
_FEW = 3  # lines

NOTHING, TRIED, WRITTEN = range(3)  # how much of an answer there is


@dataclass(frozen=True, eq=False)
class KnownExercise:
    """An exercise of the course.

    Attributes:
        sheet: its cells.
        solved: the course's own answers, by the id of their cells.
        names: what its answers define.
    """

    sheet: Sheet
    solved: dict[str, str] = field(default_factory=dict)
    names: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """Return its name, such as "05_square"."""
        return self.sheet.exercise

    @property
    def answers(self) -> dict[str, str]:
        """Return the stubs of its answers, by the id of their cells."""
        return {cell.id: cell.source for cell in self.sheet.cells if cell.kind == "answer"}

    def is_copied_by(self, answers: Answers) -> bool:
        """Tell whether all answers of more than a few lines are the course's own, but for comments.

        Short ones are often the same by themselves.
        """
        own = {name: without_comments(source) for name, source in self.solved.items()}
        long = [name for name, source in own.items() if len(source.splitlines()) > _FEW]
        return bool(long) and all(
            normalized(answers.sources.get(name, "")) == normalized(self.solved[name])
            for name in long
        )

    def is_solved_by(self, answers: Answers) -> bool:
        """Tell whether answers are the course's own, but for comments and layout."""
        given = {name: normalized(source) for name, source in answers.sources.items()}
        return bool(given) and given == {
            name: normalized(text) for name, text in self.solved.items()
        }

    def written(self, answers: Answers) -> int:
        """Return how much of it is answered: NOTHING, TRIED (in other cells), or WRITTEN."""
        stubs = self.answers
        if any(plain(source) != plain(stubs[name]) for name, source in answers.sources.items()):
            return WRITTEN
        if any(bound_names(source) & self.names for source in answers.extra):
            return WRITTEN
        return TRIED if answers.extra else NOTHING


def without_comments(source: str) -> str:
    """Return code without lines of comments, such as the marks of solutions and hidden tests."""
    return "\n".join(
        line for line in plain(source).splitlines() if not line.lstrip().startswith("#")
    )


def normalized(source: str) -> str:
    """Return what code says, without comments, docstrings and layout, to compare it with other.

    Of what is not Python, these are the lines that are no comments.
    """
    try:
        tree = parse(source)
        if tree is None:
            return without_comments(source)
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
                first = node.body[0]
                if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                    del node.body[0]
        return ast.dump(tree)
    except (TooMuchError, RecursionError):
        return without_comments(source)


def has_marks(source: str) -> bool:
    """Tell whether code holds lines that mark solutions and hidden tests."""
    return _MARK.search(source) is not None


def known_exercises(
    root: Path, names: Iterable[str], needed: Collection[str]
) -> list[KnownExercise]:
    """Return the exercises of these names; one that is damaged is left out if it is not needed.

    Raises:
        SheetError: a notebook of one that is needed is missing, damaged, or not built.
    """
    found = []
    for name in names:
        try:
            found.append(known_exercise(root, name))
        except SheetError:
            if name in needed:
                raise
    return found


def known_exercise(root: Path, name: str) -> KnownExercise:
    """Return an exercise, as its notebooks in the course at `root` are.

    Raises:
        SheetError: one of them is missing, damaged, or not built.
    """
    sheet = read_sheet(root, name)
    answers = answer_names(sheet)
    path = root / "solutions" / f"{name}.ipynb"
    try:
        solved = {cell["id"]: source_of(cell) for cell in read_cells(path) if cell["id"] in answers}
    except UnreadableNotebookError:
        raise SheetError(f"{path} is missing or damaged: run `make build`.") from None
    return KnownExercise(sheet, solved, frozenset().union(*answers.values()))
