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
FIVE, SIX = "05_square", "06_exp"


def laid(root, *names: str, form: str = "folder"):
    """Lay notebooks that differ, as each says where it lay."""
    return lay(root, {name: worked(mark=name) for name in names}, form)


def waiting(found) -> list[tuple[str, str, str]]:
    """Return what waits for somebody: whose it is, for which exercise, and where it lies."""
    return [(one.student, one.exercise, one.file) for one in found.pending]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "name",
    [
        *(
            "Ada Lovelace/x.ipynb",
            "lovelace_ada/x.ipynb",
            "ada77/05/x.ipynb",
            "Ada Lovelace/a/w.zip",
        ),
        *("Ada L_7_assignsubmission_file_/x.ipynb", "Lovelace Ada_8_assignsubmission_file_x.ipynb"),
        *("lovelaceada_5_9_x.ipynb", "submitted/ada77/ps/x.ipynb", "05-square-ada77/x.ipynb"),
        *("hw_ada77_attempt_2026-11-20-23-59-00_x.ipynb", "ada_lovelace_00.ipynb"),
        *("LOVELACE, Ada - Exercise5.ipynb", "ada lovelace.zip"),
    ],
)
def test_work_is_found_in_every_layout_and_form(tmp_path, form, name):
    content = zipped({SQUARE: worked()}) if name.endswith(".zip") else worked()
    root = lay(tmp_path / "class", {name: content}, form)
    found = find(root, listed=CLASS, numbers={("moodle", "7"): "Ada Lovelace"})
    assert done(found) == [("Ada Lovelace", FIVE)]
    assert (found.students, waiting(found)) == (("Ada Lovelace",), [])
    (one,) = found.submissions
    assert (one.person.name, one.doubts, one.read()) == ("Ada Lovelace", (), worked())


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("Bob/ada_lovelace.ipynb", "Bob"),
        ("mal_1_9_ada_lovelace.ipynb", "mal"),
        ("mal_1_9_w.zip", "mal"),
        ("Mal/Ada Lovelace_1_assignsubmission_file_/x.ipynb", "Mal"),
        ("Mal/submitted/ada77/x.ipynb", "Mal"),
        ("05-square-mal-submissions/05-square-ada77/x.ipynb", "mal-submissions"),
    ],
)
def test_nobody_hands_in_for_another_to_whom_a_folder_or_a_platform_gives_it(
    tmp_path, name, student
):
    content = zipped({f"Ada Lovelace/{SQUARE}": worked()}) if ".zip" in name else worked()
    other = {"0": "05-square-bo/", "m": "bo_2_9_"}.get(name[0], "Bo/")
    root = lay(tmp_path, {name: content, f"{other}{SQUARE}": worked(mark="bo")})
    found = find(root, listed=CLASS)
    assert (student, FIVE) in done(found)
    assert "Ada Lovelace" not in found.students


@pytest.mark.parametrize(
    "name",
    [
        *("ada_05_square.ipynb", "adam_lovelace.ipynb", "bo_li_05.ipynb", "05_square (1).ipynb"),
        *("ada_lovelace_and_jurg_muller.ipynb", "photo.jpg", "x.zip", "1003_05.py", ".ada.ipynb"),
    ],
)
def test_a_loose_file_without_one_persons_key_is_nobodys_and_asked_about(tmp_path, name):
    put(tmp_path / name, zipped({SQUARE: worked()}) if ".zip" in name else worked())
    found = find(tmp_path, FIVE, listed=CLASS)
    assert (found.submissions, found.people) == ((), ())
    ((student, _, file),) = waiting(found)
    assert student == ""
    assert file.startswith(name)
    assert "Nothing says for certain whose" in found.pending[0].reason


@pytest.mark.parametrize("content", [worked(mark="own"), UNTOUCHED, b"{"])
@pytest.mark.parametrize("rival", [OWN, "ada77 05_square.ipynb"])
def test_a_name_that_a_student_chose_takes_nobodys_place(tmp_path, content, rival):
    lay(tmp_path, {rival: content, "ada_lovelace.ipynb": worked(), "Bo": b""})
    found = find(tmp_path, listed=CLASS)
    assert ("", FIVE, "ada_lovelace.ipynb") in waiting(found)
    assert [one.file for one in found.submissions] in ([], [OWN])


def test_a_name_that_a_student_chose_takes_no_place_in_the_report(tmp_path):
    laid(tmp_path, "ada_lovelace.ipynb")
    for file, taken in (("ada_lovelace.ipynb", 1), (OWN, 0)):
        graded = {("Ada Lovelace", FIVE): file}
        found = find(tmp_path, listed=CLASS, graded=graded)
        assert (len(found.submissions), len(found.pending)) == (taken, 1 - taken)


def test_one_loose_archive_is_of_one_person(tmp_path):
    content = zipped({SQUARE: worked(), f"old/{SQUARE}": UNTOUCHED.encode(), "05_square.pdf": b"x"})
    put(tmp_path / "ada_lovelace.zip", content)
    found = find(tmp_path, listed=CLASS)
    assert done(found) == [("Ada Lovelace", FIVE)]
    assert waiting(found) == [("Ada Lovelace", FIVE, "ada_lovelace.zip/05_square.pdf")]


MOODLE = "{}_{}_assignsubmission_file_/x.ipynb"


@pytest.mark.parametrize(
    ("numbers", "students"),
    [
        ({}, {"Ada Lovelace (1)", "Ada Lovelace (2)"}),
        ({("moodle", "1"): "Ada Lovelace"}, {"Ada Lovelace", "Ada Lovelace (2)"}),
        ({("canvas", "1"): "Ada Lovelace"}, {"Ada Lovelace (1)", "Ada Lovelace (2)"}),
    ],
)
@pytest.mark.parametrize("listed", [CLASS, {}])
def test_two_numbers_that_claim_one_student_by_name_are_neithers(
    tmp_path, numbers, students, listed
):
    laid(tmp_path, *(MOODLE.format("Ada Lovelace", number) for number in (1, 2)))
    assert {*find(tmp_path, listed=listed, numbers=numbers).students} == students


def test_several_files_of_one_number_are_one_persons(tmp_path):
    laid(tmp_path, "ada_5_8_a.ipynb", "ada_5_9_b.ipynb", "bo_6_9_a.ipynb")
    assert find(tmp_path).students == ("ada", "bo")


NEWEST = [
    (("ada_5_8_a.ipynb", "ada_5_11_b.ipynb"), "ada_5_11_b.ipynb"),
    (tuple(f"hw_ada_attempt_2026-11-{day}-23-59-00_x.ipynb" for day in (20, 19)), None),
    (("Ada/b.ipynb", "Ada/a.ipynb"), ""),
]


@pytest.mark.parametrize(("names", "newest"), NEWEST)
def test_the_newest_by_the_platform_counts_and_else_a_person_is_asked(tmp_path, names, newest):
    (one,) = find(laid(tmp_path, *names)).submissions
    if newest == "":
        assert one.doubts[0].startswith("Ada/a.ipynb holds other answers than Ada/b.ipynb")
        assert [version.file for version in one.notebooks] == [*names]
        (one,) = find(tmp_path, taken={("Ada", FIVE): "a.ipynb"}).submissions
        newest, names = "Ada/a.ipynb", names[::-1]
    newest = newest or names[0]
    (older,) = {*names} - {newest}
    assert (one.file, one.doubts, one.notebooks) == (newest, (), ())
    assert any(older in said for said in one.remarks)


@pytest.mark.parametrize("content", [UNTOUCHED, worked(), b"{"])
def test_what_is_no_other_work_asks_nobody(tmp_path, content):
    lay(tmp_path, {"Ada/a.ipynb": worked(), "Ada/z.ipynb": content})
    (one,) = find(tmp_path).submissions
    assert (one.file == "Ada/a.ipynb" or content == worked(), one.doubts) == (True, ())


def test_a_choice_that_two_files_fit_is_none(tmp_path):
    laid(tmp_path, f"Ada/1/{SQUARE}", f"Ada/2/{SQUARE}")
    for taken, doubts in ((SQUARE, 1), (f"Ada/1/{SQUARE}", 0)):
        (one,) = find(tmp_path, taken={("Ada", FIVE): taken}).submissions
        assert len(one.doubts) == doubts


@pytest.mark.parametrize(("said", "students"), [("Bo Li", ["Bo Li"]), ("", [])])
@pytest.mark.parametrize("name", ["x.ipynb", "Mal_7_assignsubmission_file_/x.ipynb"])
def test_what_a_person_says_of_a_file_holds(tmp_path, said, students, name):
    found = find(laid(tmp_path, name), listed=CLASS, files={(FIVE, name): said})
    assert [one.student for one in found.submissions] == students
    assert [one.person.name for one in found.submissions] == students
    assert {*students} <= {*found.students}
    assert found.pending == ()


def test_work_that_is_not_graded_now_waits(tmp_path):
    files = {f"anna/{SQUARE}": worked(), f"anna/{EXP}": worked("06_exp"), f"Eva/{EXP}": UNTOUCHED}
    files |= {f"bob/{EXP}": json.dumps(notebook("06_exp")), "eva/06_exp.py": "class Exp: pass"}
    found = find(lay(tmp_path, files), FIVE)
    assert done(found) == [("anna", FIVE), ("Eva", FIVE)]
    assert sorted(waiting(found)) == [
        ("Eva", SIX, "Eva/06_exp.ipynb"),
        ("anna", SIX, "anna/06_exp.ipynb"),
        ("eva", SIX, "eva/06_exp.py"),
    ]
    assert {one.download for one in found.pending} == {tmp_path.name}
    assert found.students == ("anna", "bob", "Eva", "eva")
    assert (SIX, True) in {(one.exercise, one.is_gradable) for one in found.pending}
    assert done(find(tmp_path))[1] == ("anna", SIX)
