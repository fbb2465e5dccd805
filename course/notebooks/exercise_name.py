"""Find the exercise that a name on the command line means."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from course.notebooks.nearest import nearest

# In a release for students, which has no solutions. No .ipynb: nobody is to hand it in.
STUB = "course/stubs/{}.json"
_NAME = re.compile(r"(\d\d_[a-z0-9_]+)(?:[.]exercise[.]md|[.]ipynb|[.]json)")


class UnknownExerciseError(LookupError):
    """No exercise has this name; the message says which there are."""


@dataclass(frozen=True)
class Exercise:
    """One exercise of the course.

    Attributes:
        name: such as "05_square".
        notebook: the student's file; it need not exist.
        solution: the solved notebook; a release for students has none.
        stub: the exercise as it is given; only a release keeps it apart.
    """

    name: str
    notebook: Path
    solution: Path
    stub: Path


def means(given: str, name: str) -> bool:
    """Tell whether someone who types `5`, `05` or `05_square` means "05_square"."""
    return given == name or (given.isdigit() and given.zfill(2) == name[:2])


def meant(given: str, names: Iterable[str]) -> str:
    """Return the exercise that someone who types `5`, `05` or `05_square` means; "" for none."""
    return next((name for name in names if means(given, name)), "")


def named_after(exercise: str) -> re.Pattern[str]:
    """Return a pattern for names of copies, such as `05_square.1` or `05 square-copy1`.

    It wants them casefolded; its groups are the exercise's name and what follows that.
    """
    words = r"[\s_-]+".join(map(re.escape, exercise.casefold().split("_")))
    return re.compile(rf"(?<![a-z0-9])({words})(?![a-z0-9])(.*)", re.DOTALL)


def unknown(stem: str, names: Sequence[str]) -> str:
    """Return what to say after the name of no exercise: which is meant, or else which there are."""
    known = {name: name for name in names} | {name[3:]: name for name in names}
    number = re.match(r"\d+", stem)  # such as 5o
    return nearest(stem, known, [name for name in names if number and means(number[0], name)])


def find_exercise(root: Path, given: str) -> Exercise:
    """Return the exercise that `given` means.

    Args:
        root: the course's folder.
        given: its number, its name, or the path of a notebook that is named after it, such as
            a copy elsewhere or `05_square.1.ipynb`.

    Raises:
        UnknownExerciseError: it means none.
    """
    names = _names(root)
    is_file = given.endswith(".ipynb")
    stem = Path(given).stem if is_file else Path(given).name
    for name in names:
        if means(stem, name) or (is_file and named_after(name).match(stem.casefold())):
            break
    else:
        raise UnknownExerciseError(f"No exercise is called {given}{unknown(stem, names)}")
    notebook = root / "exercises" / f"{name}.ipynb"
    if is_file and Path(given).exists():
        notebook = Path(given)
    elif is_file and Path(given).name != notebook.name:
        raise UnknownExerciseError(f"There is no file {given}: give the path of a notebook.")
    solution = root / "solutions" / f"{name}.ipynb"
    return Exercise(name, notebook, solution, root / STUB.format(name))


def _names(root: Path) -> list[str]:
    """Return the names of the exercises: by their sources, their solutions or a release's stubs."""
    patterns = ("lessons/*.exercise.md", "solutions/*.ipynb", STUB.format("*"))
    files = [path for pattern in patterns for path in root.glob(pattern)]
    return sorted({match[1] for path in files if (match := _NAME.fullmatch(path.name))})
