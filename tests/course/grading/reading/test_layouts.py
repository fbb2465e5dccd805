"""Who sent a file is said by its platform, whatever a student called it."""

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from course.grading.reading.files import File
from course.grading.reading.layouts import sent
from tests.course.grading.reading.layouts import EXERCISES, SQUARE

WHEN = "attempt_2026-11-20-23-59-00"


def of(*names):
    """Return who sent the files of these names."""
    files = [File(tuple(name.split("/")), Path("x")) for name in names]
    return {one.file.where: one for one in sent("home-five-submissions", files, EXERCISES)}


SENT = f"""\
| Ada Lovelace/a.ipynb | Ada Lovelace |
moodle | Ada Li_12_assignsubmission_file_/a.ipynb | Ada Li | 12
moodle | Ada Li_12_assignsubmission_file/a.ipynb | Ada Li | 12
moodle | Ada Li_assignsubmission_file_/a.ipynb | Ada Li |
moodle | Ada Li_12_assignsubmission_onlinetext_/onlinetext.html | Ada Li | 12
moodle | Ada Li_12_assignsubmission_file_a.ipynb | Ada Li | 12
moodle | Participant_12_assignsubmission_file_/a.ipynb | Participant 12 | 12
moodle | Participant_12_assignsubmission_file_a.ipynb | Participant 12 | 12
canvas | adali_12_99_a.ipynb | adali | 12
canvas | adali_LATE_12_99_a.ipynb | adali | 12
canvas | adali_12_99_a.zip/b.ipynb | adali | 12
canvas | adali_12_text.html | adali | 12
canvas | anon_X1_99_a.ipynb | anon_X1 | anon_X1
blackboard | Ex_5_adali_{WHEN}_a.ipynb | adali | Ex_5_adali
blackboard | Ex_5_adali_{WHEN}.txt | adali | Ex_5_adali
blackboard | Ex_5_ada_li_{WHEN}.txt | li | Ex_5_ada_li
github | 05-square-ada-l/a.ipynb | ada-l |
github | home-five-bo/a.ipynb | bo |
"""


@pytest.mark.parametrize("line", SENT.splitlines())
def test_a_platform_says_who_sent_a_file(line):
    platform, name, person, number = map(str.strip, line.split("|"))
    (one,) = of(name).values()
    found = one.person.name, one.person.number, one.person.platform, one.is_chosen
    assert found == (person, number, platform, False)


@pytest.mark.parametrize("head", ["ada_501", "ada_LATE_501", "LATE_anon_X1", "anon_X1_LATE"])
def test_canvas_marks_late_work_in_the_name_and_numbers_files_in_order(head):
    one = of(f"{head}_900_{SQUARE}")[f"{head}_900_{SQUARE}"]
    assert (one.is_late, one.rank, one.person.folder) == ("LATE" in head, 900, f"{head}_900_")


PREFIXES = {
    "canvas": ("ada_101_5001_", "bo_102_5002_", "cy_103_5003_"),
    "moodle": tuple(f"{name}_assignsubmission_file_" for name in ("Ada_1", "Bo_2", "Cy_3")),
    "blackboard": tuple(f"Ex_5_{name}_{WHEN}_" for name in ("ada", "bo", "cy")),
}
CLAIMS = [
    *("bo_102_5009_", "LATE_102_5009_", "2_assignsubmission_file_", "x_assignfeedback_"),
    *("bo_attempt_2020-01-01-00-00-00_", SQUARE, "x.zip", "a.csv", "feedback", "_", "1", "\n"),
]


@pytest.mark.parametrize("platform", PREFIXES)
@given(st.lists(st.sampled_from(CLAIMS) | st.text(), min_size=1).map("".join))
@example("bo_attempt_2020-01-01-00-00-00_x.ipynb")
@example("x_assignfeedback_05_square.ipynb")
def test_whatever_a_student_calls_a_file_its_sender_stays(platform, own):
    ada, *others = PREFIXES[platform]
    own = f"{ada}{own.replace('/', '')}x"
    found = of(own, *(f"{other}{SQUARE}" for other in others))
    usual = of(*(f"{one}{SQUARE}" for one in (ada, *others)))[f"{ada}{SQUARE}"]
    assert (found[own].person, found[own].handed_in) == (usual.person, usual.handed_in)


def test_many_files_of_one_student_make_no_other_platform():
    found = of(*(f"mal_1_{rank}_hw_ada_{WHEN}_x.ipynb" for rank in range(9)), "ada_2_9_a.ipynb")
    assert {one.person.platform for one in found.values()} == {"canvas"}


def test_a_name_of_moodle_in_a_name_of_moodle_is_a_name():
    _, one, other = of(
        "Ada_3_assignsubmission_file_/a.ipynb",
        "Bob_1_assignsubmission_file_/a.ipynb",
        "Bob_1_assignsubmission_file_2_assignsubmission_file_/a.ipynb",
    ).values()
    assert one.person.name == "Bob"
    assert other.person.name not in ("Bob", "")


def test_what_most_names_do_not_fit_is_no_platform():
    found = of("a_1_2_x.ipynb", "Bo/a.ipynb", "Cy/a.ipynb", "ada.ipynb", "dan.zip/a.ipynb")
    chosen = [one.person.name for one in found.values() if one.is_chosen]
    assert chosen == ["a_1_2_x.ipynb", "ada.ipynb", "dan.zip"]
    assert {one.person.platform for one in found.values()} == {""}


@pytest.mark.parametrize(
    "name", ["README.md", "Makefile", "list.csv", "feedback/a.ipynb", "Li_1_assignfeedback_file_/a"]
)
def test_lists_and_feedback_beside_submissions_are_nobodys(name):
    assert name not in of("Ada/a.ipynb", name)
    assert f"Ada/{name}" in of(f"Ada/{name}")
    names = {"Ada_1_assignsubmission_file_/a.ipynb", "readme.ipynb"}
    assert set(of(*names, name, "Ada_1_assignsubmission_file_/timestamp.txt")) == names


@pytest.mark.parametrize(
    ("when", "iso"), [("2026-11-20-23-59-00", "2026-11-20T23:59:00"), ("2026-13-45-00-00-00", "")]
)
def test_blackboard_says_when_in_the_name(when, iso):
    name = f"Ex 5_ada_attempt_{when}_{SQUARE}"
    assert of(name)[name].handed_in == iso
