"""Print what right answers give under a seed: run in a process of its own, before any other.

`python -m course.grading.right_answers SEED 5.1 5.2 …` prints JSON: by task, the evidence of the
visible and of the hidden check. No student's code ever runs in that process.
"""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from helpers.checks.task_evidence import Measured, read
from whygrad.codec import encoded

# The evidence of the right answer, of the visible and of the hidden check; and that by task.
Pair = tuple[Measured, Measured]
Expected = dict[str, Pair]


def read_answers(text: str) -> Expected:
    """Return the right answers that another process printed."""
    return {task: tuple(map(read, pair)) for task, pair in json.loads(text).items()}


class RightAnswers:
    """The evidence of right answers, which another process measures meanwhile."""

    def __init__(self, tasks: list[str], seed: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(seed), *tasks],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._said = ThreadPoolExecutor(1).submit(self._process.communicate)

    def text(self) -> str:
        """Return them as a line of JSON, once they are there.

        Raises:
            RuntimeError: that process failed.
        """
        said, complaints = self._said.result()
        if self._process.returncode:
            lines = complaints.strip().splitlines() or ["no reason given"]
            raise RuntimeError(f"the right answers cannot be measured ({lines[-1]})")
        return said

    def close(self) -> None:
        """End the process; anyone who waits for it is told that it failed."""
        self._process.kill()
        self._said.result()


if __name__ == "__main__":
    import torch

    from helpers.checks.references import with_slips

    torch.set_num_threads(1)
    seed = int(sys.argv[1])
    both = (False, True)
    found = {t: [encoded(with_slips(t, seed, hidden)) for hidden in both] for t in sys.argv[2:]}
    print(json.dumps(found))
