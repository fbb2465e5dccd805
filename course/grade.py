"""Grade submissions: `course grade SUBMISSIONS -o REPORT`."""

import argparse
import os
import secrets
import sys
from contextlib import closing
from pathlib import Path

from course.checkout import find_root
from course.grading.books.publish import Roster, publish
from course.grading.grade_class import grade_class
from course.grading.reading.sheet import SheetError
from course.grading.reading.submissions import SubmissionsError, find_submissions
from course.grading.report_folder import ReportError, ReportFolder
from course.grading.settings import Limits, Settings
from course.grading.terminal import say, say_some
from course.grading.walls import why_not
from course.notebooks.exercise_name import means

_NOT_PROMISED = """\
Without walls, the code in a submission runs in your name: it can read and delete your files, use
the network, see other people's work and the solutions, and leave processes behind. Grade only
people you trust this way."""
_LIMITS = {
    "cell_seconds": "time of one cell",
    "total_seconds": "time of one notebook, with all that is run again for it",
    "cpu_seconds": "processor time of all processes of a notebook",
    "memory_mb": "memory of one notebook, in MB",
    "disk_mb": "private disk of one notebook, in MB",
    "processes": "processes and threads of one notebook",
}


class _UsageError(ValueError):
    """An argument that cannot be used; the message says what to do."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course grade`."""
    add = parser.add_argument
    add("submissions", metavar="SUBMISSIONS", type=Path, help="folder or zip of submissions")
    add("-o", "--output", metavar="REPORT", type=Path, required=True, help="folder of the report")
    add("--exercise", metavar="NAME", nargs="+", help="only these, such as 05 (default: all)")
    add(
        "--jobs", metavar="N", type=_count, default=_jobs(), help="processes (default: %(default)s)"
    )
    add("--seed", metavar="N", type=int, help="of the inputs (default: a new one for each run)")
    add("--shard", metavar="I/N", type=_shard, help="only every N-th student, from the I-th on")
    add("--no-sandbox", action="store_true", help="run without walls; says what that means")
    for name, what in _LIMITS.items():
        default = getattr(Limits, name)
        kind = _positive(type(default))
        words = f"{what} (default: {default:g})"
        add(f"--{name.replace('_', '-')}", type=kind, default=default, metavar="N", help=words)


def run(args: argparse.Namespace) -> int:
    """Grade; return 0 if all is graded, 1 if something is not, 2 if nothing can be."""
    try:
        _check_walls(args.no_sandbox)
        root = find_root()
        found = _found(root, args)
        with closing(ReportFolder(args.output)) as folder:
            return _grade(root, args, found, folder)
    except (_UsageError, SubmissionsError, ReportError, SheetError, RuntimeError) as error:
        say(str(error.args[0] if error.args else error))
        return 2
    except KeyboardInterrupt:
        print("stopped: what is graded is kept, and the same command goes on", file=sys.stderr)
        return 130


def _grade(root: Path, args: argparse.Namespace, found: Roster, folder: ReportFolder) -> int:
    from tqdm import tqdm

    settings = Settings(
        root=root,
        hidden=(root, args.submissions.resolve(), args.output.resolve()),
        limits=Limits(**{name: getattr(args, name) for name in _LIMITS}),
        walls=not args.no_sandbox,
        jobs=args.jobs,
        seed=secrets.randbelow(2**31) if args.seed is None else args.seed,
    )
    with tqdm(total=len(found.submissions), unit="submission", disable=None) as bar:
        results = grade_class(settings, found.submissions, folder, bar.update)
    return publish(root, folder, found, results)


def _found(root: Path, args: argparse.Namespace) -> Roster:
    exercises = _exercises(root, args.exercise)
    found = find_submissions(args.submissions, exercises)
    say_some(found.notes)
    students = list(found.students)
    if args.shard:
        number, of = args.shard
        students = students[number - 1 :: of]
    kept = set(students)
    submissions = tuple(one for one in found.submissions if one.student in kept)
    used = {one.exercise for one in found.submissions}
    asked = exercises if args.exercise else [name for name in exercises if name in used]
    left_out = tuple(student for student in found.students if student not in kept)
    return Roster(tuple(students), left_out, tuple(asked), submissions)


def _exercises(root: Path, names: list[str] | None) -> list[str]:
    known = sorted(path.stem for path in (root / "solutions").glob("[0-9][0-9]_*.ipynb"))
    if not names:
        return known
    chosen = []
    for name in names:
        stem = name.removesuffix(".ipynb")
        fitting = [one for one in known if means(stem, one)]
        if not fitting:
            raise _UsageError(f"There is no exercise {name}: choose among {', '.join(known)}.")
        chosen += fitting
    return sorted(set(chosen))


def _check_walls(without: bool) -> None:
    if without:
        print(_NOT_PROMISED, file=sys.stderr)
    elif reason := why_not():
        raise _UsageError(
            f"There can be no walls around the submissions: {reason}. Grade on a Linux machine "
            "that has them, or add --no-sandbox for people you trust."
        )


def _jobs() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2


def _count(text: str) -> int:
    return _positive(int)(text)


def _positive(kind: type) -> type:
    def read(text: str):
        number = kind(text)
        if not 0 < number < float("inf"):
            raise argparse.ArgumentTypeError("it must be more than 0")
        return number

    read.__name__ = kind.__name__
    return read


def _shard(text: str) -> tuple[int, int]:
    number, _, of = text.partition("/")
    if number.isdigit() and of.isdigit() and 1 <= int(number) <= int(of):
        return int(number), int(of)
    raise argparse.ArgumentTypeError("give I/N, such as 1/3 for the first of three parts")
