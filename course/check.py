"""Run the checks of an exercise in the terminal: `course check NAME [--timeout SECONDS]`."""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from course.checkout import find_root
from course.notebooks.exercise_name import UnknownExerciseError, find_exercise
from course.notebooks.kernels import NoKernelError, kernel_process
from course.notebooks.regions import BuildError
from course.notebooks.roles import ANSWER, Role, role
from course.notebooks.student_notebook import (
    UnreadableNotebookError,
    assemble,
    given_cells,
    read_cells,
    read_checks,
    source_of,
)
from helpers.checks import progress
from helpers.checks.as_given import code_lines

# The kernel imports it while it starts, and PyTorch with it.
_PRELOAD = "helpers.checks.answer_check"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course check`."""
    parser.add_argument("name", metavar="NAME", help="an exercise, such as 05, or its notebook")
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=60.0,
        metavar="SECONDS",
        help="the longest that one cell may take (default: 60)",
    )


def run(args: argparse.Namespace) -> int:
    """Run and judge a student's exercise; return the exit status."""
    try:
        return check(find_root(), args.name, args.timeout)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def check(root: Path, name: str, seconds_per_cell: float = 60.0) -> int:
    """Run a student's exercise by nbval, and judge its evidence against the solution's.

    The student's cells run as they are; the check cells are the solution's own, without its hidden
    checks. The progress of the course's own exercise is noted.

    Args:
        root: the folder that holds exercises/, and solutions/ or a release's stubs.
        name: an exercise, such as `05` or `05_square`, or the path of a notebook named after one.
        seconds_per_cell: the longest that one cell may take.

    Returns:
        0 if every visible check passes, 1 if one does not, 2 if there is nothing to check.
    """
    try:
        exercise = find_exercise(root, name)
        checks = read_checks(exercise)
        written = read_cells(exercise.notebook)
        course = given_cells(exercise)
    except (UnknownExerciseError, UnreadableNotebookError, BuildError) as error:
        print(error.args[0], file=sys.stderr)
        return 2
    own = exercise.notebook.resolve() == (progress.ROOT / "exercises" / exercise.notebook.name)
    folder = exercise.notebook.resolve().parent
    # Its own checks would note a try as well, with a verdict of the student's process.
    with kernel_process(folder, _PRELOAD, **{progress.VARIABLE: "off"}) as kernel:
        # Imported while the kernel starts: they take half a second.
        from course.check_report import Report
        from course.notebooks.nbval_run import run_cells
        from course.outside_answers import outside_answers

        outside = outside_answers(written, checks, course)
        untouched = _untouched(written, course) - outside.keys()
        noted = {check.task: _answer(written, check.task) for check in checks} if own else {}
        report = Report(checks, kernel, seconds_per_cell, noted, outside, untouched)
        try:
            run_cells(assemble(written, checks), kernel, seconds_per_cell, report.add)
        except NoKernelError as error:
            print(f"{error} See what `course doctor` says.", file=sys.stderr)
            return 2
    return report.end()


def _answer(written: list[dict[str, Any]], task: str) -> str:
    """Return the code of a task's answer cells."""
    return "\n".join(source_of(cell) for cell in written if role(cell["id"]) == Role(ANSWER, task))


def _untouched(written: list[dict[str, Any]], course: Mapping[str, str]) -> set[str]:
    """Return the tasks whose answer cells are as they were given, code to be repaired included."""
    code = {cell["id"]: code_lines(source_of(cell)) for cell in written}
    tasks: dict[str, bool] = {}
    for cell_id, given in course.items():
        found = role(cell_id)
        if found and found.kind == ANSWER:
            same = code.get(cell_id) == code_lines(given)
            tasks[found.task_id] = tasks.get(found.task_id, True) and same
    return {task for task, same in tasks.items() if same}


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError("it must be more than 0")
    return seconds
