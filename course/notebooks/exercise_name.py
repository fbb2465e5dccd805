"""Find the exercise that a name on the command line means."""

import re
from dataclasses import dataclass
from pathlib import Path

_SOURCE = ".exercise.md"


class UnknownExerciseError(LookupError):
    """No exercise has this name; the message says which there are."""


@dataclass(frozen=True)
class Exercise:
    """One exercise of the course.

    Attributes:
        name: such as "05_square".
        notebook: the student's file; it need not exist.
        source: what the exercise is built from.
        solution: the solved notebook.
    """

    name: str
    notebook: Path
    source: Path
    solution: Path


def means(given: str, name: str) -> bool:
    """Tell whether someone who types `5`, `05` or `05_square` means "05_square"."""
    return given == name or (given.isdigit() and given.zfill(2) == name[:2])


def named_after(exercise: str) -> re.Pattern[str]:
    """Return a pattern for names of copies, such as `05_square.1` or `05 square-copy1`.

    It wants them casefolded; its groups are the exercise's name and what follows that.
    """
    words = r"[\s_-]+".join(map(re.escape, exercise.casefold().split("_")))
    return re.compile(rf"(?<![a-z0-9])({words})(?![a-z0-9])(.*)", re.DOTALL)


def find_exercise(root: Path, given: str) -> Exercise:
    """Return the exercise that `given` means.

    Args:
        root: the course's folder.
        given: its number, its name, or the path of a notebook that is named after it, such as
            a copy elsewhere or `05_square.1.ipynb`.

    Raises:
        UnknownExerciseError: it means none.
    """
    names = sorted(path.name[: -len(_SOURCE)] for path in (root / "lessons").glob(f"*{_SOURCE}"))
    is_file = given.endswith(".ipynb")
    stem = Path(given).stem if is_file else Path(given).name
    for name in names:
        if means(stem, name) or (is_file and named_after(name).match(stem.casefold())):
            break
    else:
        there = ", ".join(names) or "none"
        raise UnknownExerciseError(f"No exercise is called {given}: there are {there}.")
    notebook = root / "exercises" / f"{name}.ipynb"
    if is_file and Path(given).exists():
        notebook = Path(given)
    elif is_file and Path(given).name != notebook.name:
        raise UnknownExerciseError(f"There is no file {given}: give the path of a notebook.")
    solution = root / "solutions" / f"{name}.ipynb"
    return Exercise(name, notebook, root / "lessons" / f"{name}{_SOURCE}", solution)
