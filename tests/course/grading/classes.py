"""Make classes of students for the tests of grading, and read what became of them."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import psutil
import pytest
from hypothesis import strategies as st

from course.grading.bwrap_command import why_not

ROOT = Path(__file__).resolve().parents[3]
# Answers to 5.1.
RIGHT = """\
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y"""
WRONG = RIGHT.replace("2 * x", "3 * x")
ANYTHING = st.recursive(  # that JSON can hold
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
needs_walls = pytest.mark.skipif(bool(why_not()), reason=f"no walls on this machine: {why_not()}")


def solved(exercise: str = "05_square", **answers: str) -> str:
    """Return a solved notebook as a student would hand it in.

    Args:
        exercise: which one.
        answers: sources in place of the right ones, by cell id with _ for -.
    """
    notebook, own = (
        json.loads((ROOT / folder / f"{exercise}.ipynb").read_text(encoding="utf-8"))
        for folder in ("exercises", "solutions")
    )
    right = {cell["id"]: _as_own(cell) for cell in own["cells"] if cell["id"][:6] == "answer"}
    for cell in notebook["cells"]:
        cell["source"] = right.get(cell["id"], cell["source"])
    wanted = {name.replace("_", "-"): source for name, source in answers.items()}
    for cell in notebook["cells"]:
        if cell["id"] in wanted:
            cell["source"] = wanted.pop(cell["id"])
    assert not wanted, f"no such cells: {list(wanted)}"
    return json.dumps(notebook)


def _as_own(cell: dict) -> str:
    """Return a right answer as a student has it: without marks, and not the same word for word."""
    lines = "".join(cell["source"]).splitlines()
    return "\n".join([*(line for line in lines if "### " not in line), "pass"])


def hand_in(folder: Path, student: str, content: str, exercise: str = "05_square") -> Path:
    """Put a notebook where a student's submission is looked for."""
    return put(folder / student / f"{exercise}.ipynb", content)


def put(path: Path, content: bytes | str) -> Path:
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def command(submissions: Path, report: Path, *more: str, **run: object) -> list[str]:
    """Return the command line that grades a class; `run` is written below [run] in a file."""
    if run:
        file = report.with_name(f"{report.name}.toml")
        lines = [f"{key} = {json.dumps(value)}" for key, value in run.items()]
        file.write_text("\n".join(["[run]", *lines]), encoding="utf-8")
        more = (*more, "--course", str(file))
    arguments = ["grade", str(submissions), "-o", str(report), *more]
    return [sys.executable, "-m", "course.cli", *arguments]


def grade(
    submissions: Path,
    report: Path,
    *more: str,
    env: Mapping[str, str] = os.environ,
    **run: object,
) -> subprocess.CompletedProcess:
    """Grade a class by the command line."""
    return subprocess.run(
        command(submissions, report, *more, **run),
        cwd=ROOT,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**env, "TMPDIR": "/tmp"},
    )


def grades(report: Path) -> dict[tuple[str, str], tuple[str, float | None, str]]:
    """Return status, points (None where they are open) and diagnosis by student and task."""
    with (report / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {
            (row["student"], row["task"]): (
                row["status"],
                float(row["points"]) if row["points"] else None,
                row["diagnosis"],
            )
            for row in csv.DictReader(file)
        }


def results(report: Path) -> dict[str, dict]:
    """Return the stored results by their path, without what differs from run to run."""
    found = {}
    for path in sorted((report / "results").rglob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        data.pop("handed_in")
        found[str(path.relative_to(report))] = data
    return found


def children_of(parent: int) -> list[int]:
    """Return the processes that a process has started."""
    return [child.pid for child in psutil.Process(parent).children()]
