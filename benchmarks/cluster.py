"""Grade a large class on a Dask cluster of this machine's processes: rate, memory, and a model.

`.venv/bin/python benchmarks/cluster.py --submissions 10000`, after `make cluster`. The class and
its report stay in `.build/bench-cluster/`: what was stopped goes on where it was. Seconds hold for
one machine; no test depends on them.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT))  # tests.answers is no part of the package

from grade_tools.cluster_costs import Moment, Watched, show_costs  # noqa: E402
from grade_tools.submissions import EXERCISE, a_class, write  # noqa: E402
from table import show_columns  # noqa: E402

PLACE = ROOT / ".build" / "cluster"
_WAYS = [PLACE, ROOT, Path(__file__).parent]
_ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, _WAYS))}
_GRADERS = {False: "course.cli", True: "grade_tools.hollow"}
_EVERY = 2.0  # seconds from one look to the next
_LINES = 12  # of the table


def main() -> int:
    """Print the table and the model; return the exit status."""
    args = _arguments()
    if not (PLACE / "made").is_file():
        print("`make cluster` installs what this needs.", file=sys.stderr)
        return 1
    kind = "hollow" if args.hollow else "class"
    folder = ROOT / ".build" / "bench-cluster" / f"{kind}-{args.submissions}"
    made = a_class(args.submissions)
    write(made, lambda student: folder / "handed_in" / student / f"{EXERCISE}.ipynb")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start", flush=True)
    with _cluster(args.workers, folder) as (address, scheduler):
        command = [sys.executable, "-m", _GRADERS[args.hollow], "grade", str(folder / "handed_in")]
        settings = folder / "course.toml"
        settings.write_text(f'[run]\nseed = 5\nscheduler = "{address}"\n', encoding="utf-8")
        command += ["-o", str(folder / "report"), "--course", str(settings)]
        client = subprocess.Popen(command, cwd=ROOT, env=_ENVIRONMENT, stdout=subprocess.DEVNULL)
        moments = _watch(client, scheduler, folder / "report", args.minutes * 60)
    _show(moments)
    show_costs(moments, args.submissions, args.workers, args.rate if args.hollow else 0.0)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--submissions", type=int, default=40, help="of the class (default: %(default)s)")
    add("--workers", type=int, default=2, help="processes of Dask (default: %(default)s)")
    add("--minutes", type=float, default=600, help="then it stops (default: %(default)s)")
    add("--hollow", action="store_true", help="leave out the grading itself; print the model")
    add("--rate", type=float, default=1.0, help="of a worker, for the model (default: %(default)s)")
    return parser.parse_args()


@contextmanager
def _cluster(workers: int, folder: Path) -> Iterator[tuple[str, int]]:
    """Start a scheduler and its workers as docs/cluster.md says; give its address and process."""
    with tempfile.TemporaryDirectory() as place, (folder / "dask.log").open("w") as log:
        start = [sys.executable, "-m", "dask"]
        about = ["--no-dashboard", "--scheduler-file", f"{place}/scheduler.json"]
        options = {"cwd": ROOT, "env": _ENVIRONMENT, "stdout": log, "stderr": log}
        alone = ["--host", "127.0.0.1", "--port", "0"]
        scheduler = subprocess.Popen([*start, "scheduler", *alone, *about], **options)
        many = ["--nworkers", str(workers), "--nthreads", "1", "--local-directory", place]
        nodes = subprocess.Popen([*start, "worker", *many, *about], **options)
        try:
            yield _address(Path(place, "scheduler.json"), scheduler), scheduler.pid
        finally:
            for process in (nodes, scheduler):
                process.terminate()
                process.wait()


def _address(file: Path, scheduler: subprocess.Popen) -> str:
    while not file.exists():
        if scheduler.poll() is not None:
            raise SystemExit("The scheduler has ended: dask.log beside the class says why.")
        time.sleep(0.1)
    return json.loads(file.read_text())["address"]


def _watch(client: subprocess.Popen, scheduler: int, report: Path, most: float) -> list[Moment]:
    """Look at the client and the scheduler until the client ends, or its time is over."""
    watched = Watched(client.pid, scheduler, report)
    moments = [watched.now()]
    while client.poll() is None:
        time.sleep(_EVERY)
        moments.append(watched.now() or moments[-1])
        if moments[-1].seconds > most:
            client.terminate()  # what it has kept stays
            client.wait()
    return moments


def _show(moments: list[Moment]) -> None:
    step = max(len(moments) // _LINES, 1)
    heads = (
        "seconds",
        "graded",
        "client, MB",
        "client, CPU s",
        "scheduler, MB",
        "scheduler, CPU s",
    )
    rows = [
        (
            *(f"{one.seconds:.0f}", str(one.graded)),
            *(f"{one.client_mb:.0f}", f"{one.client_cpu:.1f}"),
            *(f"{one.scheduler_mb:.0f}", f"{one.scheduler_cpu:.1f}"),
        )
        for one in [*moments[:-1:step], moments[-1]]
    ]
    show_columns([heads, *rows])
    print()


if __name__ == "__main__":
    sys.exit(main())
