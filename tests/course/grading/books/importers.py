"""Read what goes back as the learning platforms do, by what their sources and guides say.

Moodle: mod/assign/feedback/offline/importgradeslib.php and locallib.php,
mod/assign/feedback/file/importziplib.php. Canvas: lib/gradebook_importer.rb.
"""

import csv
import io
import re
import zipfile

_MOODLE_FILE = re.compile(
    r"[^.~/_][^/_]*_(\d+)_assignsubmission_(?:file|onlinetext)_?/([^.~/][^/]*)", re.DOTALL
)
_CANVAS_FILE = re.compile(r"(?:.*?_)??(?:LATE_)?(anon|\d+)_([^_]+)_.*", re.DOTALL)
_OF_STUDENTS = re.compile(
    r"(?:Student|LastName,FirstName),ID,"
    r"(?:SIS Login ID,|SIS User ID,SIS Login ID,(?:Integration ID,)?(?:Root Account,)?)?Section"
)


def moodle_grades(content: bytes) -> dict[str, float]:
    """Return the grades that Moodle takes from a worksheet, by participant."""
    headings, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig")))
    assert "Last modified (grade)" in headings, "Moodle could not read the worksheet"
    assert all(len(row) == len(headings) for row in rows), "csvweirdcolumns"
    number, grade = map(headings.index, ("Identifier", "Grade"))
    return {row[number].split()[1]: float(row[grade]) for row in rows if row[grade].strip()}


def moodle_feedback(content: bytes) -> dict[str, tuple[str, bytes]]:
    """Return the files that Moodle takes from an archive, by participant."""
    found = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            number, file = _MOODLE_FILE.fullmatch(name).groups()
            found[number] = file, archive.read(name)
    return found


def canvas_grades(content: bytes) -> tuple[str, str, dict[str, str]]:
    """Return the assignment, its possible points, and the grades that Canvas sets, by student."""
    text = content.decode("utf-8")
    assert not text.startswith("\ufeff"), "a quotation mark after it would be malformed"
    headings, possible, *rows = csv.reader(io.StringIO(text))
    assert _OF_STUDENTS.fullmatch(",".join(headings[:-1]))
    assert "Points Possible" in possible[0]
    grades = {cells[headings.index("ID")]: cells[-1] for cells in rows}
    assert "" not in grades.values(), "Canvas would delete the grade that it has"
    return headings[-1], possible[-1], grades


def canvas_feedback(content: bytes) -> set[tuple[str, str]]:
    """Return whose files Canvas takes from an archive: student and file handed in.

    app/models/abstract_assignment.rb, infer_comment_context_from_filename.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {_CANVAS_FILE.fullmatch(name).groups() for name in archive.namelist()}
