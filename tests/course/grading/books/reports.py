"""Make reports without grading: results as a run would keep them, and what it found."""

import csv
from pathlib import Path

from course.grading.books.publish import Choices, publish
from course.grading.reading.for_later import ForLater
from course.grading.reading.people import Person
from course.grading.reading.submissions import Found, PassedOver, Submission
from course.grading.report_folder import ReportFolder
from course.grading.results import Result, write_result
from helpers.checks.tasks import load
from tests.course.grading.books.samples import task
from tests.course.grading.classes import ROOT

KNOWN = ("05_square", "06_exp", "07_sinh")
TASKS = {name: load(int(name[:2])) for name in KNOWN}
WORTH = {name: sum(task.points for task in tasks) for name, tasks in TASKS.items()}


def work(student: str, exercise: str = "05_square", mark: str = "first", **changed) -> Result:
    """Return the result of a submission that passed; `changed` by task as t5_1=…"""
    tasks = [
        changed.pop(f"t{one.id.replace('.', '_')}", None)
        or task(one.id, one.points, max_points=one.points)
        for one in TASKS[exercise]
    ]
    return Result(student, exercise, mark, 5, tuple(tasks), work=mark, **changed)


def found(
    *results: Result,
    people: str = "",
    passed_over: tuple[PassedOver, ...] = (),
    later: tuple[ForLater, ...] = (),
) -> Found:
    """Return what a run found that led to these results; `people` are others, by first name."""
    submissions = [Submission(one.student, one.exercise, Path("x")) for one in results]
    names = {one.student for one in (*results, *passed_over) if one.student} | {*people.split()}
    everybody = tuple(Person(name) for name in sorted(names))
    return Found(tuple(submissions), everybody, passed_over, (), later)


class Report:
    """A report folder that runs are published into."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(
        self, *results: Result, people: str = "", passed_over=(), later=(), anew=0, **choices
    ) -> int:
        """Keep the results of a run, publish them; return the exit status."""
        folder = ReportFolder(self.path)
        for one in results:
            write_result(folder.result(one.student, one.exercise), one)
        known = {"exercises": KNOWN, **choices}
        lists = {"passed_over": tuple(passed_over), "later": tuple(later)}
        what = found(*results, people=people, **lists)
        try:
            return publish(ROOT, folder, what, Choices(**known), anew)
        finally:
            folder.close()

    def override(self, *lines: str) -> None:
        """Write overrides.csv."""
        text = "\n".join(["student,task,points,reason", *lines, ""])
        (self.path / "overrides.csv").write_text(text, encoding="utf-8")

    def rows(self, name: str) -> list[dict[str, str]]:
        """Return the rows of a table."""
        with (self.path / name).open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))

    def grades(self) -> dict[tuple[str, str], tuple[str, str]]:
        """Return status and points, by student and task."""
        rows = self.rows("grades.csv")
        return {(row["student"], row["task"]): (row["status"], row["points"]) for row in rows}

    def totals(self) -> dict[str, tuple[str, str]]:
        """Return total and maximum, by student."""
        return {row["student"]: (row["total"], row["max"]) for row in self.rows("summary.csv")}

    def pages(self) -> list[str]:
        """Return the feedback pages that there are."""
        return sorted(
            path.relative_to(self.path / "feedback").as_posix()
            for path in (self.path / "feedback").rglob("*.html")
        )

    @property
    def index(self) -> str:
        """Return the index page."""
        return (self.path / "index.html").read_text(encoding="utf-8")

    def bytes(self) -> dict[str, bytes]:
        """Return all files."""
        files = (path for path in self.path.rglob("*") if path.is_file())
        return {path.relative_to(self.path).as_posix(): path.read_bytes() for path in files}
