"""What the files for all learning platforms have in common."""

import csv
import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from course.grading.books.gradebook import cell, number
from course.grading.books.identity import entries_by_student
from course.grading.books.roster import RosterFile
from course.grading.books.tally import has_page, points_of
from course.grading.results import Result

_DATE = (1980, 1, 1, 0, 0, 0)  # so that the same files give the same archive
_READABLE = 0o644 << 16


@dataclass
class PlatformFiles:
    """What a platform takes back for an exercise.

    Attributes:
        grades: a table; b"" for none.
        feedback: files for students by their names in an archive.
        notes: sentences on what is in neither.
    """

    grades: bytes = b""
    feedback: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def grade_of(result: Result) -> str:
    """Return the points as platforms read them; "" if there are none to give.

    That is so if nothing was handed in, and if a person has to look at it.
    """
    points = points_of(result) if has_page(result) else None
    return "" if points is None else str(number(points))


def worth_of(result: Result) -> str:
    """Return the points that an exercise is worth, as platforms read them."""
    return str(number(sum(task.max_points for task in result.tasks)))


def by_number(results: Sequence[Result], roster: RosterFile) -> dict[str, Result]:
    """Return the results of students on a list, by the platform's number."""
    people = [replace(one.person, name=one.student) for one in results]
    entries = entries_by_student(roster, people)
    return {entries[one.student].number: one for one in results if one.student in entries}


def unlike(assignment: str, said: str, result: Result) -> str:
    """Return a sentence if a platform's maximum is not that of the exercise; else ""."""
    worth = worth_of(result)
    try:
        if abs(float(said) - float(worth)) < 1e-6:
            return ""
    except ValueError:
        return ""  # it says none
    return (
        f"{assignment} has a maximum of {said} and {result.exercise} has {worth} points, so no "
        "table is written: make them the same on the platform, and export its table again."
    )


def table(rows: Iterable[Iterable[str]], mark: bool = True) -> bytes:
    """Return a table of cells as they are, with the mark by which spreadsheets know UTF-8.

    All are quoted, so that a sheet that splits at semicolons does not cut a name in two.
    """
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return file.getvalue().encode("utf-8-sig" if mark else "utf-8", "replace")


def guarded(text: str) -> str:
    """Return the text of a cell that no spreadsheet calculates; a dash alone is none.

    Some split at semicolons, and heed quotation marks in the first column alone.

    >>> guarded("-"), guarded("-1+1"), guarded("Ada"), guarded("x;=1")
    ('-', "'-1+1", 'Ada', "x;'=1")
    """
    return text if text == "-" else ";".join(map(cell, text.split(";")))


def plain(name: str) -> str:
    """Return the name of a file that every disk takes."""
    return "".join("-" if c in '/\\:*?"<>|' or not c.isprintable() else c for c in name)


def packed(files: Mapping[str, bytes]) -> bytes:
    """Return an archive, the same for the same files."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, _DATE)
            info.compress_type, info.create_system = zipfile.ZIP_DEFLATED, 3
            info.external_attr = _READABLE
            archive.writestr(info, files[name])
    return content.getvalue()
