"""A folder that holds many students' work is no student; a student's own folder is one."""

import pytest

from course.grading.reading.downloads import (
    classroom_prefix,
    is_named_as_download,
    wrapping_folders,
)

MOODLE = "{}_{}_assignsubmission_file_"
ANNA, BOB = MOODLE.format("Anna", 1), MOODLE.format("Bob", 2)


def wrapping(*paths: str) -> set[str]:
    parts = [tuple(path.split("/")) for path in paths]
    return wrapping_folders(parts, {each[0] for each in parts if len(each) > 1}, ["05_square"])


@pytest.mark.parametrize(
    ("paths", "found"),
    [
        ((f"hw5/{ANNA}/x.ipynb", f"hw5/{BOB}/x.ipynb"), {"hw5"}),
        ((f"hw5/{ANNA}/x.ipynb", f"hw6/{BOB}/x.ipynb"), {"hw5", "hw6"}),
        (("hw5/anna_1_1010_x.ipynb", "hw5/bob_2_1011_x.ipynb"), {"hw5"}),
        (("anna/lab_5_1_mine.ipynb", "bob/task_5_2_mine.ipynb"), set()),
        (("anna/square_1234567_2026_x.ipynb", "bob/square_1234568_2026_x.ipynb"), set()),
        (("05-square-submissions/05-square-anna/x.ipynb",), {"05-square-submissions"}),
        (("assignment_12_export/submission_7/x.ipynb",), {"assignment_12_export"}),
        ((f"hw5/{ANNA}/x.ipynb",), set()),
        ((f"05_square/{ANNA}/x.ipynb", f"05_square/{BOB}/x.ipynb"), {"05_square"}),
        ((f"Mallory/{ANNA}/x.ipynb", f"Mallory/{BOB}/x.ipynb"), set()),
        (("Mallory/anna_1_1010_x.ipynb", "Mallory/bob_2_1011_x.ipynb"), set()),
        ((f"{ANNA}/{BOB}/x.ipynb", f"carl/{MOODLE}/x.ipynb", "dan/x.ipynb"), set()),
        ((f"anna/{BOB}/x.ipynb", "anna/x.ipynb", f"bob/{ANNA}/x.ipynb"), set()),
        ((f"hw5/{ANNA}/x.ipynb", f"hw5/{BOB}/x.ipynb", "carl.ipynb"), set()),
        (("anna-submissions/work/x.ipynb",), set()),
        ((f"{ANNA}/{BOB}/x.ipynb", f"{BOB}/{ANNA}/x.ipynb"), set()),
        (("anna/x.ipynb", "bob/y.ipynb"), set()),
        ((), set()),
    ],
)
def test_what_wraps_many_students_work_is_told(paths, found):
    assert wrapping(*paths) == found


def test_what_stands_before_usernames_is_told():
    assert classroom_prefix("05-square-submissions") == "05-square-"
    assert classroom_prefix("05-square-submissions.zip") == "05-square-"
    assert classroom_prefix("submissions") == classroom_prefix("") == ""


@pytest.mark.parametrize(
    ("name", "is_downloads"),
    [
        *(
            (name, True)
            for name in ("submissions", "Submissions (2)", "submissions-2", "submitted")
        ),
        *((name, True) for name in ("assignment_12_export", "gradebook_CS1_HW5_2026-11-20")),
        *((name, True) for name in ("WS26-Square from memory-4711", "05-square-submissions")),
        *((name, True) for name in ("hw5", "Week 6", "05_square", "5 Square", "Übung Gruppe 3")),
        *((name, False) for name in ("Mallory", "Mallory M", "mallory_102", "mallory-5", "", "17")),
        *((name, False) for name in ("mallory hw5", "05_square_mallory", "a", "m.m@uni.edu")),
    ],
)
def test_downloads_are_told_from_people_by_their_names(name, is_downloads):
    assert is_named_as_download(name, ["05_square"]) == is_downloads
