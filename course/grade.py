"""Grade submissions: `course grade SUBMISSIONS -o REPORT`."""

import argparse
import os
import secrets
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path

from course.checkout import find_root
from course.grading.books.assign import Class, assign
from course.grading.books.by_hand import called, sayings
from course.grading.books.class_list import read_class_list
from course.grading.books.course_file import CourseFile, CourseFileError, read_course_file
from course.grading.books.members import members
from course.grading.books.overrides import OverrideError, read_overrides
from course.grading.books.publish import Choices, publish
from course.grading.books.roster import RosterError
from course.grading.books.roster_names import Roster, roster_of
from course.grading.books.worksheets import moodle_times
from course.grading.cluster import cluster
from course.grading.grade_class import grade_class
from course.grading.pool import Machines, this_machine
from course.grading.reading.download import Download, SubmissionsError, read_download
from course.grading.reading.known_exercises import known_exercises
from course.grading.reading.sheet import SheetError
from course.grading.report_folder import ReportError, ReportFolder
from course.grading.results import read_result
from course.grading.review import serve
from course.grading.settings import Limits, Settings
from course.grading.terminal import say, say_some, told_how_many
from course.grading.walls import why_not
from course.notebooks.exercise_name import means

_NOT_PROMISED = """\
Without walls, the code in a submission runs in your name: it can read and delete your files, use
the network, see other people's work and the solutions, and leave processes behind. Grade only
people you trust this way."""
_ON_WINDOWS = os.name == "nt"
_LIMITS = {
    "cell_seconds": "time of one cell",
    "total_seconds": "time of one notebook, with all that is run again for it",
    "cpu_seconds": "processor time of all processes of a notebook",
    "memory_mb": "memory of one notebook, in MB",
    "disk_mb": "private disk of one notebook, in MB",
    "processes": "processes and threads of one notebook",
}
_TLS = {
    "ca": ("tls_ca_file", "certificate of who signed the scheduler's"),
    "cert": ("tls_client_cert", "certificate of this machine"),
    "key": ("tls_client_key", "key of this machine"),
}


class ArgumentsError(ValueError):
    """An argument that cannot be used; the message says what to do."""


_CLEAR = (
    *(ArgumentsError, SubmissionsError, ReportError, SheetError),
    *(RosterError, OverrideError),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course grade`."""
    add = parser.add_argument
    add("submissions", metavar="SUBMISSIONS", nargs="?", help="folder or zip of submissions")
    add("-o", "--output", metavar="REPORT", type=Path, required=True, help="folder of the report")
    add(
        "--exercise",
        metavar="NAME",
        nargs="+",
        action="extend",
        default=[],
        help="only these, such as 05 or 05,06, which everybody was to do (default: all there are)",
    )
    add(
        "--roster",
        metavar="FILE",
        type=Path,
        help="list of the class, as a platform exports it (default: roster.csv in REPORT, or else "
        "the one that was given last)",
    )
    add("--course", metavar="FILE", type=Path, help="course.toml (default: that in REPORT)")
    add("--all-or-nothing", action="store_true", help="no points for parts of a task")
    add(
        "--jobs", metavar="N", type=_count, default=_jobs(), help="processes (default: %(default)s)"
    )
    add("--seed", metavar="N", type=int, help="of the inputs (default: a new one for each run)")
    add(
        "--scheduler",
        metavar="ADDRESS",
        help="of a Dask cluster that grades, such as tls://host:8786 (default: this machine does)",
    )
    for name, (_, what) in _TLS.items():
        words = f"{what} (default: as Dask is set up)"
        add(f"--tls-{name}", type=Path, metavar="FILE", help=words)
    add("--review", action="store_true", help="answer the questions of REPORT on a local page")
    add("--no-sandbox", action="store_true", help="run without walls; says what that means")
    for name, what in _LIMITS.items():
        default = getattr(Limits, name)
        kind = _positive(type(default))
        words = f"{what} (default: {default:g})"
        add(f"--{name.replace('_', '-')}", type=kind, default=default, metavar="N", help=words)


def run(args: argparse.Namespace) -> int:
    """Grade; return 0 if all is graded, 1 if something is not, 2 if nothing can be."""
    try:
        if args.review:
            return _review(args.output)
        _check_walls(args.no_sandbox, elsewhere=bool(args.scheduler))
        for path in (args.course, args.roster):
            if path and not path.exists():
                raise ArgumentsError(f"There is no {path}.")
        root = find_root()
        place, names = submissions_and_names(args.submissions, args.exercise, _known(root))
        roster = roster_of(args.output, args.roster)
        download = read_download(place, known_exercises(root, _known(root), names))
        with closing(ReportFolder(args.output)) as folder:
            course = read_course_file(args.course or folder.path / "course.toml", _known(root))
            return _grade(root, args, place, download, names, course, roster, folder)
    except CourseFileError as error:
        say_some(error.args)
        return 2
    except (*_CLEAR, RuntimeError) as error:
        say(str(error.args[0] if error.args else error))
        return 2
    except KeyboardInterrupt:
        print("stopped: what is graded is kept, and the same command goes on", file=sys.stderr)
        return 130


def _review(report: Path) -> int:
    with serve(report) as server:
        print(f"Open {server.address} in a browser on this machine; Ctrl+C ends it.", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


def submissions_and_names(
    given: str | None, words: Sequence[str], known: Sequence[str]
) -> tuple[Path, tuple[str, ...]]:
    """Return where the submissions lie, and the exercises that are meant.

    Args:
        given: the argument that names the submissions; None if `--exercise` took it for a name,
            as it does in `--exercise 05 submissions.zip`.
        words: what stands after `--exercise`; one may name several, as "05,06".
        known: the names of all exercises.

    Raises:
        ArgumentsError: they cannot be told.
    """
    meant = {word: [_meant(part, known) for part in word.split(",") if part] for word in words}
    others = [word for word, found in meant.items() if not found or None in found]
    if given is None and others:
        given = others.pop()
    if given is None:
        raise ArgumentsError(
            "Where are the submissions? Give their folder or zip before --exercise."
        )
    if others:
        raise ArgumentsError(f"There is no exercise {others[0]}: choose among {', '.join(known)}.")
    return Path(given), tuple(sorted({name for found in meant.values() for name in found if name}))


def _meant(word: str, known: Sequence[str]) -> str | None:
    stem = word.strip().removesuffix(".ipynb")
    return next((name for name in known if means(stem, name)), None)


def _known(root: Path) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (root / "solutions").glob("[0-9][0-9]_*.ipynb")))


def _grade(
    root: Path,
    args: argparse.Namespace,
    place: Path,
    download: Download,
    names: Sequence[str],
    course: CourseFile,
    roster: Roster,
    folder: ReportFolder,
) -> int:
    settings = Settings(
        root=root,
        hidden=(root, place.resolve(), args.output.resolve()),
        limits=Limits(**{name: getattr(args, name) for name in _LIMITS}),
        walls=not args.no_sandbox,
        seed=secrets.randbelow(2**31) if args.seed is None else args.seed,
    )
    overrides, wrong = read_overrides(folder.path / "overrides.csv")
    times = moodle_times(folder, roster.file)
    now = members(folder, roster, read_class_list(folder), called(overrides), times)
    said = sayings(overrides, now.directory, _known(root))
    kept = [one for path in folder.kept() if (one := read_result(path))]
    graded = {(one.student, one.exercise): one.file for one in kept}
    known = Class(now.directory, now.numbers, said.files, said.taken, graded)
    found = assign(download, known, names)
    directory = now.directory.with_people(found.people)
    said = sayings(overrides, directory, _known(root))
    with _machines(args) as machines, told_how_many(len(found.submissions)) as progress:
        anew = grade_class(settings, found.submissions, folder, machines, progress)
    choices = Choices(
        *(download.name, tuple(names), course, now.roster, directory, overrides, said),
        wrong=(*wrong, *said.wrong, *now.wrong),
        times=times,
    )
    return publish(root, folder, found, now.known, choices, anew)


def _machines(args: argparse.Namespace) -> AbstractContextManager[Machines]:
    given = {key: getattr(args, f"tls_{name}") for name, (key, _) in _TLS.items()}
    tls = {key: str(path) for key, path in given.items() if path}
    for path in tls.values():
        if not Path(path).exists():
            raise ArgumentsError(f"There is no {path}.")
    if lacking := [f"--tls-{name}" for name in _TLS if tls and not given[_TLS[name][0]]]:
        raise ArgumentsError(
            f"The --tls files belong together: {' and '.join(lacking)} is missing."
        )
    if args.scheduler:
        return cluster(args.scheduler, tls)
    if tls:
        raise ArgumentsError("The --tls files are for the cluster that --scheduler names.")
    return this_machine(args.jobs)


def _check_walls(without: bool, elsewhere: bool) -> None:
    if _ON_WINDOWS:
        raise ArgumentsError(
            "`course grade` needs Linux, or macOS with --no-sandbox: on Windows run it in WSL "
            "(`wsl --install`), which is a Linux that has its walls."
        )
    if without:
        print(_NOT_PROMISED, file=sys.stderr)
    elif not elsewhere and (reason := why_not()):  # its own machines look for themselves
        raise ArgumentsError(
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
