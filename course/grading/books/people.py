"""Find a student by the name that a person wrote down."""

import unicodedata
from collections.abc import Sequence

from course.grading.books.spreadsheet import cell


def find_student(written: str, students: Sequence[str]) -> list[str]:
    """Return the students that are meant: one, if the name can be told.

    What grades.csv calls a student comes first, then the name itself, then what differs only in
    spaces, in apostrophes before it, or in the way accents are stored.
    """
    for form in (cell, str, _loose):
        name = written if form is cell else form(written)
        found = [student for student in students if form(student) == name]
        if found:
            return found
    return []


def _loose(name: str) -> str:
    composed = unicodedata.normalize("NFC", cell(name))
    return " ".join(composed.split()).lstrip("'").strip()
