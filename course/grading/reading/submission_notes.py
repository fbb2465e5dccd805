"""Say what was passed over among the submissions."""

from collections.abc import Sequence

from course.grading.reading.file_names import (
    exercise_of,
    is_notebook,
    owner_of_file,
    owner_of_folder,
)
from course.grading.reading.students import Work

_MOST_NAMES = 3


def taken_of_several(best: Work, rest: Sequence[Work], exercise: str) -> list[str]:
    """Say which notebook was taken where there is more than one for an exercise."""
    if not rest:
        return []
    others = _listed([_where(each) for each in rest])
    return [f"{best.student} has more than one {exercise}: {_where(best)} counts, not {others}."]


def notes_on(work: Sequence[Work], exercises: Sequence[str]) -> list[str]:
    """Say which notebooks are none of the exercises, or nobody's, and who has none that counts."""
    notes = []
    unknown: dict[str, list[str]] = {}
    counted: set[str] = set()
    files: dict[str, list[str]] = {}
    for each in work:
        if each.student and exercise_of(each.name, exercises):
            counted.add(each.student)
        elif is_notebook(each.name) and each.student:
            unknown.setdefault(each.name, []).append(each.student)
        elif is_notebook(each.name):
            notes.append(f"{_where(each)} is passed over: nothing says whose it is.")
        elif each.student and each.name:
            files.setdefault(each.student, []).append(each.name)
    for name, students in sorted(unknown.items()):
        who = _listed(sorted(set(students)))
        notes.append(f"{name} of {who} is none of the exercises to grade.")
    for student in sorted(files.keys() - counted):
        notes.append(f"{student} handed in nothing that counts, only {_listed(files[student])}.")
    return notes + _downloads(work)


def _downloads(work: Sequence[Work]) -> list[str]:
    """Say which folder looks like a download of many students' work, and was taken for one's."""
    found = {}
    for each in work:
        parts = each.item.parts
        plain = not each.item.owner and not owner_of_folder(parts[0]).number
        if plain and len(parts) > 1 and owner_of_file(parts[1]):
            found[parts[0]] = each.student
    return [
        f"{folder} was taken for one student's folder: if it is a download of many students' "
        "work, grade it by itself."
        for folder in found
    ]


def _where(work: Work) -> str:
    return "/".join(work.item.parts)


def _listed(names: Sequence[str]) -> str:
    if len(names) > _MOST_NAMES:
        return f"{', '.join(names[: _MOST_NAMES - 1])} and {len(names) - _MOST_NAMES + 1} more"
    return ", ".join(names)
