"""Grade submissions: `course grade SUBMISSIONS -o REPORT`."""

import argparse
import os
import secrets
import sys
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from course.checkout import find_root
from course.grading.books.assign import assign, senders
from course.grading.books.by_hand import decisions
from course.grading.books.course_file import KEYS, CourseFile, CourseFileError, read_course_file
from course.grading.books.gradebook import TableError
from course.grading.books.members import members
from course.grading.books.moodle_files import moodle_times
from course.grading.books.overrides import read_overrides
from course.grading.books.publish import Choices, publish
from course.grading.books.roster import RosterFile, roster_of
from course.grading.bwrap_command import why_not
from course.grading.cluster import cluster
from course.grading.grade_class import grade_class
from course.grading.pool import Machines, ThisMachine
from course.grading.reading.download import Download, SubmissionsError, read_download
from course.grading.reading.sheet import Sheet, SheetError, read_sheet
from course.grading.report_folder import ReportError, ReportFolder, unwritable
from course.grading.results import read_result
from course.grading.review import serve
from course.grading.settings import Settings
from course.grading.terminal import say, say_some, told_how_many
from course.notebooks.exercise_name import meant

_NOT_PROMISED = """\
Without walls, the code in a submission runs in your name: it can read and delete your files, use
the network, see other people's work and the solutions, and leave processes behind. Grade only
people you trust this way."""
_ON_WINDOWS = os.name == "nt"
_TLS = {"tls_ca": "tls_ca_file", "tls_cert": "tls_client_cert", "tls_key": "tls_client_key"}


class ArgumentsError(ValueError):
    """An argument that cannot be used; the message says what to do."""


_CLEAR = (ArgumentsError, SubmissionsError, ReportError, SheetError, TableError)


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
    add("--review", action="store_true", help="answer the questions of REPORT on a local page")
    add("--no-sandbox", action="store_true", help="run without walls; says what that means")
    for key, row in KEYS.items():
        table, _, name = key.rpartition(".")
        if table == "run":
            say = f"is now {name} below [run] in course.toml: {row['write']}"
            option = f"--{name.replace('_', '-')}"
            add(option, nargs="?", action=_Moved, const=say, help=argparse.SUPPRESS)


class _Moved(argparse.Action):
    """An option of earlier versions: stops, and says what replaces it."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        parser.error(f"{self.option_strings[0]} {self.const}")


def run(args: argparse.Namespace) -> int:
    """Grade; return 0 if all is graded, 1 if something is not, 2 if nothing can be."""
    try:
        if args.review:
            return _review(args.output)
        root = find_root()
        known = sorted(path.stem for path in (root / "solutions").glob("[0-9][0-9]_*.ipynb"))
        course = _course(args, known)
        _check_walls(args.no_sandbox, elsewhere=bool(course.scheduler))
        place, names = submissions_and_names(args.submissions, args.exercise, known)
        if place.is_dir() and place.resolve() in args.output.resolve().parents:
            raise ArgumentsError(f"{args.output} is in the folder of submissions: choose another.")
        roster = roster_of(args.output, args.roster)
        sheets = {name: read_sheet(root, name) for name in known}
        download = read_download(place, [*sheets.values()])
        with closing(ReportFolder(args.output)) as folder:
            try:
                return _grade(root, sheets, args, place, download, names, course, roster, folder)
            except OSError as error:
                raise ReportError(unwritable(folder.path, error)) from None
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
    named = {word: [_meant(part, known) for part in word.split(",") if part] for word in words}
    others = [word for word, found in named.items() if not found or "" in found]
    if given is None and others:
        given = others.pop()
    if given is None:
        raise ArgumentsError(
            "Where are the submissions? Give their folder or zip before --exercise."
        )
    if others:
        raise ArgumentsError(f"There is no exercise {others[0]}: choose among {', '.join(known)}.")
    return Path(given), tuple(sorted({name for found in named.values() for name in found if name}))


def _course(args: argparse.Namespace, known: Sequence[str]) -> CourseFile:
    for path in filter(None, (args.course, args.roster)):
        _existing(path)
    course = read_course_file(args.course or args.output / "course.toml", known)
    # Dask's own variable: a job of SLURM knows the address only when it runs.
    address = os.environ.get("DASK_SCHEDULER_ADDRESS", course.scheduler)
    return replace(course, scheduler=address)


def _existing(path: Path) -> None:
    if not path.exists():
        raise ArgumentsError(f"There is no {path}.")


def _meant(word: str, known: Sequence[str]) -> str:
    return meant(word.strip().removesuffix(".ipynb"), known)


def _grade(
    root: Path,
    sheets: Mapping[str, Sheet],
    args: argparse.Namespace,
    place: Path,
    download: Download,
    names: Sequence[str],
    course: CourseFile,
    roster: RosterFile,
    folder: ReportFolder,
) -> int:
    settings = Settings(
        root=root,
        hidden=(root, place.resolve(), args.output.resolve()),
        limits=course.limits,
        walls=not args.no_sandbox,
        seed=secrets.randbelow(2**31) if course.seed is None else course.seed,
    )
    overrides, wrong = read_overrides(folder.path / "overrides.csv")
    times = moodle_times(folder.path, roster)
    now = members(folder, roster, overrides, times)
    everybody = now.directory.with_people(senders(download, now.directory).values())
    said = decisions(overrides, everybody, [*sheets])
    kept = [one for path in folder.kept() if (one := read_result(path))]
    graded = {(one.student, one.exercise): one for one in kept}
    found = assign(download, now.directory, said, graded, names)
    with _machines(course) as machines, told_how_many(len(found.submissions)) as progress:
        anew = grade_class(settings, sheets, found.submissions, folder, machines, progress)
    now = replace(now, directory=everybody)
    about = download.name, settings.seed, tuple(names)
    choices = Choices(*about, course, roster, now, said, wrong, times)
    return publish(root, sheets, folder, found, choices, anew)


def _machines(course: CourseFile) -> AbstractContextManager[Machines]:
    tls = {option: getattr(course, key) for key, option in _TLS.items() if getattr(course, key)}
    for path in tls.values():
        _existing(Path(path))
    if tls and not (course.scheduler and len(tls) == len(_TLS)):
        raise ArgumentsError(
            f"In course.toml, {', '.join(_TLS)} and scheduler belong together: write all of them "
            "below [run], or none."
        )
    if course.scheduler:
        return cluster(course.scheduler, tls)
    return ThisMachine(course.jobs or _jobs())


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
