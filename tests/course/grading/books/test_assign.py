"""Work is given to whom a key says, nothing is nobody's in silence, and the newest counts."""

import json

import pytest

from course.grading.books.overrides import Override
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
    assert found.submissions[one].read() == worked()


# Files, and whose each is; "?" is nobody's, who is asked about. What is not worked on begins so.
OWNERS = """\
Bob/ada_lovelace.ipynb; Bo/x.ipynb -> Bob; Bo
mal_1_9_ada_lovelace.ipynb; bo_2_9_x.ipynb -> mal; bo
mal_1_9_w.zip; bo_2_9_x.ipynb -> mal; bo
Mal/w.zip; Bo/x.ipynb -> Mal; Bo
Mal/Ada_1_assignsubmission_file_/x.ipynb; Bo/x.ipynb -> Mal; Bo
Mal/submitted/ada77/x.ipynb; Bo/x.ipynb -> Mal; Bo
05-square-mal-submissions/05-square-ada77/x.ipynb; 05-square-bo/x.ipynb -> mal-submissions; bo
ada_05_square.ipynb -> ?
adam_lovelace.ipynb -> ?
bo_li_05.ipynb -> ?
05_square (1).ipynb -> ?
ada_lovelace_and_jurg_muller.ipynb -> ?
photo.jpg -> ?
x.zip -> ?
1003_05.py -> ?
.ada.ipynb -> ?
ada_lovelace.zip -> Ada Lovelace
Ada Lovelace/x.ipynb; ada_lovelace.ipynb -> Ada Lovelace; ?
untouched Ada Lovelace/x.ipynb; ada_lovelace.ipynb -> Ada Lovelace; ?
broken Ada Lovelace/05_square.ipynb; ada_lovelace.ipynb -> Ada Lovelace; ?
ada77 05_square.ipynb; ada_lovelace.ipynb -> ?; ?
untouched ada77 05_square.ipynb; ada_lovelace.ipynb -> ?; ?
broken ada77 05_square.ipynb; ada_lovelace.ipynb -> Ada Lovelace; ?"""


@pytest.mark.parametrize("row", OWNERS.splitlines())
def test_a_file_is_whose_key_its_platform_gives_or_its_name_has_if_no_other_work_does(
    tmp_path, row
):
    names, owners = (part.split("; ") for part in row.split(" -> "))
    files = {name.removeprefix("untouched ").removeprefix("broken "): name for name in names}
    held = {"untouched": UNTOUCHED, "broken": b"{"}
    for file, name in files.items():
        content = held.get(name.split()[0], worked(mark=name))
        put(tmp_path / file, zipped({f"Bo Li/{SQUARE}": worked()}) if ".zip" in name else content)
    found = find(tmp_path, listed=CLASS)
    there = [(one.file, one.student or "?") for one in (*found.submissions, *found.pending)]
    whose = [[student for where, student in there if where.startswith(file)] for file in files]
    assert whose == [[owner] for owner in owners]
    asked = [one.reason for one in found.pending if not one.student]
    assert all("Nothing says whose" in said or "so is other work" in said for said in asked)


def test_a_loose_notebook_in_which_somebody_tried_something_is_asked_about(tmp_path):
    tried = notebook()
    tried["cells"].append({"cell_type": "code", "source": "x = 1"})
    (one,) = find(lay(tmp_path, {"x.ipynb": json.dumps(tried)})).pending
    assert (one.student, one.exercise) == ("", FIVE)


@pytest.mark.parametrize(("file", "taken"), [(LOOSE_OF_ADA, 1), (OWN, 0)])
def test_a_name_that_a_student_chose_takes_no_place_in_the_report(tmp_path, file, taken):
    graded = {("Ada Lovelace", FIVE): file}
    found = find(laid(tmp_path, LOOSE_OF_ADA), listed=CLASS, graded=graded)
    assert (len(found.submissions), len(found.pending)) == (taken, 1 - taken)


MOODLE = "Ada Lovelace_{}_assignsubmission_file_/x.ipynb"


@pytest.mark.parametrize(
    ("platform", "first"), [("moodle", "Ada Lovelace"), ("canvas", "Ada Lovelace (1)")]
)
@pytest.mark.parametrize("listed", [CLASS, {}])
def test_two_numbers_that_claim_one_student_by_name_are_neithers(tmp_path, platform, first, listed):
    laid(tmp_path, *(MOODLE.format(number) for number in (1, 2)))
    found = find(tmp_path, listed=listed, numbers={(platform, "1"): "Ada Lovelace"})
    assert students(found) == (first, "Ada Lovelace (2)")


@pytest.mark.parametrize(
    "newest", ["ada_5_11_x.ipynb", "hw_ada_attempt_2026-11-20-23-59-00_x.ipynb"]
)
def test_the_newest_by_the_platforms_own_numbers_and_times_counts(tmp_path, newest):
    older = newest.replace("_11_", "_8_").replace("-20-", "-19-")
    found = find(laid(tmp_path, newest, older))
    (one,) = found.submissions
    assert (one.file, one.doubts, one.notebooks) == (newest, (), ())
    assert students(found) == ("ada",)


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
    line = Override(said, FIVE, "is", name, "")
    found = find(laid(tmp_path, name), listed=CLASS, owners={(FIVE, name): line})
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
