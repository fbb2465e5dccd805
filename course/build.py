"""Build notebooks from lessons/: `course build [NAME…] [--check] [--force]`."""

import argparse
import asyncio
import json
import os
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from nbformat import NotebookNode

from course.building.batch import Batch, Judge
from course.building.chapters import (
    Chapter,
    LoadTasks,
    find_chapters,
    find_exercises,
    find_lessons,
    is_exercise,
    load_tasks,
    shown,
)
from course.building.course_map import has_map
from course.building.execute import SECONDS_PER_CELL
from course.building.exercise import ExerciseSource, read_exercise
from course.building.front_pages import renew
from course.building.outputs import as_text
from course.building.source import Source, read_lesson
from course.checkout import START_PAGE, find_root
from course.notebooks.exercise_name import means, unknown
from course.notebooks.regions import BuildError
from helpers.checks.references import is_independent
from helpers.checks.task import FunctionTask

# A student's own copies, such as 05_square.1.ipynb, are theirs.
_COPY = re.compile(r"\d\d_[a-z0-9_]+\.\d+\.ipynb")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course build`."""
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="01 (lesson and exercise), 01_linear_function (the lesson), "
        "01_linear_function.exercise, index (the map), or a path (default: all)",
    )
    parser.add_argument("--check", action="store_true", help="write nothing, show what differs")
    parser.add_argument("--force", action="store_true", help="run what has not changed, too")


def run(args: argparse.Namespace) -> int:
    """Build, or check, the notebooks of the course; return the exit status."""
    try:
        judge = None if args.check else judged_by_grader
        return build(find_root(), args.names, check=args.check, force=args.force, judge=judge)
    except KeyboardInterrupt:
        print("stopped; every notebook is whole, the old one or the new", file=sys.stderr)
        return 130


def build(
    root: Path,
    names: list[str] | None = None,
    *,
    check: bool = False,
    force: bool = False,
    seconds_per_cell: int = SECONDS_PER_CELL,
    tasks: LoadTasks = load_tasks,
    judge: Judge | None = None,
) -> int:
    """Build the notebooks of the course in `root`, or compare them with their sources.

    Args:
        root: the folder that holds lessons/, notebooks/, exercises/ and solutions/.
        names: which sources, such as `01`, `01_linear_function` or its path; all if empty.
        check: compare and show the difference instead of writing.
        force: run even what is known to be right.
        seconds_per_cell: the longest that one cell may take.
        tasks: gives the tasks of the exercise of a number.
        judge: says why the own answers of an exercise would not be judged as they should be.

    Returns:
        0; 1 if a source cannot be built or a check found a difference; 2 if a name is unknown.
    """
    sources = [*find_lessons(root), *find_exercises(root)]
    chosen = sources if not names else []
    for name in names or []:
        found = [path for path in sources if _means(name, path)]
        if not found and not (has_map(root) and Path(name).stem == Path(START_PAGE).stem):
            said = unknown(Path(name).stem, [path.stem for path in sources])
            print(f"no lesson is called {name}{said}", file=sys.stderr)
            return 2
        chosen += [path for path in found if path not in chosen]
    if not sources:
        print(f"there are no lessons in {root / 'lessons'}", file=sys.stderr)
        return 1
    read = partial(_read, tasks=tasks)
    batch = Batch(
        root,
        read,
        check=check,
        force=force,
        seconds_per_cell=seconds_per_cell,
        judge=judge,
        named=bool(names),
    )
    batch.run(chosen)
    if judge is not None:
        print(*_unchecked(filter(is_exercise, chosen), tasks), sep="", end="", file=sys.stderr)
    stale = [] if names else _stale(root, sources)
    for file in stale:
        print(f"{file} has no source: remove it, or bring its source back", file=sys.stderr)
    wrong = len(batch.failed) + len(stale)
    if not batch.failed:
        try:
            told = renew(root, find_chapters(root / "lessons", tasks), check=check)
        except BuildError as error:
            print(error, file=sys.stderr)
            return 1
        wrong += len(told)
        for line in told:
            print(line, file=sys.stderr if check else sys.stdout)
    if check:
        return _verdict(len(chosen) + sum(map(is_exercise, chosen)) + has_map(root), wrong)
    return 1 if batch.failed else 0


def _unchecked(exercises: Iterable[Path], tasks: LoadTasks) -> Iterator[str]:
    """Say of which tasks the solution is compared with nothing but itself."""
    for path in exercises:
        for task in Chapter(path.parent, path.stem.removesuffix(".exercise"), tasks).tasks():
            by_differences = isinstance(task, FunctionTask) and not task.intended
            if not by_differences and not is_independent(task.id):
                yield (
                    f"{shown(path)}: nothing checks the solution of {task.id}: give its right "
                    "answer, worked out in another way, in helpers/checks/references\n"
                )


async def judged_by_grader(exercise: ExerciseSource, solved: NotebookNode) -> str:
    """Return what `course.grading.rehearsal` says of an exercise, each sentence with its place."""
    name = exercise.name.removesuffix(".exercise")
    with TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as private:
        for path, notebook in ((exercise.builds, solved), (exercise.stub_builds, exercise.stub)):
            file = Path(private, path)
            file.parent.mkdir()
            file.write_text(as_text(notebook), encoding="utf-8")
        command = [sys.executable, "-m", "course.grading.rehearsal", private, name]
        own = {"COURSE_PROGRESS": "off", "IPYTHONDIR": private, "OMP_NUM_THREADS": "1"}
        process = await asyncio.create_subprocess_exec(
            *command, env={**os.environ, **own}, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
        )
        try:
            said, log = await process.communicate()
        finally:
            if process.returncode is None:  # the build was stopped
                process.kill()
    if process.returncode:
        last = (log.decode(errors="replace").strip().splitlines() or ["no reason given"])[-1]
        return f"{exercise.file}:1: it cannot be judged as a submission is ({last})"
    return "\n".join(f"{exercise.at(cell)}: {words}" for cell, words in json.loads(said))


def _read(path: Path, tasks: LoadTasks) -> Source:
    if not is_exercise(path):
        return read_lesson(path, tasks)
    chapter = Chapter(path.parent, path.stem.removesuffix(".exercise"), tasks)
    return read_exercise(path, chapter.tasks())


def _means(name: str, path: Path) -> bool:
    given = Path(name)
    stem = given.stem if given.suffix in (".md", ".ipynb") else given.name
    if given.parent.name in ("exercises", "solutions"):
        stem += ".exercise"
    return means(stem, path.stem)


def _stale(root: Path, sources: list[Path]) -> list[str]:
    built = {START_PAGE} if has_map(root) else set()
    for path in sources:
        name = f"{path.stem.removesuffix('.exercise')}.ipynb"
        folders = ("exercises", "solutions") if is_exercise(path) else ("notebooks",)
        built |= {f"{folder}/{name}" for folder in folders}
    files = []
    for folder in ("notebooks", "exercises", "solutions"):
        for path in sorted((root / folder).glob("*.ipynb")):
            copied = folder == "exercises" and _COPY.fullmatch(path.name)
            files += [] if copied else [f"{folder}/{path.name}"]
    return [file for file in files if file not in built]


def _verdict(checked: int, wrong: int) -> int:
    if wrong:
        print(
            "the notebooks are not what their sources build: run `make build` and commit the result"
        )
        return 1
    print(f"{checked} notebooks checked: each is what its source builds")
    return 0
