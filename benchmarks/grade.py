"""Compare `course grade` with other graders, on the same submissions: `make bench-grade`.

Seconds hold for one machine, hence the ratios; no test depends on them.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT))  # tests.answers is no part of the package

from grade_tools import by_course, by_nbgrader, by_nbval, by_otter, by_plain_exec  # noqa: E402
from grade_tools.comparison import Timed, show_times, show_tricks  # noqa: E402
from grade_tools.environments import ToolError, require  # noqa: E402
from grade_tools.graded import Graded, together  # noqa: E402
from grade_tools.submissions import Submission, a_class  # noqa: E402
from grade_tools.tricks import all_tricks  # noqa: E402

Grader = Callable[[list[Submission], Path], Graded]
_OTHERS: dict[str, tuple[str, Grader]] = {
    "nbgrader": ("nbgrader autograde, one run", by_nbgrader.grade),
    "otter": ("otter run, one run each", by_otter.grade),
    "nbval": ("pytest --nbval, one run", by_nbval.grade),
}


def main() -> int:
    """Print the tables; return the exit status."""
    args = _arguments()
    try:
        for tool in args.only:
            require(tool)
        if not args.tricks_only:
            _time(args)
        _try_tricks(args)
    except ToolError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _arguments() -> argparse.Namespace:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    parser = argparse.ArgumentParser(prog="make bench-grade", description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--students", type=int, default=40, help="submissions (default: %(default)s)")
    add("--otter", type=int, default=5, help="of them for otter (default: %(default)s)")
    add(
        "--jobs",
        type=int,
        default=max(cores, 2),
        help="workers of course grade (default: %(default)s)",
    )
    add("--only", nargs="*", choices=_OTHERS, default=list(_OTHERS), help="other graders")
    add("--tricks-only", action="store_true", help="leave the times out")
    add(
        "--smallest",
        action="store_true",
        help="only try whether all of it runs: two submissions, no trick on others",
    )
    args = parser.parse_args()
    if args.smallest:
        args.students, args.otter = 2, 1
    return args


def _time(args: argparse.Namespace) -> None:
    submissions = a_class(args.students)
    ours = {
        "course grade, 1 job": partial(by_course.grade, jobs=1),
        f"course grade, {args.jobs} jobs": partial(by_course.grade, jobs=args.jobs),
        "plain exec in one warm process": by_plain_exec.grade,
    }
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start", flush=True)
    lines = []
    rounds = [[_run(grader, submissions) for grader in ours.values()]]
    for tool in args.only:
        name, grader = _OTHERS[tool]
        some = submissions[: args.otter] if tool == "otter" else submissions
        lines.append(Timed(name, _run(grader, some)))
        if not args.smallest:  # once more, since a machine's speed drifts
            rounds.append([_run(grader, submissions) for grader in ours.values()])
    own = map(together, zip(*rounds, strict=True))
    one, more, bound = (Timed(*pair) for pair in zip(ours, own, strict=True))
    show_times([*lines, one, more, bound], more)


def _try_tricks(args: argparse.Namespace) -> None:
    tricks = all_tricks()
    tools = [] if args.smallest else args.only
    submissions = [one.submission for one in tricks]
    scores = {tool: _run(_OTHERS[tool][1], submissions).scores for tool in tools}
    ours = _run(partial(by_course.grade, jobs=args.jobs), submissions)
    show_tricks(tricks, {**scores, "course grade": ours.scores})


def _run(grader: Grader, submissions: list[Submission]) -> Graded:
    """Grade in a new folder; the first of a class is right, and must get all points."""
    with tempfile.TemporaryDirectory(prefix="bench-grade-") as folder:
        graded = grader(submissions, Path(folder))
    first = submissions[0].student
    if first.startswith("student") and graded.scores.get(first, "10") != "10":
        got = graded.scores[first]
        raise ToolError(f"A right answer got {got}: this grader is not set up as it must be.")
    return graded


if __name__ == "__main__":
    sys.exit(main())
