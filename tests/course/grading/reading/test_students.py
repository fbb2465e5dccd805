"""Whose work it is comes from the names of folders and files, and from nothing a student writes."""

import os
import unicodedata
from pathlib import Path

import pytest

from course.grading.reading.collect import collect
from course.grading.reading.people import Person
from course.grading.reading.students import Work, students_work
from tests.course.grading.reading.layouts import EXERCISES, find, found_in, lay, pack


def works(root: Path) -> list[Work]:
    """Return whose work lies in a folder or an archive."""
    return students_work(collect(root).items, EXERCISES)[0]


def people(root: Path) -> set[Person]:
    """Return who handed something in."""
    return {work.person for work in works(root) if work.name}


@pytest.mark.parametrize("name", ["Ana María", "李小龙", "=1+1", "O'Neil, Anna", "علی\u200cرضا"])
def test_every_name_is_a_persons_name(tmp_path, name):
    decomposed = unicodedata.normalize("NFD", name)
    lay(tmp_path / "class", f"{decomposed}/05_square.ipynb", f"{name}/06_exp.ipynb")
    assert find(tmp_path / "class").students == (name,)
    moodle = f"{name}_1_assignsubmission_file_/05_square.ipynb"
    assert find(pack(tmp_path / "a.zip", moodle)).students == (name,)


def test_a_name_that_is_no_utf_8_is_made_readable(tmp_path):
    folder = os.fsencode(tmp_path) + b"/M\xfcller"
    try:
        os.mkdir(folder)  # noqa: PTH102 - a path cannot be bytes
    except OSError:
        pytest.skip("this file system has UTF-8 names only")
    Path(os.fsdecode(folder), "05_square.ipynb").write_text("x")
    assert found_in(tmp_path) == {("Müller", "05_square"): "x"}


def test_people_of_the_same_name_are_told_apart_within_a_download(tmp_path):
    name = "Anna Li_{}_assignsubmission_file_/{}.ipynb"
    pack(tmp_path / "hw5.zip", name.format(1, "05_square"), name.format(2, "05_square"))
    assert find(tmp_path).students == ("Anna Li (1)", "Anna Li (2)")
    assert find(tmp_path).notes[0].startswith("Anna Li stands for more than one person")


def test_the_same_name_in_two_downloads_of_moodle_is_one_person(tmp_path):
    name = "Anna Li_{}_assignsubmission_file_/{}.ipynb"
    pack(tmp_path / "hw5.zip", name.format(1, "05_square"))
    pack(tmp_path / "hw6.zip", name.format(2, "06_exp"))
    assert len(find(tmp_path).submissions) == 2
    assert find(tmp_path).students == ("Anna Li",)


def test_canvas_keeps_its_numbers_over_all_downloads(tmp_path):
    pack(tmp_path / "hw5.zip", "lianna_1_10_05_square.ipynb")
    pack(tmp_path / "hw6.zip", "lianna_2_11_06_exp.ipynb")
    assert find(tmp_path).students == ("lianna (1)", "lianna (2)")


@pytest.mark.parametrize("parent", ["anna", "anna_1_assignsubmission_file_"])
@pytest.mark.parametrize("inside", ["bob", "bob_2_assignsubmission_file_", "submitted/bob"])
def test_nobody_can_hand_in_for_another(tmp_path, parent, inside):
    lay(tmp_path, f"{parent}/{inside}/05_square.ipynb", "carl/05_square.ipynb")
    pack(tmp_path / parent / "work.zip", f"{inside}/06_exp.ipynb", "../bob/06_exp.ipynb")
    pack(tmp_path / "dan_1_2_work.zip", "bob_3_4_06_exp.ipynb", "bob/05_square.ipynb")
    assert find(tmp_path).students == ("anna", "carl", "dan")


def test_a_name_that_no_disk_takes_is_cut_before_its_accents_are_put_in_order(tmp_path):
    name = "e" + "\u0301\u0323" * 1900
    found = find(pack(tmp_path / "a.zip", f"{name}/05_square.ipynb"))
    assert [len(student) < 300 for student in found.students] == [True]


def test_of_one_students_many_other_notebooks_some_are_named(tmp_path):
    others = [f"Eve/{number}.ipynb" for number in range(500)]
    lay(tmp_path / "class", "Ada/05_square.ipynb", "Ada/notes.ipynb", *others)
    passed = find(tmp_path / "class").passed_over
    assert [one.file for one in passed if one.student == "Ada"] == ["Ada/notes.ipynb"]
    of_eve = [one for one in passed if one.student == "Eve"]
    assert len(of_eve) == 11
    assert of_eve[-1].reason.startswith("490 more files are not graded.")
