"""Build notebooks from lessons: `course build [NAME…] [--check] [--force]`."""

import argparse
import re
import sys
from pathlib import Path

from helpers.course.batch import Batch
from helpers.course.checkout import find_root
from helpers.course.execute import SECONDS_PER_CELL

_LESSON = re.compile(r"\d\d_[a-z0-9_]+\.md")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course build`."""
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a lesson, such as 01 (default: all)"
    )
    parser.add_argument("--check", action="store_true", help="write nothing, show what differs")
    parser.add_argument("--force", action="store_true", help="run what has not changed, too")


def run(args: argparse.Namespace) -> int:
    """Build, or check, the notebooks of the course; return the exit status."""
    try:
        return build(find_root(), args.names, check=args.check, force=args.force)
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
) -> int:
    """Build the notebooks of the course in `root`, or compare them with their lessons.

    Args:
        root: the folder that holds lessons/ and notebooks/.
        names: which lessons, such as `01`, `01_linear_function` or its path; all if empty.
        check: compare and show the difference instead of writing.
        force: run even what is known to be right.
        seconds_per_cell: the longest that one cell may take.

    Returns:
        0; 1 if a lesson cannot be built or a check found a difference; 2 if a name is unknown.
    """
    lessons = find_lessons(root)
    chosen = lessons if not names else []
    for name in names or []:
        found = [path for path in lessons if _means(name, path)]
        if not found:
            there = ", ".join(path.stem for path in lessons) or "none"
            print(f"no lesson is called {name}: there are {there}", file=sys.stderr)
            return 2
        chosen += [path for path in found if path not in chosen]
    if not chosen:
        print(f"there are no lessons in {root / 'lessons'}", file=sys.stderr)
        return 1
    batch = Batch(root, check, force, seconds_per_cell)
    batch.run(chosen)
    stale = [] if names else _stale(root, lessons)
    for file in stale:
        print(f"{file} has no lesson: remove it, or bring its lesson back", file=sys.stderr)
    if check:
        return _verdict(len(chosen), len(batch.failed) + len(stale))
    return 1 if batch.failed else 0


def find_lessons(root: Path) -> list[Path]:
    """Return the lesson files of the course in `root`, in order."""
    return sorted(path for path in (root / "lessons").glob("*.md") if _LESSON.fullmatch(path.name))


def _means(name: str, path: Path) -> bool:
    given = Path(name)
    stem = given.stem if given.suffix in (".md", ".ipynb") else given.name
    return stem == path.stem or (stem.isdigit() and stem.zfill(2) == path.stem[:2])


def _stale(root: Path, lessons: list[Path]) -> list[str]:
    names = {path.stem for path in lessons}
    files = sorted((root / "notebooks").glob("*.ipynb"))
    return [f"notebooks/{path.name}" for path in files if path.stem not in names]


def _verdict(checked: int, wrong: int) -> int:
    if wrong:
        print(
            "the notebooks are not what the lessons build: run `make build` and commit the result"
        )
        return 1
    print(f"{checked} notebooks checked: each is what its lesson builds")
    return 0
