"""Print what right answers give under a seed: run in a process of its own, before any other.

`python -m course.grading.right_answers SEED 5.1 5.2 …` prints JSON: by task, the evidence of the
visible and of the hidden check. No student's code ever runs in that process.
"""

import json
import subprocess
import sys
from typing import Any

# By task: the evidence of the right answer, of the visible and of the hidden check.
Expected = dict[str, tuple[dict[str, Any], dict[str, Any]]]


def expected_of(tasks: list[str], seed: int) -> Expected:
    """Return the evidence of right answers, made in another process.

    Raises:
        RuntimeError: that process failed.
    """
    command = [sys.executable, "-m", __name__, str(seed), *tasks]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        raise RuntimeError(f"the right answers cannot be measured ({lines[-1]})")
    return {task: tuple(pair) for task, pair in json.loads(done.stdout).items()}


if __name__ == "__main__":
    import torch

    from course.grading.inside import DIGITS
    from helpers.checks.references import with_slips
    from whygrad.measure.encode import digits

    torch.set_num_threads(1)
    seed = int(sys.argv[1])
    with digits(DIGITS):
        found = {t: [with_slips(t, seed, hidden) for hidden in (False, True)] for t in sys.argv[2:]}
    print(json.dumps(found))
