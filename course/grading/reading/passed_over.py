"""Say what of all that was handed in is not graded, and who has to look at it."""

import os
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from course.grading.reading.sorting import Sorted, Suspect
from course.grading.reading.students import Work, downloads_taken_for_folders, read_item
from course.grading.reading.suspicion import EMAILS, ending
from course.grading.reading.untrusted_files import MOST_BYTES, UnreadableError, open_regular

_MOST = 10  # files of a student that are named
_MOST_OF_NOBODY = 500
_MOST_NAMES = 3
# What an instructor can do; the student, who reads the reason, need not know.
ASK = "Ask for their notebook, or set the points in overrides.csv."


@dataclass(frozen=True)
class PassedOver:
    """Something that may be somebody's work, and cannot be graded as it is.

    Attributes:
        student: whose it is; "" if nothing says so.
        file: where it lay, as it was handed in.
        reason: a sentence that says why, and what to do where it is nobody's.
        exercise: which it seems to be; "" if nothing says so.
        work: hash of what it holds; "" where that is not known.
    """

    student: str
    file: str
    reason: str
    exercise: str = ""
    work: str = ""


def passed_over_of(
    works: Sequence[Work],
    found: Sorted,
    done: Collection[tuple[str, str]],
    graded: Collection[str],
    perhaps: Collection[str] = (),
) -> list[PassedOver]:
    """Return what may be work, and needs a person.

    Args:
        works: all that was handed in.
        found: the same, sorted.
        done: of whom there is what to grade: students and exercises.
        graded: the exercises to grade.
        perhaps: archives that were taken for one student's, and may be a class's.
    """
    lacking = _Lacking(done, graded)
    listed = [_passed(one) for one in found.suspects if lacking.may_need(one)]
    for (student, exercise), candidates in found.candidates.items():
        if not student and lacking.concerns(exercise):
            listed += [
                PassedOver("", one.file, _nobodys(one.file), exercise)
                for one in candidates
                if one.is_handed_in
            ]
    told = {one.file for one in listed}
    listed += [one for one in _of_another_week(found, done, graded) if one.file not in told]
    working = {student for student, _ in found.candidates} | {one.student for one in listed}
    for student in sorted(found.others.keys() - working):
        names = found.others[student]
        reason = f"Nothing was handed in that can be graded, only {some(names)}."
        listed.append(PassedOver(student, names[0], reason))
    taken = downloads_taken_for_folders(works, perhaps)
    listed += [PassedOver("", *said) for said in taken.items()]
    kept = _not_too_many(sorted(listed, key=lambda one: (one.student, one.file)))
    return _with_hashes(kept, works)


def _with_hashes(listed: list[PassedOver], works: Sequence[Work]) -> list[PassedOver]:
    """Return them with hashes: of the file, or else of some of the student's."""
    places, students = {}, {}
    for work in works:
        if not work.item.is_folder:
            places[work.student, "/".join(work.item.parts)] = [work]
            students.setdefault(work.student, []).append(work)
    found = []
    for one in listed:
        default = students.get(one.student, []) if one.student else []
        files = places.get((one.student, one.file), default)
        found.append(replace(one, work=_hash(files[:_MOST])) if files else one)
    return found


def _hash(works: Sequence[Work]) -> str:
    digest = sha256()
    for work in works:
        try:
            content = read_item(work.item)
        except UnreadableError:
            content = _beginning(work)
        digest.update(sha256(content).digest())
    return digest.hexdigest()


def _beginning(work: Work) -> bytes:
    """Return the size and the beginning of a file, or of the archive that it is in."""
    try:
        with open_regular(work.item.path) as file:
            return f"{os.fstat(file.fileno()).st_size} ".encode() + file.read(MOST_BYTES)
    except (OSError, UnreadableError):
        return b""


class _Lacking:
    """What is not there to be graded."""

    def __init__(self, done: Collection[tuple[str, str]], graded: Collection[str]) -> None:
        self._done, self._graded = done, graded
        self._count = Counter(student for student, _ in done)

    def concerns(self, exercise: str) -> bool:
        """Tell whether an exercise is graded, or may be."""
        return not exercise or not self._graded or exercise in self._graded

    def may_need(self, one: Suspect) -> bool:
        """Tell whether somebody has to know of a file."""
        student = one.work.student
        if not self.concerns(one.exercise):
            return False
        if not student:
            return True
        if one.is_own or not one.is_certain:
            is_there = (student, one.exercise) in self._done
            return not is_there and self._count[student] < max(len(self._graded), 1)
        return True


def _passed(one: Suspect) -> PassedOver:
    file = "/".join(one.work.item.parts)
    reason = one.reason if one.work.student else f"{one.reason} {_nobodys(file)}"
    return PassedOver(one.work.student, file, reason, one.exercise)


def _nobodys(file: str) -> str:
    asked = f"Nothing says whose {file} is"
    if ending(file) in EMAILS:
        return f"{asked}: save what is attached to it into a folder of the student's name."
    return (
        f"{asked}: put it into a folder of the student's name, or let the file's name hold their "
        "whole name, and give a list of the class with --roster."
    )


def _not_too_many(listed: list[PassedOver]) -> list[PassedOver]:
    kept, seen = [], Counter[str]()
    for one in listed:
        seen[one.student] += 1
        if seen[one.student] <= (_MOST if one.student else _MOST_OF_NOBODY):
            kept.append(one)
    for student, count in seen.items():
        most = _MOST if student else _MOST_OF_NOBODY
        if count > most:
            reason = f"{count - most} more files are not graded."
            kept.append(PassedOver(student, "", reason))
    return kept


def notes_on(found: Sorted, graded: Collection[str]) -> list[str]:
    """Return sentences on what needs nobody: other exercises, the course's own files."""
    own = sorted({one.work.student for one in found.suspects if one.is_own and one.work.student})
    notes = [f"The course's own solutions count for nobody ({some(own)})."] * bool(own)
    if found.beside:
        said = "is nobody's work" if len(found.beside) == 1 else "are nobody's work"
        notes.append(f"{some(sorted(found.beside))} beside the submissions {said}.")
    left_out: dict[str, list[str]] = {}
    for (student, exercise), candidates in found.candidates.items():
        if student and exercise not in graded and any(one.is_handed_in for one in candidates):
            left_out.setdefault(exercise, []).append(student)
    for exercise, students in sorted(left_out.items()):
        said = f"{exercise} of {some(sorted(students))} is none of the exercises to grade."
        notes.append(f"{said} The report remembers it.")
    for file, exercise in _loose(found):
        if graded and exercise and exercise not in graded:
            notes.append(f"{file}, nobody's, is of {exercise}, none of the exercises to grade.")
    return notes


def _loose(found: Sorted) -> list[tuple[str, str]]:
    """Return files of which nothing says whose they are, and of which exercise each is."""
    suspects = [("/".join(one.work.item.parts), one) for one in found.suspects]
    there = {(file, one.exercise) for file, one in suspects if not one.work.student}
    for (student, exercise), candidates in found.candidates.items():
        there |= {(one.file, exercise) for one in candidates if not student and one.is_handed_in}
    return sorted(there)


def some(names: Sequence[str]) -> str:
    """Return some of these names, and how many more there are."""
    if len(names) > _MOST_NAMES:
        return f"{', '.join(names[: _MOST_NAMES - 1])} and {len(names) - _MOST_NAMES + 1} more"
    return ", ".join(names)


def _of_another_week(
    found: Sorted, done: Collection[tuple[str, str]], graded: Collection[str]
) -> list[PassedOver]:
    """Return what those handed in who have nothing to grade, if it is not what others have, too.

    In the download of one assignment such a notebook is a mistake; in a folder of the whole
    course's work it is another week's.
    """
    busy = {student for student, _ in done}
    handed_in = {
        key: own[0].file
        for key, candidates in found.candidates.items()
        if key[0] and (own := [one for one in candidates if one.is_handed_in])
    }
    counts = Counter(exercise for _, exercise in handed_in)
    usual = len({student for student, _ in handed_in}) / 2
    return [
        PassedOver(student, file, f"It is {exercise}, which is not graded now.")
        for (student, exercise), file in handed_in.items()
        if student not in busy
        and exercise not in graded
        and (counts[exercise] == 1 or counts[exercise] <= usual)
    ]
