"""What the client and the scheduler of a cluster take, and what that means for a larger one."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from table import show_columns

_MANY, _NODES, _CORES = 100_000, 50, 16  # what the model is asked
_MB = 2**20
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Moment:
    """How far a run is, and what it has taken: seconds of processors, and memory.

    Attributes:
        seconds: since its start.
        graded: results in the report, without those of earlier runs.
        client_cpu, client_mb: of the client.
        scheduler_cpu, scheduler_mb: of the scheduler, since the start of the run.
    """

    seconds: float
    graded: int
    client_cpu: float
    client_mb: float
    scheduler_cpu: float
    scheduler_mb: float


class Watched:
    """A client and its scheduler, by their processes; the run begins now."""

    def __init__(self, client: int, scheduler: int, report: Path) -> None:
        self._client, self._scheduler, self._report = client, scheduler, report
        self._start, self._before = time.monotonic(), self._results()
        self._scheduler_cpu = _cpu(scheduler)

    def now(self) -> Moment | None:
        """Return how it stands, or None if the client has ended."""
        try:
            return Moment(
                time.monotonic() - self._start,
                self._results() - self._before,
                *(_cpu(self._client), _memory(self._client)),
                *(_cpu(self._scheduler) - self._scheduler_cpu, _memory(self._scheduler)),
            )
        except OSError:
            return None

    def _results(self) -> int:
        place = self._report / "results"
        return sum(1 for _ in place.iterdir()) if place.is_dir() else 0


def show_costs(moments: list[Moment], submissions: int, workers: int, of_worker: float) -> None:
    """Print the rate of each worker; of a hollow run also the costs, and a model of many of them.

    Args:
        moments: of one run, in order.
        submissions: of the class, all of which are read, also those that were graded before.
        workers: that graded.
        of_worker: submissions a second that one grades, where grading was left out; 0 elsewhere.
    """
    first = next((one for one in moments if one.graded), moments[-1])
    last = next(one for one in moments if one.graded == moments[-1].graded)
    if first.graded == last.graded:
        print("Too little was graded for a rate.")
        return
    rate = (last.graded - first.graded) / (last.seconds - first.seconds)
    print(f"{rate:.2f} submissions a second, {rate / workers:.2f} for each of {workers} workers,")
    print(f"  from the first result to the last; {first.seconds:.0f} s until the first.\n")
    if not of_worker:  # the others mostly wait, which takes something, too
        return
    reading = first.client_cpu / submissions
    sending = (last.client_cpu - first.client_cpu) / (last.graded - first.graded)
    writing = (moments[-1].client_cpu - last.client_cpu) / last.graded
    scheduling = last.scheduler_cpu / last.graded
    grading = 1 / of_worker
    costs = {
        "client: read and compare": (reading, 1),
        "client: send and keep": (sending, 1),
        "client: write the report": (writing, 1),
        "scheduler": (scheduling, 1),
        "a worker: grade": (grading, _NODES * _CORES),
    }
    takes = {what: _MANY * each / many for what, (each, many) in costs.items()}
    rows = [(what, f"{1000 * each:.2f}", f"{takes[what]:.0f}") for what, (each, _) in costs.items()]
    heads = ("what", "ms each", f"s for {_MANY:,} on {_NODES} nodes of {_CORES} cores")
    show_columns([heads, *rows])
    read, send, write, *others = takes.values()
    print(f"\nIn all {read + max(send, *others) + write:.0f} s: what is sent is graded meanwhile.")
    print(f"The bottleneck is {max(takes, key=takes.get)}.")
    cores = grading / max(sending, scheduling)
    print(f"Beyond {cores:.0f} cores that grade, more of them make it no faster.")


def _cpu(process: int) -> float:
    """Return the seconds of processors that a process has used."""
    return sum(map(int, _stat(process)[11:13])) / _TICKS


def _memory(process: int) -> float:
    if _stat(process)[0] == "Z":
        raise ProcessLookupError(f"process {process} has ended")
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * _PAGE / _MB


def _stat(process: int) -> list[str]:
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
