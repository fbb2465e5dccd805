"""Time `course check`, and the check cells of all exercises."""

import contextlib
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import torch
from table import Row, alternate, seconds, some

from course.notebooks.kernels import kernel_process
from course.notebooks.nbval_kernel import WatchedKernel
from helpers.checks.answer_check import Check, check

ROOT = Path(__file__).parents[1]
FIRST = """
import torch
from time import perf_counter
from helpers import check
from helpers.checks.references import reference
answer = reference("5.1")
check, start = check.__call__, perf_counter()
check("5.1", answer)
print(perf_counter() - start)
"""


def checking_exercises() -> Iterator[Row]:
    """Time `course check` on every solved exercise, over a kernel that only imports torch."""
    ours, bare, ratios = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for solution in some(sorted((ROOT / "solutions").glob("*.ipynb"))):
            copy = Path(folder, solution.name)
            copy.write_bytes(solution.read_bytes())
            times, (ratio, _) = alternate(lambda copy=copy: _check(copy), _kernel, runs=3)
            ours.append(times[0])
            bare.append(times[1])
            ratios.append(ratio)
    if not ours:
        yield Row("course check: no solutions, not measured", "–", "–")
        return
    whole, kernel = statistics.median(ours), statistics.median(bare)
    share = statistics.median(a - b for a, b in zip(ours, bare, strict=True))
    yield Row(
        "course check, over a kernel that imports torch",
        f"{whole:.2f} s",
        f"{kernel:.2f} s",
        statistics.median(ratios),
        1.5,
    )
    yield Row("  in seconds", f"{whole:.2f} s", "–", whole, 3.0)
    yield Row("  our share, in seconds", f"{share:.2f} s", "–", share, 0.5)


def check_cells() -> Iterator[Row]:
    """Time the check cells of all stubs and solutions: right and wrong answers, with pictures."""
    times = []
    _python("from runpy import run_module; run_module('helpers.checks.known', run_name='__main__')")
    torch.compile(torch.sin, backend="aot_eager")(torch.ones(1))  # PyTorch's compiler has to start
    # Noting the progress is part of a check, but not in the reader's own file.
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.dict(os.environ, COURSE_PROGRESS=str(Path(folder, "progress.json"))),
    ):
        for kind in ("exercises", "solutions"):
            for path in some(sorted((ROOT / kind).glob("??_*[a-z].ipynb"))):
                times += _cells(path)
    first = float(_python(FIRST).split()[-1])
    yield Row(
        "first check cell of a session, in seconds", f"{first * 1e3:.0f} ms", "–", first, 0.25
    )
    if times:
        middle, slowest = statistics.median(times), max(times)
        title = f"slowest of {len(times)} check cells, in seconds"
        shown = f"{slowest * 1e3:.0f} ms"
        yield Row(title, shown, f"median {middle * 1e3:.0f} ms", slowest, 0.25)


def _check(notebook: Path) -> None:
    command = [sys.executable, "-m", "course.cli", "check", str(notebook)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def _kernel() -> None:
    with kernel_process(ROOT, "torch") as process:
        WatchedKernel(process).stop()


def _python(code: str) -> str:
    command = [sys.executable, "-c", code]
    environment = {**os.environ, "COURSE_PROGRESS": "off"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    return done.stdout


def _cells(path: Path) -> list[float]:
    """Run a notebook's code here; return the seconds of each visible check."""
    times: list[float] = []

    class Timed(Check):
        def __call__(self, task_id: str, *answers: object) -> None:
            times.append(seconds(lambda: check(task_id, *answers)))

        def hidden(self, task_id: str, *answers: object) -> None:
            """Leave the hidden checks out."""

    names: dict[str, object] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in json.loads(path.read_bytes())["cells"]:
            code = "".join(cell["source"])
            if cell["cell_type"] == "code" and not code.startswith("%"):
                with contextlib.suppress(Exception):  # a stub may raise, as in a notebook
                    exec(code, names)
                names["check"] = Timed()
    return times
