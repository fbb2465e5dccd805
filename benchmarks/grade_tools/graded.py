"""What a grader made of a class: points and seconds."""

import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from grade_tools.environments import ToolError

NOT_GRADED = "not graded"


@dataclass(frozen=True)
class Graded:
    """What a grader made of a class.

    Attributes:
        count: how many submissions were timed.
        whole: seconds from the command to the prompt, over their number.
        each: seconds of each submission, by itself or from one finished to the next.
        scores: by student, what the grader says: points, or words where it gives none.
    """

    count: int
    whole: float
    each: list[float]
    scores: dict[str, str]

    @property
    def steady(self) -> float:
        """Return the seconds of a submission when the grader has started."""
        return statistics.mean(self.each)


def together(runs: Sequence[Graded]) -> Graded:
    """Return the median of runs of the same grader on the same class."""
    whole = statistics.median(run.whole for run in runs)
    return Graded(runs[0].count, whole, [t for run in runs for t in run.each], runs[0].scores)


def timed(
    command: Sequence[str],
    folder: Path,
    variables: Mapping[str, str],
    fine: tuple[int, ...] = (0,),
    limit: float = 1800,
) -> tuple[float, subprocess.CompletedProcess[str]]:
    """Run a command; return the seconds it took, and what it said.

    Raises:
        ToolError: its exit status is none of `fine`, or it takes longer than `limit` seconds.
    """
    start = time.perf_counter()
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        raise ToolError(f"{' '.join(command)} took longer than {limit:g} s.") from None
    if done.returncode not in fine:
        said = f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}"
        raise ToolError(said)
    return time.perf_counter() - start, done


def between(paths: Sequence[Path]) -> list[float]:
    """Return the seconds from one finished file to the next."""
    times = sorted(path.stat().st_mtime for path in paths)
    return [after - before for before, after in pairwise(times)]


def shown(points: float) -> str:
    """Return points as they stand in a table."""
    return f"{points:g}"
