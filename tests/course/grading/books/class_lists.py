"""Lists of students as learning platforms export them."""

from pathlib import Path

from course.grading.books.roster import RosterFile, read_roster
from tests.course.grading.classes import put

# The columns of Moodle's grading worksheet, with feedback comments enabled.
WORKSHEET = (
    'Identifier,"Full name","Email address",Status,Grade,"Maximum grade","Grade can be changed",'
    '"Last modified (submission)","Last modified (grade)","Feedback comments"\n'
)
# Canvas's gradebook: the second line holds the possible points.
GRADEBOOK = (
    'Student,ID,SIS User ID,SIS Login ID,Section,"05 Square (777)",Other (778),Final Score\n'
    "    Points Possible,,,,,10.0,5.0,(read only)\n"
)


def worksheet(*rows: tuple[int, str, str]) -> str:
    """Return a worksheet with a number, a name, and when they handed in, for each."""
    return WORKSHEET + "".join(
        f'"Participant {number}","{name}",{number}@x.org,Submitted,,10.00,Yes,"{time}",-,\n'
        for number, name, time in rows
    )


def gradebook(*rows: tuple[int, str, str]) -> str:
    """Return a gradebook with a number, a name, and a grade, for each."""
    return GRADEBOOK + "".join(
        f'"{name}",{number},s{number},login{number},A,{grade},4,80\n'
        for number, name, grade in rows
    )


def read(folder: Path, text: str) -> RosterFile:
    """Return the list that a text holds."""
    return read_roster(put(folder / "list.csv", text))
