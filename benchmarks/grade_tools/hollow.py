"""`course grade` whose machines answer at once: what is left is what the client and Dask cost."""

import json
import sys
from dataclasses import asdict, replace

from course import cli
from course.grading import pool
from course.grading.crew import READY
from course.grading.grade_submission import Graded
from course.grading.results import blank_tasks


def answer(set_up: str, order: str) -> str:
    """Say, in the place of `crew.work`, that everything passes."""
    if order == READY:
        return READY
    found = json.loads(order)
    code = "\n\n".join(found["sources"].values())
    passed = tuple(
        replace(one, points=one.max_points, diagnosis="ok", code=code)
        for one in blank_tasks(found["sheet"]["tasks"], "passed", "")
    )
    return json.dumps({**asdict(Graded(passed, doubtful=False)), "busy": False})


if __name__ == "__main__":
    from grade_tools import hollow

    pool.work = hollow.answer  # by the name that the workers can import
    sys.exit(cli.main())
