"""What goes back to each student, and the files that it goes back in."""

import csv
import io
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from course.grading.books.gradebook import cell, number
from course.grading.books.roster import RosterEntry
from course.grading.reading.people import Person

_DATE = (1980, 1, 1, 0, 0, 0)  # so that the same files give the same archive
_READABLE = 0o644 << 16


@dataclass(frozen=True)
class HandedBack:
    """A grade and a page for a student.

    Attributes:
        student, exercise: as in grades.csv.
        person: what the platform that the work came from calls the student.
        entry: of theirs on the list of students; None if there is none.
        points: None where there is no grade to give: nothing was handed in, or a person has to
            look at it.
        max_points: of the exercise.
        page: the feedback; b"" if there is none to give.
        notebook: the same, in short, as a notebook.
        file: where the work lay in the download.
    """

    student: str
    exercise: str
    person: Person
    entry: RosterEntry | None
    points: float | None
    max_points: float
    page: bytes = b""
    notebook: bytes = b""
    file: str = ""

    @property
    def grade(self) -> str:
        """Return the points as platforms read them; "" if there are none to give."""
        return "" if self.points is None else str(number(self.points))


@dataclass
class PlatformFiles:
    """Files for a platform by their names, and sentences on what is in none of them."""

    files: dict[str, bytes] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


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


def differs(said: str, max_points: float) -> bool:
    """Return whether a platform's maximum is another than the exercise's."""
    try:
        return abs(float(said.strip().replace(",", ".")) - max_points) > 1e-6
    except ValueError:
        return False  # it says none
