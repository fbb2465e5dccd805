"""Renamed notebooks are matched, and nothing that only looks like a file is followed."""

import os
from pathlib import Path

import pytest

from course.grading.reading.file_names import clean, exercise_of, is_ignored
from course.grading.reading.untrusted_files import UnreadableError
from tests.course.grading.reading.layouts import EXERCISES, find, found_in, lay, pack

RENAMED = (
    "05_square (1).ipynb",
    "05_square-2.ipynb",
    "05_square_2.ipynb",
    "05_square.1.ipynb",
    "05_Square.ipynb",
    "05_SQUARE.IPYNB",
    "Copy of 05_square.ipynb",
    "Kopie von 05_square.ipynb",
    "05_square-Copy1.ipynb",
    "05_square - final.ipynb",
    "anna_05_square.ipynb",
    "05 square.ipynb",
    "05-square.ipynb",
    "05_square.ipynb.txt",
    "05_square.ipynb.json",
)
OTHERS = ("05_squared.ipynb", "105_square.ipynb", "05_square.py", "square.ipynb", ".ipynb", "")


@pytest.mark.parametrize("name", RENAMED)
def test_a_renamed_notebook_is_matched_if_it_is_the_only_one(tmp_path, name):
    lay(tmp_path, f"anna/{name}")
    assert found_in(tmp_path) == {("anna", "05_square"): f"anna/{name}"}
    assert find(tmp_path).notes == ()


@pytest.mark.parametrize("name", OTHERS)
def test_other_names_are_none_of_the_exercises(name):
    assert exercise_of(name, EXERCISES) is None


def test_a_name_that_means_two_exercises_means_neither():
    assert exercise_of("05_square and 06_exp.ipynb", EXERCISES) is None


def test_the_longer_of_two_names_is_meant():
    names = ["05_square", "05_square_root"]
    assert exercise_of("05_square_root 2.ipynb", names)[0] == "05_square_root"
    assert exercise_of("05_square 2.ipynb", names)[0] == "05_square"


@pytest.mark.parametrize(
    ("names", "taken"),
    [
        (["05_square.ipynb", "05_square (7).ipynb", "05_square.1.ipynb"], "05_square.ipynb"),
        (["05_square (2).ipynb", "05_square (10).ipynb", "05_Square.ipynb"], "05_square (10)"),
        (["05_square-Copy1.ipynb", "Copy of 05_square.ipynb"], "05_square-Copy1.ipynb"),
    ],
)
def test_of_several_the_exact_name_or_else_the_newest_counts(tmp_path, names, taken):
    lay(tmp_path, *(f"anna/{name}" for name in names))
    ((key, held),) = found_in(tmp_path).items()
    assert key == ("anna", "05_square")
    assert held.startswith(f"anna/{taken}")
    (one,) = find(tmp_path).submissions
    assert len(one.remarks) == len(names) - 1
    assert one.remarks[0].split(" is not graded, but ")[1].startswith(f"anna/{taken}")


def test_of_several_of_the_same_name_the_one_changed_last_counts(tmp_path):
    lay(tmp_path, "anna/ps1/05_square.ipynb", "anna/ps2/05_square.ipynb")
    os.utime(tmp_path / "anna/ps1/05_square.ipynb", (2e9, 2e9))
    assert list(found_in(tmp_path).values()) == ["anna/ps1/05_square.ipynb"]


@pytest.mark.parametrize(
    "name",
    [".ipynb_checkpoints", "__MACOSX", ".x", "feedback", "Feedback", "Li_12_assignfeedback_file_"],
)
def test_what_is_no_work_is_ignored_at_the_top(tmp_path, name):
    assert is_ignored(name)
    lay(tmp_path, "anna/06_exp.ipynb", f"{name}/05_square.ipynb", f"{name}/bob/05_square.ipynb")
    assert list(found_in(tmp_path)) == [("anna", "06_exp")]
    assert find(tmp_path).students == ("anna",)


@pytest.mark.parametrize("form", ["folder", "archive", "folder in a folder"])
@pytest.mark.parametrize("name", ["__macosx", ".x", "feedback", "Li_12_assignfeedback_file_"])
def test_a_notebook_in_what_is_called_as_nobodys_is_told(tmp_path, form, name):
    names = ("anna/05_square.ipynb", f"{name}/05_square.ipynb", f"{name}/x.html")
    if form == "archive":
        root = pack(tmp_path / "class.zip", *names)
    else:
        root = lay(
            tmp_path / "class",
            *(names if form == "folder" else (f"submissions/{one}" for one in names)),
        )
    found = find(root)
    assert found.students == ("anna",)
    (passed,) = found.passed_over
    assert (passed.student, passed.exercise) == ("", "05_square")
    assert passed.file.endswith(f"{name}/05_square.ipynb")
    assert passed.reason.startswith(f"Nothing says whose {passed.file} is: put it into a folder")


@pytest.mark.parametrize(
    "name",
    [
        "__MACOSX/anna/._05_square.ipynb",
        ".ipynb_checkpoints/05_square-checkpoint.ipynb",
        ".venv/share/other.ipynb",
        ".git/config",
        "feedback/anna/05_square.html",
        "anna_12_assignfeedback_file_/05_square.ipynb",
    ],
)
def test_what_programs_lay_beside_submissions_asks_nobody(tmp_path, name):
    lay(tmp_path, "anna_12_assignsubmission_file_/05_square.ipynb", name)
    found = find(tmp_path)
    assert (found.students, found.passed_over, found.notes) == (("anna",), (), ())


@pytest.mark.parametrize("top", ["submitted", "class/submitted"])
def test_a_user_of_nbgrader_who_is_called_feedback_is_graded(tmp_path, top):
    users = ("ada", "feedback", "source")
    lay(tmp_path, *(f"{top}/{user}/05/05_square.ipynb" for user in users))
    found = find(tmp_path / top.partition("/")[0])
    assert found.students == users
    assert len(found.submissions) == 3


def test_a_notebook_that_is_nobodys_is_told(tmp_path):
    lay(tmp_path, "05_square.ipynb", "anna/05_square.ipynb", "README.md")
    (passed,) = find(tmp_path).passed_over
    assert (passed.student, passed.file) == ("", "05_square.ipynb")
    assert passed.reason.startswith("Nothing says whose 05_square.ipynb is: put it into a folder")


def test_a_linked_notebook_is_found_but_not_read(tmp_path):
    secret = tmp_path / "secret.ipynb"
    secret.write_text("secret")
    root = lay(tmp_path / "class", "anna/06_exp.ipynb")
    (root / "anna" / "05_square.ipynb").symlink_to(secret)
    square, _ = find(root).submissions
    with pytest.raises(UnreadableError, match=r"05_square\.ipynb is a link"):
        square.read()


@pytest.mark.parametrize("target", [".", "..", "../bob", "/", "/proc/self/root", "nowhere"])
def test_a_linked_folder_is_not_followed(tmp_path, target):
    root = lay(tmp_path / "class", "anna/05_square.ipynb", "bob/05_square.ipynb")
    (root / "anna" / "more").symlink_to(target)
    found = find(root)
    assert len(found.submissions) == 2
    (passed,) = found.passed_over
    assert (passed.student, passed.file) == ("anna", "anna/more")
    assert passed.reason.startswith("anna/more is a link, and links are not followed.")


def test_a_students_folder_that_is_a_link_is_told(tmp_path):
    lay(tmp_path, "class/bob/05_square.ipynb", "else/05_square.ipynb")
    (tmp_path / "class" / "anna").symlink_to(tmp_path / "else")
    found = find(tmp_path / "class")
    assert found.students == ("anna", "bob")
    assert [one.student for one in found.submissions] == ["bob"]


def test_links_in_a_circle_do_no_harm(tmp_path):
    root = lay(tmp_path / "class", "anna/06_exp.ipynb")
    (root / "loop").symlink_to("loop")
    (root / "anna" / "05_square.ipynb").symlink_to("05_square.ipynb")
    found = find(root)
    assert (found.students, len(found.submissions)) == (("anna",), 2)
    with pytest.raises(UnreadableError, match="is a link"):
        found.submissions[0].read()


def test_the_root_itself_may_be_a_link(tmp_path):
    lay(tmp_path, "class/bob/05_square.ipynb")
    (tmp_path / "link").symlink_to(tmp_path / "class")
    assert find(tmp_path / "link").students == ("bob",)


def test_a_fifo_is_not_waited_for(tmp_path):
    (tmp_path / "anna").mkdir()
    os.mkfifo(tmp_path / "anna" / "05_square.ipynb")
    (one,) = find(tmp_path).submissions
    with pytest.raises(UnreadableError, match="is not a regular file"):
        one.read()


def test_a_device_and_a_folder_are_not_read(tmp_path):
    for path in (Path("/dev/zero"), tmp_path):
        one = find(lay(tmp_path, "a/05_square.ipynb")).submissions[0]
        with pytest.raises(UnreadableError, match="is not a regular file"):
            type(one)("anna", "05_square", path).read()


def test_a_huge_file_is_not_read(tmp_path):
    lay(tmp_path, "anna/05_square.ipynb")
    os.truncate(tmp_path / "anna" / "05_square.ipynb", 2**40)
    with pytest.raises(UnreadableError, match=r"05_square\.ipynb is larger than 50 MB"):
        find(tmp_path).submissions[0].read()


def test_very_deep_folders_are_not_followed_to_the_end(tmp_path):
    lay(tmp_path, "anna/05_square.ipynb", "anna" + "/x" * 100 + "/06_exp.ipynb")
    found = find(tmp_path)
    assert len(found.submissions) == 1
    (passed,) = found.passed_over
    assert passed.student == "anna"
    assert "has more folders in it than are looked at" in passed.reason


def test_a_name_is_made_fit_to_be_written():
    assert clean("M\udcfcller") == "Müller"
    assert clean("a\nb\x1b[31m\u2028") == "a\ufffdb\ufffd[31m\ufffd"
    assert clean("a\u202eb\u200b") == "a\ufffdb\ufffd"
    assert clean("\u0646\u200c\u0645") == "\u0646\u200c\u0645"
    assert clean("a\ud800") == "a?"
