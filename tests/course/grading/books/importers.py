"""Read what goes back as the learning platforms do, by what their sources and guides say.

Moodle: mod/assign/feedback/offline/importgradeslib.php and locallib.php,
mod/assign/feedback/file/importziplib.php. Canvas: lib/gradebook_importer.rb.
"""

import csv
import io
import re
import zipfile


def moodle_grades(content: bytes) -> dict[str, float]:
    """Return the grades that Moodle takes from a worksheet, by participant."""
    headings, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig")))
    grade, identifier = headings.index("Grade"), headings.index("Identifier")
    assert "Last modified (grade)" in headings, "Moodle could not read the uploaded worksheet"
    found = {}
    for cells in rows:
        assert len(cells) == len(headings), "csvweirdcolumns"
        number = cells[identifier][len("Participant ") :]
        assert number.isdigit()
        if cells[grade].strip():
            found[number] = float(cells[grade].replace(" ", ""))
    return found


def moodle_feedback(content: bytes) -> dict[str, tuple[str, bytes]]:
    """Return the files that Moodle takes from an archive, by participant."""
    found = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            folder, file = name.split("/")
            parts = folder.split("_", 4)
            assert len(parts) >= 4
            assert parts[1].isdigit()
            assert parts[2] == "assignsubmission"
            assert parts[3] in ("file", "onlinetext")
            assert not file.startswith((".", "~"))
            assert not folder.startswith((".", "~"))
            found[parts[1]] = file, archive.read(name)
    return found


def canvas_grades(content: bytes) -> tuple[str, str, dict[str, str]]:
    """Return the assignment, its possible points, and the grades that Canvas sets, by student."""
    text = content.decode("utf-8")
    assert not text.startswith("\ufeff"), "a quotation mark after it would be malformed"
    headings, possible, *rows = csv.reader(io.StringIO(text))
    assert len(headings) > 3
    first = 2
    if "LastName" in headings[0]:
        assert "FirstName" in headings[1]
        first = 3
    else:
        assert "Student" in headings[0]
    assert "ID" in headings[first - 1]
    student_columns = first + 1
    if re.search(r"SIS\s+Login\s+ID", headings[first]):
        student_columns += 1
    elif re.search(r"SIS\s+User\s+ID", headings[first]):
        assert re.search(r"SIS\s+Login\s+ID", headings[first + 1])
        student_columns += 2 + bool(re.search(r"Integration\s+ID", headings[first + 2]))
        student_columns += bool(re.search(r"Root\s+Account", headings[student_columns - 1]))
    assert "Section" in headings[student_columns - 1]
    (assignment,) = headings[student_columns:]
    assert "Points Possible" in possible[0]
    grades = {cells[first - 1]: cells[student_columns] for cells in rows}
    assert "" not in grades.values(), "Canvas would delete the grade that it has"
    return assignment, possible[student_columns], grades


def canvas_feedback(content: bytes) -> dict[tuple[str, str], bytes]:
    """Return the files that Canvas takes from an archive, by student and file handed in.

    app/models/abstract_assignment.rb, infer_comment_context_from_filename.
    """
    found = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            parts = [part for part in name.split("_") if part != "LATE"]
            numbers = [part for part in parts if re.fullmatch(r"\d+", part)]
            student, file = parts[:2] if parts[0] == "anon" else numbers[:2]
            found[student, file] = archive.read(name)
    return found
