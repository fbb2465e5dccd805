"""Submissions are found in whatever form learning platforms hand them out."""

import json
from pathlib import Path

import pytest

from course.grading.reading import collect
from course.grading.reading.submissions import Submission, SubmissionsError
from course.grading.reading.untrusted_files import UnreadableError
from tests.course.grading.reading.layouts import find, found_in, lay, notebook, pack, put, worked

LAYOUTS = {
    "folders": ("anna/05_square.ipynb", "bob/05_square.ipynb"),
    "nbgrader": ("submitted/anna/ps1/05_square.ipynb", "submitted/bob/ps1/05_square.ipynb"),
    "moodle": (
        "anna_1234567_assignsubmission_file_/05_square.ipynb",
        "bob_1234568_assignsubmission_file/05_square.ipynb",
    ),
    "flat moodle": (
        "anna_1234567_assignsubmission_file_05_square.ipynb",
        "bob_1234568_assignsubmission_file_05_square.ipynb",
    ),
    "canvas": ("anna_12345_67890_05_square.ipynb", "bob_LATE_12346_67891_05_square-1.ipynb"),
}


@pytest.mark.parametrize("names", LAYOUTS.values(), ids=LAYOUTS)
@pytest.mark.parametrize("form", ["folder", "archive", "archive in a folder"])
def test_every_layout_is_found_in_every_form(tmp_path, names, form):
    root = tmp_path / "class"
    if form == "folder":
        lay(root, *names)
    else:
        root = pack(root / "all.zip", *names)
    expected = {("anna", "05_square"): names[0], ("bob", "05_square"): names[1]}
    assert found_in(root.parent if form == "archive in a folder" else root) == expected


def test_a_packed_folder_of_folders_is_unwrapped(tmp_path):
    names = ("hw/anna/05_square.ipynb", "hw/bob/05_square.ipynb", "__MACOSX/hw/._anna")
    assert find(pack(tmp_path / "hw.zip", *names)).students == ("anna", "bob")
    names = ("submissions/anna/05_square.ipynb", "submissions/bob/x.txt")
    assert find(pack(tmp_path / "other.zip", *names)).students == ("anna", "bob")


def test_nbgraders_submitted_folder_may_be_the_root_itself(tmp_path):
    lay(tmp_path, "submitted/anna/ps1/05_square.ipynb", "source/ps1/05_square.ipynb")
    (tmp_path / "submitted" / "carl").mkdir()
    for root in (tmp_path, tmp_path / "submitted"):
        assert find(root).students == ("anna", "carl")
    assert find(tmp_path).notes == ("source: no student's, but nbgrader's, beside submitted.",)


def test_students_are_sorted_and_those_without_work_are_known(tmp_path):
    lay(tmp_path, "bob/06_exp.ipynb", "bob/05_square.ipynb", "Anna/05_square.ipynb", "dan/a.py")
    (tmp_path / "carl").mkdir()
    found = find(tmp_path)
    assert [(one.student, one.exercise) for one in found.submissions] == [
        ("Anna", "05_square"),
        ("bob", "05_square"),
        ("bob", "06_exp"),
    ]
    assert found.students == ("Anna", "bob", "carl", "dan")
    (passed,) = found.passed_over
    assert (passed.student, passed.file) == ("dan", "dan/a.py")
    assert passed.reason.startswith("a.py is a Python script, not a notebook.")


def test_only_the_exercises_asked_for_are_found(tmp_path):
    lay(tmp_path, "anna/05_square.ipynb", "anna/06_exp.ipynb", "bob/06_exp.ipynb")
    found = find(tmp_path, "05_square")
    assert [one.path.name for one in found.submissions] == ["05_square.ipynb"]
    assert found.students == ("anna", "bob")
    said = "06_exp of anna, bob is none of the exercises to grade. The report remembers it."
    assert found.notes == (said,)


def test_a_students_own_archive_is_looked_into(tmp_path):
    pack(tmp_path / "anna" / "work.zip", "hw/05_square.ipynb")
    pack(tmp_path / "bob_1_2_work.zip", "05_square.ipynb")
    lay(tmp_path, "carl/broken.zip")
    found = find(tmp_path)
    assert [one.student for one in found.submissions] == ["anna", "bob"]
    assert found.students == ("anna", "bob", "carl")
    (passed,) = found.passed_over
    assert (passed.student, passed.file) == ("carl", "carl/broken.zip")
    assert passed.reason.startswith("broken.zip is damaged, or no zip archive.")


def test_after_archives_with_too_many_files_no_other_of_that_student_is_opened(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(collect, "_MOST_OF_ONE", 2)
    for number in (1, 2):
        pack(tmp_path / "anna" / f"{number}.zip", "05_square.ipynb", "a.py")
    pack(tmp_path / "bob" / "1.zip", "06_exp.ipynb")
    found = find(tmp_path)
    assert [(one.student, one.path.name) for one in found.submissions] == [
        ("anna", "1.zip"),
        ("bob", "1.zip"),
    ]
    reasons = [one.reason for one in found.passed_over if one.file == "anna/2.zip"]
    assert len(reasons) == 1
    assert reasons[0].startswith("anna/2.zip comes after archives with too many files.")


def test_a_folder_that_looks_like_a_download_is_told(tmp_path):
    lay(tmp_path, "hw5/Anna Li_1_assignsubmission_file_/05_square.ipynb")
    lay(tmp_path, "anna/lab_3_2_mine.ipynb")
    told = [one for one in find(tmp_path).passed_over if not one.student]
    assert [one.file for one in told] == ["hw5"]
    assert told[0].reason.endswith(
        "If it is a download of many students' work, grade it by itself."
    )


def test_a_report_among_the_submissions_is_no_student(tmp_path):
    lay(tmp_path, "anna/05_square.ipynb", "report/results/anna/05_square.json", "report/index.html")
    put(tmp_path / "report" / "run.json", '{"seed": 1, "versions": {}}')
    found = find(tmp_path)
    assert (found.students, found.passed_over) == (("anna",), ())


def test_a_submission_is_plain_data():
    assert Submission("a", "05_square", Path("x")) == Submission("a", "05_square", Path("x"), ())


def test_there_must_be_something_to_grade(tmp_path):
    with pytest.raises(SubmissionsError, match=r"There is no .*nowhere: give the folder"):
        find(tmp_path / "nowhere")
    with pytest.raises(SubmissionsError, match="holds no submission: there should be"):
        find(tmp_path)
    with pytest.raises(SubmissionsError, match="holds no submission: there should be"):
        find(lay(tmp_path, "README.md"))
    with pytest.raises(SubmissionsError, match=r"broken\.zip is damaged"):
        find(lay(tmp_path / "b", "broken.zip"))
    with pytest.raises(SubmissionsError, match="is damaged, or no zip archive"):
        find(put(tmp_path / "05_square.ipynb", worked()))
    with pytest.raises(SubmissionsError, match="is not a regular file"):
        find(Path("/dev/null"))


def test_unreadable_error_is_what_read_raises(tmp_path):
    with pytest.raises(UnreadableError, match="cannot be read"):
        Submission("anna", "05_square", tmp_path / "gone.ipynb").read()


def test_work_of_an_exercise_that_is_not_graded_now_is_noted_for_later(tmp_path):
    put(tmp_path / "anna" / "05_square.ipynb", worked())
    put(tmp_path / "anna" / "06_exp.ipynb", worked("06_exp"))
    put(tmp_path / "bob" / "05_square.ipynb", worked())
    put(tmp_path / "bob" / "06_exp.ipynb", json.dumps(notebook("06_exp")))
    put(tmp_path / "eva" / "05_square.ipynb", worked())
    put(tmp_path / "eva" / "06_exp.py", "class Exp(torch.autograd.Function): pass")
    noted = [(one.student, one.exercise, one.file) for one in find(tmp_path, "05_square").later]
    assert noted == [
        ("anna", "06_exp", "anna/06_exp.ipynb"),
        ("eva", "06_exp", "eva/06_exp.py"),
    ]
    assert {one.download for one in find(tmp_path, "05_square").later} == {tmp_path.name}
    assert find(tmp_path).later == ()
