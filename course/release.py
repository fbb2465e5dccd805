"""Write what students get, without answers: `course release OUT [EXERCISE…]`."""

import argparse
import sys
from importlib.util import find_spec
from pathlib import Path

import helpers
from course.building.chapters import find_exercises
from course.checkout import find_root
from course.notebooks.exercise_name import meant, unknown
from course.notebooks.regions import BuildError
from course.notebooks.student_notebook import UnreadableNotebookError
from course.releasing.delivery import DeliveryError, deliver, former

_READ = ("notebooks/", "exercises/", "docs/")  # what these show is their author's to decide


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course release`."""
    parser.add_argument(
        "out",
        type=Path,
        metavar="OUT",
        help="a new or empty folder, an older release, or a file that ends in .zip",
    )
    parser.add_argument(
        "names",
        nargs="*",
        default=[],  # else argparse calls it required
        metavar="EXERCISE",
        help="these, such as 05, beside those that OUT has already (default: all)",
    )


def run(args: argparse.Namespace) -> int:
    """Write a release; return the exit status."""
    return release(find_root(), args.out, args.names)


def release(root: Path, out: Path, given: list[str]) -> int:
    """Write a release of the course in `root`, or renew an older one.

    Args:
        root: the course's folder.
        out: a folder, or a file that ends in .zip.
        given: which exercises, beside those of an older release; all if empty.

    Returns:
        0; 1 if the course cannot be released as it is; 2 if an argument cannot be used. Nothing
        is written then.
    """
    try:
        _check(root)
        names = _chosen(root, given, former(out).get("exercises", []))
        files = _contents(root, names)
        if files is None:
            return 1
        deliver(out, files)
    except DeliveryError as error:
        print(error.args[0], file=sys.stderr)
        return 2
    except (BuildError, LookupError, UnreadableNotebookError) as error:
        print(error.args[0], file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename or out}: {error.strerror or error}.", file=sys.stderr)
        return 1
    size = sum(map(len, files.values())) / 2**20
    print(f"{out}: {', '.join(names) or 'no exercise'}; {len(files)} files, {size:.1f} MB.")
    print(
        "It has no solutions, no sources of exercises, no tests, no hidden inputs and no grader. "
        "Its checks compare with helpers/checks/measured/: the numbers of right answers, and the "
        "right values of predictions, but no code."
    )
    return 0


def _check(root: Path) -> None:
    place = Path(helpers.__file__).resolve().parents[1]
    if place != root.resolve():
        raise DeliveryError(
            f"The course is imported from {place}, not from {root}: run `make setup` in {root}, "
            "and its own .venv/bin/course."
        )
    if not find_spec("helpers.checks.references") or not find_exercises(root):
        raise DeliveryError(
            f"{root} is not a whole course: a release is made from lessons/, solutions/ and "
            "helpers/checks/references/."
        )


def _chosen(root: Path, given: list[str], before: list[str]) -> list[str]:
    known = [path.name.removesuffix(".exercise.md") for path in find_exercises(root)]
    if not given:
        return known
    chosen = set(before).intersection(known)
    for name in given:
        stem = Path(name).stem
        if not (found := meant(stem, known)):
            raise DeliveryError(f"No exercise is called {name}{unknown(stem, known)}")
        chosen.add(found)
    return sorted(chosen)


def _contents(root: Path, names: list[str]) -> dict[str, bytes] | None:
    """Return the files; None, and say why, if one of them shows an answer."""
    # Imported late: they take a second, and an unknown name is to be told at once.
    from course.releasing.contents import contents
    from course.releasing.shown_answers import shown_answers

    print(f"Measuring the right answers of {', '.join(names)}.", flush=True)
    files = contents(root, names)
    print(f"Looking for answers in {len(files)} files.", flush=True)
    is_refused = False
    for shown in shown_answers(files, sorted((root / "solutions").glob("*.ipynb"))):
        if shown.file.startswith(_READ):
            print(f"Note: {shown.file} shows what answers {shown.task}.")
        else:
            is_refused = True
            print(f"{shown.file} holds the answer to {shown.task}.", file=sys.stderr)
    if is_refused:
        print("Nothing was released: take the answers out first.", file=sys.stderr)
        return None
    return files
