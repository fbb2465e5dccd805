"""Make reports without grading: results as a run would keep them, and what it found."""

import csv
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from course.grading.books.assign import Found, Pending
from course.grading.books.by_hand import decisions
from course.grading.books.course_file import CourseFile
from course.grading.books.members import members
from course.grading.books.overrides import read_overrides
from course.grading.books.publish import Choices, publish
from course.grading.books.roster import RosterEntry, RosterFile, roster_of
from course.grading.reading.layouts import Person
from course.grading.reading.sheet import read_sheet
from course.grading.report_folder import ReportFolder
from course.grading.results import Result, write_result
from helpers.checks.tasks import load
from tests.course.grading.books.samples import task
from tests.course.grading.classes import ROOT

NOTHING_SAID = CourseFile()
KNOWN = ("05_square", "06_exp", "07_sinh")
SHEETS = {name: read_sheet(ROOT, name) for name in KNOWN}
TASKS = {name: load(int(name[:2])) for name in KNOWN}


def work(student: str, exercise: str = "05_square", mark: str = "first", **changed) -> Result:
    """Return the result of a submission that passed; `changed` by task as t5_1=…"""
    tasks = [
        changed.pop(f"t{one.id.replace('.', '_')}", None)
        or task(one.id, one.points, max_points=one.points)
        for one in TASKS[exercise]
    ]
    return Result(student, exercise, mark, 5, tuple(tasks), work=mark, **changed)


class Report:
    """A report folder that runs are published into."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(
        self,
        *handed_in: Result | Pending,
        people: str = "",
        roster: RosterFile | None = None,
        course: CourseFile = NOTHING_SAID,
        exercises: tuple[str, ...] = (),
        times: Mapping[str, RosterEntry] | None = None,
    ) -> int:
        """Keep the results of a run, publish them; return the exit status.

        `people` are others who handed in, by first name; `exercises` are named.
        """
        results = [one for one in handed_in if isinstance(one, Result)]
        pending = [one for one in handed_in if isinstance(one, Pending)]
        names = [*people.split(), *(one.student for one in handed_in if one.student)]
        everybody = [Person(name) for name in names]
        everybody += [one.person for one in results if one.person.name]
        left = (replace(one, download="download") for one in pending)
        found = Found(dict.fromkeys(results), tuple(everybody), tuple(left))
        with closing(ReportFolder(self.path)) as folder:
            for one in results:
                write_result(folder.result(one.student, one.exercise), one)
            overrides, wrong = read_overrides(self.path / "overrides.csv")
            listed = roster or roster_of(self.path, None)
            now = members(folder, listed, overrides, {})
            now = replace(now, directory=now.directory.with_people(found.people))
            said = decisions(overrides, now.directory, KNOWN)
            given = exercises, course, listed, now, said, wrong
            choices = Choices("download", 5, *given, times or {})
            return publish(ROOT, SHEETS, folder, found, choices, anew=1)

    def override(self, *lines: str) -> None:
        """Write overrides.csv."""
        text = "\n".join(["student,task,decision,reason", *lines, ""])
        (self.path / "overrides.csv").write_text(text, encoding="utf-8")

    def totals(self) -> dict[str, tuple[str, str]]:
        """Return total and maximum, by student."""
        with (self.path / "summary.csv").open(encoding="utf-8-sig", newline="") as file:
            return {row["student"]: (row["total"], row["max"]) for row in csv.DictReader(file)}

    def pages(self, folder: str = "feedback") -> list[str]:
        """Return the pages in a folder."""
        there = self.path / folder
        return sorted(path.relative_to(there).as_posix() for path in there.rglob("*.html"))
