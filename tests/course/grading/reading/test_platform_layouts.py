"""What platforms write beside and around the files says whose they are, to the last person."""

import zipfile

import pytest

from course.grading.reading.people import Person
from tests.course.grading.reading.layouts import find, put, worked

PEOPLE = {
    "submission_7": [("Ann Lee", "17")],
    "submission_8": [("Bob", "18"), ("Carl", "19")],
    "submission_9": [("Ann Lee", "20")],
}


def metadata() -> bytes:
    lines = []
    for folder, several in PEOPLE.items():
        lines += [f"{folder}:", "  :submitters:"]
        for name, number in several:
            lines += [f"  - :name: {name}", f"    :sid: '{number}'"]
        lines += ["  :created_at: 2026-11-20 12:00:00.5 Z"]
    return "\n".join(lines).encode()


def export(top: str = "assignment_1_export/") -> dict[str, bytes]:
    files = {f"{top}{folder}/05_square.ipynb": worked(mark=folder) for folder in PEOPLE}
    return {**files, f"{top}submission_metadata.yml": metadata()}


def packed(path, files: dict[str, bytes]):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def laid(path, files: dict[str, bytes]):
    for name, content in files.items():
        put(path / name, content)
    return path


def gradescope(name: str, number: str, folder: str) -> Person:
    return Person(name, "gradescope", number, folder)


GRADESCOPE = (
    gradescope("Ann Lee (17)", "17", "submission_7"),
    gradescope("Ann Lee (20)", "20", "submission_9"),
    gradescope("Bob", "18", "submission_8"),
    gradescope("Carl", "19", "submission_8"),
)


@pytest.mark.parametrize("form", ["zip", "renamed zip", "folder in a folder", "folder"])
def test_gradescopes_export_names_everybody_who_handed_in(tmp_path, form):
    if form == "folder":
        root = laid(tmp_path / "class", export(""))
    elif form == "folder in a folder":
        root = laid(tmp_path / "class", export())
    else:
        name = "hw5.zip" if form == "renamed zip" else "assignment_1_export.zip"
        root = packed(tmp_path / name, export())
    found = find(root)
    assert found.people == GRADESCOPE
    assert [one.student for one in found.submissions] == [one.name for one in GRADESCOPE]
    assert all(one.handed_in.startswith("2026-11-2") for one in found.submissions)
    assert found.submissions[2].read() == found.submissions[3].read() == worked(mark="submission_8")
    assert found.passed_over == ()


def test_an_archive_in_gradescopes_export_is_of_those_who_handed_it_in(tmp_path):
    files = export()
    root = laid(tmp_path / "class", files)
    folder = root / "assignment_1_export" / "submission_7"
    (folder / "05_square.ipynb").unlink()
    packed(folder / "work.zip", {"mine/05_square.ipynb": worked(mark="zip")})
    assert find(root).people == GRADESCOPE


def test_without_its_list_gradescopes_folders_stay_apart(tmp_path):
    files = {name: content for name, content in export().items() if "yml" not in name}
    assert find(laid(tmp_path / "class", files)).students == tuple(PEOPLE)


def test_a_students_own_list_names_nobody(tmp_path):
    files = {**export(), "assignment_1_export/submission_8/submission_metadata.yml": b"x"}
    inner = "submission_7:\n  :submitters:\n  - :name: Eve\n    :sid: '17'\n"
    files["assignment_1_export/submission_8/submission_metadata.yml"] = inner.encode()
    assert find(laid(tmp_path / "class", files)).people == GRADESCOPE


@pytest.mark.parametrize("form", ["zip", "folder", "folder in a folder"])
@pytest.mark.parametrize("slug", ["05-square", "homework-five"])
def test_github_classrooms_folders_are_of_their_users(tmp_path, form, slug):
    top = f"{slug}-submissions"
    files = {f"{top}/{slug}-{user}/exercises/05_square.ipynb": worked() for user in ("a-li", "bo")}
    if form == "zip":
        root = packed(tmp_path / f"{top}.zip", files)
    else:
        root = laid(tmp_path / "class", files)
        root = root / top if form == "folder" else root
    found = find(root)
    assert found.people == (
        Person("a-li", folder=f"{slug}-a-li"),
        Person("bo", folder=f"{slug}-bo"),
    )
    assert [one.student for one in found.submissions] == ["a-li", "bo"]


def test_nbgraders_students_have_their_numbers_and_times(tmp_path):
    files = {
        "submitted/ann/05_square/05_square.ipynb": worked(),
        "submitted/ann/05_square/timestamp.txt": b"2026-11-20 12:00:00.123456 UTC",
    }
    (one,) = find(laid(tmp_path, files)).submissions
    assert one.person == Person("ann", "nbgrader", "ann", "ann")
    assert one.handed_in.startswith("2026-11-2")


def test_downloads_that_were_unpacked_side_by_side_are_no_students(tmp_path):
    files = {
        "hw5/Ann Li_1_assignsubmission_file_/05_square.ipynb": worked(),
        "hw5/Bob_2_assignsubmission_file_/05_square.ipynb": worked(),
        "hw6/Ann Li_3_assignsubmission_file_/06_exp.ipynb": worked("06_exp"),
    }
    found = find(laid(tmp_path / "class", files))
    done = [(one.student, one.exercise, one.person.number) for one in found.submissions]
    assert done == [
        ("Ann Li", "05_square", "1"),
        ("Ann Li", "06_exp", "3"),
        ("Bob", "05_square", "2"),
    ]


def test_blackboards_receipts_tell_usernames_with_underscores(tmp_path):
    when = "attempt_2026-11-20-23-59-00"
    files = {}
    for user in ("a_b", "c_b"):
        files[f"Ex 5_{user}_{when}_05_square.ipynb"] = worked(mark=user)
    files[f"Ex 5_a_b_{when}.txt"] = b"Name: Ann B (a_b)\nAssignment: Ex 5\n"
    found = find(packed(tmp_path / "gradebook.zip", files))
    assert found.students == ("Ann B (a_b)", "c_b")
    assert {one.person.number for one in found.submissions} == {"a_b", "c_b"}
    assert {one.handed_in for one in found.submissions} == {"2026-11-20T23:59:00"}
