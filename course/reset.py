"""Give back a fresh exercise, and keep the old one beside it: `course reset NAME`."""

import argparse
import json
import sys
from pathlib import Path

from course.checkout import find_root
from course.notebooks.exercise_name import UnknownExerciseError, find_exercise
from course.notebooks.regions import BuildError
from course.notebooks.stub import fresh
from course.notebooks.student_notebook import UnreadableNotebookError, read_cells, source_of
from course.notebooks.write import keep, write_whole
from helpers.checks import progress
from helpers.checks.tasks import load


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course reset`."""
    parser.add_argument("name", metavar="NAME", help="an exercise, such as 05")


def run(args: argparse.Namespace) -> int:
    """Reset an exercise of the course; return the exit status."""
    return reset(find_root(), args.name)


def reset(root: Path, name: str) -> int:
    """Replace an exercise by what is left of its solution; the old file is kept beside it.

    Its tasks are not solved then, whatever they were; the hints that were taken stay taken.

    Args:
        root: the folder that holds exercises/, and solutions/ or a release's stubs.
        name: an exercise, such as `05`, `05_square` or `exercises/05_square.ipynb`.

    Returns:
        0, also where nothing was to be done; 1 if the exercise cannot be had; 2 if no exercise
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
    try:
        tasks = load(int(exercise.name[:2]))
        stub = fresh(exercise)
    except (BuildError, LookupError, UnreadableNotebookError) as error:
        print(error.args[0], file=sys.stderr)
        return 1
    try:
        said = _replaced(path, stub)
    except OSError as error:
        print(
            f"exercises/{path.name} cannot be replaced ({error.strerror}), and is as it was: see "
            "to it that files can be written there, and run this again.",
            file=sys.stderr,
        )
        return 1
    if path.resolve() == progress.ROOT / "exercises" / path.name:
        progress.forget(task.id for task in tasks)
    print(said)
    return 0


def _replaced(path: Path, stub: str) -> str:
    """Write a fresh exercise, unless it is untouched; say what was done."""
    shown = f"exercises/{path.name}"
    if not path.exists():
        write_whole(path, stub.encode())
        return f"{shown} was missing: it is there again."
    if _is_untouched(path, json.loads(stub)["cells"]):
        return f"{shown} is untouched: nothing was done."
    kept = keep(path)
    try:
        write_whole(path, stub.encode())
    except OSError:
        kept.unlink()
        raise
    return (
        f"{shown} is fresh again; your own is kept as exercises/{kept.name}. None of its tasks is "
        "solved now, and hints that were taken stay counted. If it is open in JupyterLab: File, "
        "Reload Notebook from Disk."
    )


def _is_untouched(path: Path, stub_cells: list) -> bool:
    """Tell whether all text and code is as it was given; outputs do not count."""
    try:
        cells = read_cells(path)
    except UnreadableNotebookError:
        return False
    return list(map(_content, cells)) == list(map(_content, stub_cells))


def _content(cell: dict) -> tuple:
    return cell.get("id"), cell["cell_type"], source_of(cell)
