"""Work is given to whom a key says, nothing is nobody's in silence, and the newest counts."""

import json

import pytest

from tests.course.grading.reading.layouts import (
    EXP,
    FORMS,
    SQUARE,
    done,
    find,
    lay,
    notebook,
    put,
    worked,
    zipped,
)

CLASS = {"Ada Lovelace": "ada77@x.org", "Müller, Jürg": "", "Bo Li": "1001", "Bo Li (2)": "1002"}
UNTOUCHED = json.dumps(notebook())
OWN = f"Ada Lovelace/{SQUARE}"
LOOSE_OF_ADA = "ada_lovelace.ipynb"
FIVE, SIX = "05_square", "06_exp"


def laid(root, *names, form="folder"):
    """Lay notebooks that differ, as each says where it lay."""
    return lay(root, {name: worked(mark=name) for name in names}, form)


def students(found):
    """Return the names of those who handed in."""
    return tuple(one.name for one in found.people)


LAYOUTS = """\
Ada Lovelace/x.ipynb
lovelace_ada/x.ipynb
ada77/05/x.ipynb
Ada Lovelace/a/w.zip
Ada L_7_assignsubmission_file_/x.ipynb
Lovelace Ada_8_assignsubmission_file_x.ipynb
lovelaceada_5_9_x.ipynb
submitted/ada77/ps/x.ipynb
05-square-ada77/x.ipynb
hw_ada77_attempt_2026-11-20-23-59-00_x.ipynb
ada_lovelace_00.ipynb
LOVELACE, Ada - Exercise5.ipynb
ada lovelace.zip
"""


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", LAYOUTS.splitlines())
def test_work_is_found_in_every_layout_and_form(tmp_path, form, name):
    content = zipped({SQUARE: worked()}) if name.endswith(".zip") else worked()
    root = lay(tmp_path / "class", {name: content}, form)
    found = find(root, listed=CLASS, numbers={("moodle", "7"): "Ada Lovelace"})
    (one,) = found.submissions
    assert (one.student, one.exercise, one.doubts) == ("Ada Lovelace", FIVE, ())
    assert (one.person.name, students(found), found.pending) == (one.student, (one.student,), ())
    assert one.source.read() == worked()


SENT = """\
Bob/ada_lovelace.ipynb Bo/x.ipynb -> Bob
mal_1_9_ada_lovelace.ipynb bo_2_9_x.ipynb -> mal
mal_1_9_w.zip bo_2_9_x.ipynb -> mal
Mal/w.zip Bo/x.ipynb -> Mal
Mal/Ada_1_assignsubmission_file_/x.ipynb Bo/x.ipynb -> Mal
Mal/submitted/ada77/x.ipynb Bo/x.ipynb -> Mal
05-square-mal-submissions/05-square-ada77/x.ipynb 05-square-bo/x.ipynb -> mal-submissions
"""


@pytest.mark.parametrize("line", SENT.splitlines())
def test_nobody_hands_in_for_another_to_whom_a_folder_or_a_platform_gives_it(tmp_path, line):
    names, _, student = line.partition(" -> ")
    packed = zipped({f"Ada Lovelace/{SQUARE}": worked()})
    files = {name: packed if ".zip" in name else worked() for name in names.split()}
    there = students(find(lay(tmp_path, files), listed=CLASS))
    assert student in there
    assert "Ada Lovelace" not in there


LOOSE = """\
ada_05_square.ipynb
adam_lovelace.ipynb
bo_li_05.ipynb
05_square (1).ipynb
ada_lovelace_and_jurg_muller.ipynb
photo.jpg
x.zip
1003_05.py
.ada.ipynb
"""


@pytest.mark.parametrize("name", LOOSE.splitlines())
def test_a_loose_file_without_one_persons_key_is_nobodys_and_asked_about(tmp_path, name):
    put(tmp_path / name, zipped({SQUARE: worked()}) if ".zip" in name else worked())
    found = find(tmp_path, FIVE, listed=CLASS)
    assert (found.submissions, found.people) == ((), ())
    (one,) = found.pending
    assert (one.student, one.file.startswith(name)) == ("", True)
    assert "Nothing says whose it is" in one.reason


def test_a_loose_notebook_in_which_somebody_tried_something_is_asked_about(tmp_path):
    tried = notebook()
    tried["cells"].append({"cell_type": "code", "source": "x = 1"})
    (one,) = find(lay(tmp_path, {"x.ipynb": json.dumps(tried)})).pending
    assert (one.student, one.exercise) == ("", FIVE)


@pytest.mark.parametrize("content", [worked(mark="own"), UNTOUCHED, b"{"])
@pytest.mark.parametrize("rival", [OWN, "ada77 05_square.ipynb"])
def test_a_name_that_a_student_chose_takes_nobodys_place(tmp_path, content, rival):
    found = find(lay(tmp_path, {rival: content, LOOSE_OF_ADA: worked()}), listed=CLASS)
    assert ("", LOOSE_OF_ADA) in {(one.student, one.file) for one in found.pending}
    assert [one.file for one in found.submissions] in ([], [OWN])


@pytest.mark.parametrize(("file", "taken"), [(LOOSE_OF_ADA, 1), (OWN, 0)])
def test_a_name_that_a_student_chose_takes_no_place_in_the_report(tmp_path, file, taken):
    graded = {("Ada Lovelace", FIVE): file}
    found = find(laid(tmp_path, LOOSE_OF_ADA), listed=CLASS, graded=graded)
    assert (len(found.submissions), len(found.pending)) == (taken, 1 - taken)


def test_one_loose_archive_is_of_one_person(tmp_path):
    content = zipped({SQUARE: worked(), f"old/{SQUARE}": UNTOUCHED.encode(), "05_square.pdf": b"x"})
    put(tmp_path / "ada_lovelace.zip", content)
    found = find(tmp_path, listed=CLASS)
    assert [one.student for one in (*found.submissions, *found.pending)] == ["Ada Lovelace"] * 2


MOODLE = "Ada Lovelace_{}_assignsubmission_file_/x.ipynb"


@pytest.mark.parametrize(
    ("platform", "first"), [("moodle", "Ada Lovelace"), ("canvas", "Ada Lovelace (1)")]
)
@pytest.mark.parametrize("listed", [CLASS, {}])
def test_two_numbers_that_claim_one_student_by_name_are_neithers(tmp_path, platform, first, listed):
    laid(tmp_path, *(MOODLE.format(number) for number in (1, 2)))
    found = find(tmp_path, listed=listed, numbers={(platform, "1"): "Ada Lovelace"})
    assert students(found) == (first, "Ada Lovelace (2)")


def test_several_files_of_one_number_are_one_persons(tmp_path):
    laid(tmp_path, "ada_5_8_a.ipynb", "ada_5_9_b.ipynb", "bo_6_9_a.ipynb")
    assert students(find(tmp_path)) == ("ada", "bo")


@pytest.mark.parametrize(
    "newest", ["ada_5_11_x.ipynb", "hw_ada_attempt_2026-11-20-23-59-00_x.ipynb"]
)
def test_the_newest_by_the_platforms_own_numbers_and_times_counts(tmp_path, newest):
    older = newest.replace("_11_", "_8_").replace("-20-", "-19-")
    (one,) = find(laid(tmp_path, newest, older)).submissions
    assert (one.file, one.doubts, one.notebooks) == (newest, (), ())


@pytest.mark.parametrize("content", [UNTOUCHED, worked(), b"{"])
def test_what_is_no_other_work_asks_nobody(tmp_path, content):
    (one,) = find(lay(tmp_path, {"Ada/b.ipynb": worked(), "Ada/a.ipynb": content})).submissions
    assert (one.file, one.doubts) == ("Ada/b.ipynb", ())


def test_where_nothing_says_which_is_newer_a_person_is_asked_until_they_choose(tmp_path):
    names = [f"Ada/{folder}/{SQUARE}" for folder in "12"]
    laid(tmp_path, *names)
    for taken, several in (("", 2), (SQUARE, 2), (names[0], 0)):
        (one,) = find(tmp_path, taken={("Ada", FIVE): taken}).submissions
        assert (len(one.notebooks), len(one.doubts)) == (several, several // 2)
    assert one.file == names[0]


@pytest.mark.parametrize("said", ["Bo Li", ""])
@pytest.mark.parametrize("name", ["x.ipynb", "Mal_7_assignsubmission_file_/x.ipynb"])
def test_what_a_person_says_of_a_file_holds(tmp_path, said, name):
    found = find(laid(tmp_path, name), listed=CLASS, files={(FIVE, name): said})
    owners = [said] if said else []
    assert [one.student for one in found.submissions] == owners
    assert [one.person.name for one in found.submissions] == owners
    assert (said in students(found), found.pending) == (bool(said), ())


def test_work_that_is_not_graded_now_waits_and_belongs_to_its_download(tmp_path):
    later = {f"anna/{EXP}": worked("06_exp"), "eva/06_exp.py": b"class Exp: pass"}
    untouched = {f"bob/{EXP}": json.dumps(notebook("06_exp"))}
    found = find(lay(tmp_path, {f"anna/{SQUARE}": worked(), **later, **untouched}), FIVE)
    assert done(found) == [("anna", FIVE)]
    assert [(one.file, one.exercise) for one in found.pending] == [(name, SIX) for name in later]
    assert {one.download for one in found.pending} == {tmp_path.name}
    assert students(found) == ("anna", "bob", "eva")
    assert sorted(done(find(tmp_path))) == [("anna", FIVE), ("anna", SIX), ("bob", SIX)]
