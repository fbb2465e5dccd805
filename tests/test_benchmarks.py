"""Both benchmarks run from beginning to end, on as little as they can, and fill their tables."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.course.grading.classes import needs_walls

ROOT = Path(__file__).parents[1]
MISSING = [tool for tool in ("nbgrader", "otter") if not (ROOT / ".build" / tool / "made").exists()]
MEASURED = """
import helpers
trace 1,000 nodes
course check
in seconds
our share
first check cell
slowest of
diagnose Square, order 1
diagnose, order 1
diagnose Square, order 2
diagnose, order 2
diagnose Conv1d, wrong
diagnose, wrong
diagnose Square on 100,000
its calls of Square
draw Square's double backward
memory of the heaviest lesson
"""
pytestmark = [pytest.mark.proof, pytest.mark.slow]


def lines(script):
    """Run a benchmark on its smallest input; return the cells of its lines by the first of each."""
    command = [sys.executable, ROOT / "benchmarks" / script, "--smallest"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    rows = [re.split(r"\s{2,}", line.strip()) for line in done.stdout.splitlines()]
    return {first: rest for first, *rest in rows if rest}


def test_make_bench_gives_a_ratio_for_each_of_its_lines():
    found = lines("run.py")
    assert found.pop("what") == ["ours", "theirs", "ratio", "expected"]
    for what, begins in zip(found, MEASURED.strip().splitlines(), strict=True):
        assert what.startswith(begins)
    assert all(re.fullmatch(r"-?\d+\.\d\d", ratio) for _, _, ratio, *_ in found.values())
    (calls,) = (cells for what, cells in found.items() if what.startswith("its calls"))
    assert calls[-1] == "✓"  # a number of calls is the same on any machine


@needs_walls
@pytest.mark.skipif(bool(MISSING), reason=f"make {' '.join(MISSING)} installs other graders")
def test_make_bench_grade_runs_every_grader_and_each_gives_points():
    found = lines("grade.py")
    rows = list(found.values())
    heads, graders, tools, tricks = rows[0], rows[1:7], rows[7], rows[8:]
    assert heads == ["of", "whole run", "ratio", "steady", "ratio", "same points"]
    assert [cells[0] for cells in graders] == ["2", "1", "2", "2", "2", "2"]
    assert all(float(number) > 0 for cells in graders for number in cells[1:5])
    assert [cells[-1] for cells in graders[3:]] == ["2 of 2", "2 of 2", "–"]
    assert tools == ["fair", "course grade"]
    assert len(tricks) > 10
    assert [(fair, ours) for fair, ours in tricks if ours.split(",")[0] != fair] == []
