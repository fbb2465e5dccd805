"""Run plain_exec.py, the lower bound of what grading costs, on submissions."""

import json
import os
import subprocess
import sys
from pathlib import Path

from grade_tools.environments import ROOT, ToolError
from grade_tools.graded import Graded
from grade_tools.submissions import Submission


def grade(submissions: list[Submission], folder: Path) -> Graded:
    """Time submissions; they get no points, since nothing here is safe from them.

    Raises:
        ToolError: the process failed.
    """
    script = Path(__file__).with_name("plain_exec.py")
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COURSE_PROGRESS": "off"},
        input=json.dumps([one.notebook for one in submissions]),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise ToolError(f"plain exec failed:\n{done.stderr[-2000:]}")
    each = json.loads(done.stdout)
    return Graded(len(each), sum(each) / len(each), each, {})
