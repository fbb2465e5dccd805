"""Grade with `nbgrader autograde`, all submissions in one run: it has no parallel mode."""

import csv
import shutil
from pathlib import Path

from grade_tools.environments import environment, module
from grade_tools.graded import NOT_GRADED, Graded, between, shown, timed
from grade_tools.submissions import EXERCISE, ROOT, Submission, write

_CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "autograd"
c.ExecutePreprocessor.timeout = 60
"""


def grade(submissions: list[Submission], folder: Path) -> Graded:
    """Grade submissions in a new course folder.

    Raises:
        ToolError: nbgrader cannot be run.
    """
    _new_course(folder)
    write(submissions, lambda student: _notebook(folder / "submitted", student))
    # Status 1: there are submissions that it could not grade.
    whole = _nbgrader(folder, "autograde", EXERCISE, fine=(0, 1))
    _nbgrader(folder, "export", "--to=grades.csv")
    paths = [_notebook(folder / "autograded", one.student) for one in submissions]
    done = [path for path in paths if path.is_file()]
    scores = dict.fromkeys((one.student for one in submissions), NOT_GRADED)
    return Graded(
        len(submissions), whole / len(submissions), between(done), scores | _scores(folder, done)
    )


def _new_course(folder: Path) -> None:
    (folder / "nbgrader_config.py").write_text(_CONFIG)
    source = folder / "source" / EXERCISE
    source.mkdir(parents=True)
    shutil.copy(ROOT / "solutions" / f"{EXERCISE}.ipynb", source)
    _nbgrader(folder, "generate_assignment", EXERCISE)


def _nbgrader(folder: Path, *arguments: str, fine: tuple[int, ...] = (0,)) -> float:
    return timed([*module("nbgrader"), *arguments], folder, environment("nbgrader"), fine)[0]


def _notebook(folder: Path, student: str) -> Path:
    return folder / student / EXERCISE / f"{EXERCISE}.ipynb"


def _scores(folder: Path, done: list[Path]) -> dict[str, str]:
    graded = {path.parts[-3] for path in done}
    with (folder / "grades.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {
        row["student_id"]: shown(float(row["score"])) for row in rows if row["student_id"] in graded
    }
