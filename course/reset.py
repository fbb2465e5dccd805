"""Give back a fresh exercise, and keep the old one beside it: `course reset NAME`."""

import argparse
import sys
from pathlib import Path

from course.checkout import find_root
from course.notebooks.exercise_name import UnknownExerciseError, find_exercise
from course.notebooks.student_notebook import UnreadableNotebookError, read_cells, source_of
from helpers.checks import progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course reset`."""
    parser.add_argument("name", metavar="NAME", help="an exercise, such as 05")


def run(args: argparse.Namespace) -> int:
    """Reset an exercise of the course; return the exit status."""
    return reset(find_root(), args.name)


def reset(root: Path, name: str) -> int:
    """Replace an exercise by what its source builds; the old file is kept beside it.

    Its tasks are not solved then, whatever they were; the hints that were taken stay taken.

    Args:
        root: the folder that holds lessons/ and exercises/.
        name: an exercise, such as `05`, `05_square` or `exercises/05_square.ipynb`.

    Returns:
        0, also where nothing was to be done; 1 if the exercise cannot be built; 2 if no exercise
        of the course is called so.
    """
    try:
        exercise = find_exercise(root, name)
    except UnknownExerciseError as error:
        print(error.args[0], file=sys.stderr)
        return 2
    path = root / "exercises" / f"{exercise.name}.ipynb"
    if exercise.notebook.resolve() != path.resolve():
        print(f"{name} is a copy: give the name of the exercise itself.", file=sys.stderr)
        return 2
    # Imported late: an unknown name is to be told at once.
    from course.building.exercise import read_exercise
    from course.building.outputs import as_text
    from course.building.stored import keep
    from course.notebooks.regions import BuildError
    from course.notebooks.write import write_whole
    from helpers.checks.tasks import load

    try:
        tasks = load(int(exercise.name[:2]))
        stub = read_exercise(exercise.source, tasks).stub
    except (BuildError, LookupError) as error:
        print(f"{exercise.name} cannot be built: {error.args[0]}", file=sys.stderr)
        return 1
    shown = f"exercises/{path.name}"
    if not path.exists():
        write_whole(path, as_text(stub).encode())
        print(f"{shown} was missing: it is there again.")
    elif _is_untouched(path, stub.cells):
        print(f"{shown} is untouched: nothing was done.")
    else:
        kept = keep(path)
        write_whole(path, as_text(stub).encode())
        print(f"{shown} is fresh again; your own is kept as exercises/{kept.name}.")
    if path.resolve() == progress.ROOT / "exercises" / path.name:
        progress.forget(task.id for task in tasks)
    return 0


def _is_untouched(path: Path, stub_cells: list) -> bool:
    """Tell whether all text and code is as it was given; outputs do not count."""
    try:
        cells = read_cells(path)
    except UnreadableNotebookError:
        return False
    return list(map(_content, cells)) == list(map(_content, stub_cells))


def _content(cell: dict) -> tuple:
    return cell.get("id"), cell["cell_type"], source_of(cell)
