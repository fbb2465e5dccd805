"""What is inside a student's archive speaks for that student only, and costs only so much."""

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from course.grading.reading import collect, sorting
from course.grading.reading.submissions import SubmissionsError
from course.grading.reading.untrusted_files import UnreadableError
from tests.course.grading.reading.layouts import find, put, worked

SQUARE, EXP = "05_square.ipynb", "06_exp.ipynb"
LATER = (2027, 1, 1, 0, 0, 0)


def zipped(files: dict[str, bytes], moment: tuple[int, ...] = LATER) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, moment), content)
    return held.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return held.getvalue()


def of(root: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in find(root).submissions:
        found.setdefault(one.student, []).append(one.exercise)
    return found


def laid(root: Path, form: str, files: dict[str, bytes]) -> Path:
    """Lay files into a folder, or into an archive, or into a folder with one archive."""
    if form == "folder":
        for name, content in files.items():
            put(root / "class" / name, content)
        return root / "class"
    path = put(root / "class" / "hw5.zip", zipped(files))
    return path if form == "archive" else path.parent


FORMS = ("folder", "archive", "archive in a folder")
MOODLE = "Ada Lovelace_1_assignsubmission_file_"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("claim", ["Ada Lovelace", MOODLE, f"submitted/{MOODLE}"])
def test_an_archive_beside_others_is_one_students(tmp_path, form, claim):
    ada = worked(mark="ada")
    files = {
        "Ada Lovelace.zip": zipped({SQUARE: ada}, (2026, 1, 1, 0, 0, 0)),
        "Bob.zip": zipped({SQUARE: worked()}),
        "mallory.zip": zipped({f"Mallory/{SQUARE}": worked(), f"{claim}/{SQUARE}": worked()}),
    }
    root = laid(tmp_path, form, files)
    assert of(root) == {name: ["05_square"] for name in ("Ada Lovelace", "Bob", "mallory")}
    (one,) = [one for one in find(root).submissions if one.student == "Ada Lovelace"]
    assert (one.read(), one.doubts) == (ada, ())


def test_folders_for_weeks_are_no_students(tmp_path):
    weeks = zipped({f"week5/{SQUARE}": worked(), f"week6/{EXP}": worked("06_exp")})
    put(tmp_path / "class" / "Ada.zip", weeks)
    assert of(tmp_path / "class") == {"Ada": ["05_square", "06_exp"]}
    put(tmp_path / "class" / "Bob" / SQUARE, worked())
    assert of(tmp_path / "class") == {"Ada": ["05_square", "06_exp"], "Bob": ["05_square"]}


def test_numbered_students_in_the_only_archive_are_a_class(tmp_path):
    put(tmp_path / "hw.zip", zipped({f"student{n}/{SQUARE}": worked() for n in (1, 2)}))
    assert find(tmp_path).students == ("student1", "student2")


def test_an_archive_makes_up_no_students(tmp_path):
    put(tmp_path / "mal.zip", zipped({f"Ghost {n}/{SQUARE}": worked() for n in range(50)}))
    put(tmp_path / "Bob" / SQUARE, worked())
    assert find(tmp_path).students == ("Bob", "mal")


@pytest.mark.parametrize("mine", ["Ada/work.zip", "Ada.zip"])
def test_dates_in_an_archive_beat_nothing_that_came_beside_it(tmp_path, mine):
    for name, content in (
        (mine, zipped({SQUARE: worked(mark="packed")})),
        (f"Ada/{SQUARE}", worked(mark="loose")),
        (f"Bob/{SQUARE}", worked()),
    ):
        os.utime(put(tmp_path / name, content), (1e9, 1e9))
    ada, bob = find(tmp_path).submissions
    assert any("holds other answers than" in doubt for doubt in ada.doubts)
    assert bob.doubts == ()


@pytest.mark.parametrize("form", FORMS)
def test_a_doubt_names_the_archives_of_files_that_are_called_alike(tmp_path, form):
    one, two = (zipped({SQUARE: worked(mark=mark)}) for mark in ("one", "two"))
    folder = "submitted/mallory/05_square"
    files = {f"{folder}/{SQUARE}": worked(), f"{folder}/timestamp.txt": b"2026-11-20 10:00:00 UTC"}
    files |= {f"{folder}/w.zip": one, f"{folder}/v.zip": zipped({"in.zip": two})}
    (mallory,) = find(laid(tmp_path, form, files)).submissions
    said = f"mallory/05_square/{SQUARE}"
    names = [said, f"{said} in w.zip", f"{said} in v.zip/in.zip"]
    firsts = [doubt.split(" holds other answers than ") for doubt in mallory.doubts]
    taken = firsts[0][1].split(", and")[0]
    assert sorted([taken, *(first for first, _ in firsts)]) == sorted(names)


def test_dates_in_one_archive_order_what_is_in_it(tmp_path):
    old = zipped({SQUARE: worked(mark="old")}, (2026, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(io.BytesIO(old)) as archive:
        assert archive.namelist() == [SQUARE]
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for mark, year in (("old", 2025), ("new", 2026)):
            name = zipfile.ZipInfo(f"{mark}/{SQUARE}", (year, 1, 1, 0, 0, 0))
            archive.writestr(name, worked(mark=mark))
    put(tmp_path / "Ada" / "work.zip", held.getvalue())
    (one,) = find(tmp_path).submissions
    assert (one.file, one.doubts) == (f"Ada/new/{SQUARE}", ())


def test_two_things_of_one_name_are_doubted_unless_they_hold_the_same(tmp_path):
    put(tmp_path / "Ada.zip", zipped({EXP: worked("06_exp")}))
    put(tmp_path / "Ada" / SQUARE, worked())
    put(tmp_path / "Bob.zip", zipped({SQUARE: worked()}))
    put(tmp_path / "Bob" / SQUARE, worked())
    put(tmp_path / "Carl" / "Carl.zip", zipped({SQUARE: worked()}))
    put(tmp_path / "Carl" / EXP, worked("06_exp"))
    doubts = {(one.student, one.exercise): one.doubts for one in find(tmp_path).submissions}
    for exercise in ("05_square", "06_exp"):
        (doubt,) = doubts.pop(("Ada", exercise))
        assert doubt.startswith("Ada and Ada.zip were both taken for Ada's")
    assert set(doubts.values()) == {()}


def test_what_is_unpacked_to_list_archives_is_limited_for_each_student(tmp_path, monkeypatch):
    monkeypatch.setattr(collect, "_MOST_UNPACKED", 3 * 2**20)
    for number in range(5):
        content = tarred({"zero.png": bytes(2**21), SQUARE: worked()})
        put(tmp_path / "Mal" / f"{number}.tgz", content)
    put(tmp_path / "Bob" / "a.tgz", tarred({SQUARE: worked()}))
    found = find(tmp_path)
    assert of(tmp_path) == {"Bob": ["05_square"], "Mal": ["05_square"]}
    said = [one.reason for one in found.passed_over]
    assert len(said) == 3
    assert all("comes after archives that are too large unpacked" in reason for reason in said)


def test_what_is_unpacked_to_read_a_file_counts_as_read(tmp_path, monkeypatch):
    monkeypatch.setattr(sorting, "_MOST_READ", 2**20)
    for number in range(20):
        content = tarred({"zero.png": bytes(2**19), SQUARE: worked(mark=str(number))})
        put(tmp_path / "Mal" / f"{number:02}.tgz", content)
    put(tmp_path / "Bob" / SQUARE, worked())
    bob, mal = find(tmp_path).submissions
    assert bob.doubts == ()
    assert any("comes after more files than are read" in doubt for doubt in mal.doubts)


def test_an_archive_with_far_too_many_files_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(collect, "_MOST_IN_ONE", 20)
    many = zipped({f"{number}/{SQUARE}": b"" for number in range(21)})
    put(tmp_path / "Mal" / "s.zip", zipped({"i.zip": many}))
    put(tmp_path / "Bob" / SQUARE, worked())
    (passed,) = find(tmp_path).passed_over
    assert (passed.student, passed.file) == ("Mal", "Mal/i.zip")
    assert "has an archive with over 20 files" in passed.reason


def encrypted(path: Path) -> Path:
    """Say of each file in an archive that it is encrypted."""
    content = path.read_bytes()
    for start, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = content.find(start)
        while at >= 0:
            content = content[: at + offset] + b"\x01" + content[at + offset + 1 :]
            at = content.find(start, at + 4)
    return put(path, content)


@pytest.mark.parametrize("files", [{SQUARE: b"a"}, {f"Ada/{SQUARE}": b"a", "Bob/x.py": b"b"}])
def test_a_download_that_is_encrypted_is_said_to_be(tmp_path, files):
    path = encrypted(put(tmp_path / "class" / "hw.zip", zipped(files)))
    for root in (path, path.parent):
        with pytest.raises(SubmissionsError, match=r"^hw\.zip is encrypted, and has to be"):
            find(root)


def test_an_encrypted_archive_of_one_student_stops_nobody(tmp_path):
    encrypted(put(tmp_path / "Ada.zip", zipped({SQUARE: b"a"})))
    put(tmp_path / "Bob" / SQUARE, worked())
    ada, bob = find(tmp_path).submissions
    assert (ada.student, bob.student) == ("Ada", "Bob")
    with pytest.raises(UnreadableError, match="is encrypted"):
        ada.read()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("times", [1, 2])
def test_a_class_that_is_packed_again_is_a_class(tmp_path, form, times):
    content = zipped({f"{name}/{SQUARE}": worked(mark=name) for name in ("Ada", "Bob")})
    for time in range(times):
        content = zipped({f"hw{time}.zip": content})
    root = laid(tmp_path, form, {"submissions.zip": content})
    assert of(root) == {"Ada": ["05_square"], "Bob": ["05_square"]}


@pytest.mark.parametrize("inner", ["hw5.zip", "x.zip"])
def test_what_may_be_a_class_that_is_packed_again_asks(tmp_path, inner):
    content = zipped({f"{name}/{SQUARE}": worked(mark=name) for name in ("Ada", "Bob")})
    put(tmp_path / "Mal.zip", zipped({inner: content}))
    assert of(tmp_path) == {"Mal": ["05_square"]}
    (passed,) = find(tmp_path).passed_over
    assert passed.reason.startswith("Mal.zip was taken for one student's. If it is a download of")


def test_one_students_work_that_is_packed_twice_is_theirs(tmp_path):
    put(tmp_path / "Ada.zip", zipped({"work.zip": zipped({SQUARE: worked()})}))
    assert of(tmp_path) == {"Ada": ["05_square"]}
    assert find(tmp_path).passed_over == ()


@pytest.mark.parametrize("ending", [".7z", ".rar", ".tar.bz2"])
def test_an_archive_that_is_not_read_names_its_student_as_others_do(tmp_path, ending):
    put(tmp_path / f"yan_work{ending}", b"7z")
    put(tmp_path / "Bob" / SQUARE, worked())
    (passed,) = find(tmp_path).passed_over
    assert (passed.student, passed.file) == ("yan_work", f"yan_work/yan_work{ending}")


METADATA = b"""submission_1:
  :submitters:
  - :name: Ada
    :sid: '1'
submission_2:
  :submitters:
  - :name: Mallory
    :sid: '2'
"""
TAKEN = {  # what a student hands in so that it looks as a download of the class
    "canvas": {f"ada_101_9999_{SQUARE}": "ada", f"mallory_102_9998_{SQUARE}": "own"},
    "moodle": {f"{MOODLE}/{SQUARE}": "ada", f"M_2_assignsubmission_file_/{SQUARE}": "own"},
    "folders": {f"Ada/{SQUARE}": "ada", f"Mallory/{SQUARE}": "own"},
    "gradescope": {f"submission_1/{SQUARE}": "ada", f"submission_2/{SQUARE}": "own"},
    "nbgrader": {f"submitted/ada/5/{SQUARE}": "ada", f"submitted/mallory/5/{SQUARE}": "own"},
}


def taken(kind: str) -> dict[str, bytes]:
    files = {name: worked(mark=mark) for name, mark in TAKEN[kind].items()}
    return {**files, "submission_metadata.yml": METADATA} if kind == "gradescope" else files


@pytest.mark.parametrize("form", [*FORMS, "archive in archives"])
@pytest.mark.parametrize("kind", TAKEN)
@pytest.mark.parametrize("is_packed", [False, True])
def test_a_lone_students_upload_is_of_that_student(tmp_path, form, kind, is_packed):
    files = {f"Mallory/{name}": content for name, content in taken(kind).items()}
    if is_packed:
        files = {"Mallory.zip": zipped(taken(kind))}
    if form == "archive in archives":
        files, form = {"submissions.zip": zipped(files)}, "archive"
    found = find(laid(tmp_path, form, files))
    assert [one.student for one in found.submissions] == ["Mallory"]
    assert found.students == ("Mallory",)
    asked = [one.file for one in found.passed_over if not one.student]
    assert asked or found.submissions[0].doubts


@pytest.mark.parametrize("kind", TAKEN)
def test_two_archives_of_one_student_are_no_class(tmp_path, kind):
    for name in ("Mallory.zip", "Mallory-2.zip"):
        put(tmp_path / name, zipped(taken(kind)))
    assert find(tmp_path).students == ("Mallory", "Mallory-2")


DOWNLOADS = ("submissions", "hw5", "05_square", "CS1-Square-4711")


@pytest.mark.parametrize("kind", TAKEN)
@pytest.mark.parametrize("name", DOWNLOADS)
def test_the_one_download_in_a_folder_is_the_class(tmp_path, kind, name):
    put(tmp_path / "few" / f"{name}.zip", zipped(taken(kind)))
    found = find(tmp_path / "few")
    assert len(found.submissions) == 2
    assert found.passed_over == ()


@pytest.mark.parametrize("kind", ["canvas", "moodle"])
@pytest.mark.parametrize("name", DOWNLOADS)
def test_the_one_unpacked_download_in_a_folder_is_the_class(tmp_path, kind, name):
    for file, content in taken(kind).items():
        put(tmp_path / "few" / name / file, content)
    found = find(tmp_path / "few")
    assert len(found.submissions) == 2
    assert found.passed_over == ()


CANVAS = "lovelaceada_101_5001_05_square.ipynb"
FLAT = "Bob Ray_1003_assignsubmission_file_05_square.ipynb"
FORGED = [
    (CANVAS, "lovelaceada_101_9999_x_102_5002_05_square.ipynb", "102"),
    (CANVAS, "lovelaceada_LATE_101_9999_x_102_5002_05_square.ipynb", "102"),
    (CANVAS, "lovelaceada_101_9999_x_LATE_102_5002_05_square.ipynb", "102"),
    (FLAT, "Bob Ray_1003_assignsubmission_file_1004_assignsubmission_file_05.ipynb", "1004"),
]


@pytest.mark.parametrize(("own", "forged", "number"), FORGED)
@pytest.mark.parametrize("is_newer", [False, True])
def test_a_name_that_tells_of_two_people_takes_nobodys_place(
    tmp_path, own, forged, number, is_newer
):
    os.utime(put(tmp_path / own, worked(mark="own")), (2e9, 2e9))
    os.utime(put(tmp_path / forged, worked()), (2e9 + 1e6 * (is_newer or -1),) * 2)
    (one,) = find(tmp_path).submissions
    assert one.file == own
    (doubt,) = one.doubts
    assert doubt.startswith(f"{forged} is called as a file of ")
    assert f"whom the platform calls {number}:" in doubt
    (tmp_path / own).unlink()
    (alone,) = find(tmp_path).submissions
    assert alone.doubts == one.doubts


def test_a_name_that_two_platforms_give_is_doubted_in_a_download(tmp_path):
    forged = "lovelaceada_1_assignsubmission_file_102_5002_05_square.ipynb"
    held = {CANVAS: worked(mark="own"), forged: worked()}
    (one,) = find(put(tmp_path / "submissions.zip", zipped(held))).submissions
    assert one.file == CANVAS
    assert "whom the platform calls 102:" in one.doubts[0]


@pytest.mark.parametrize(
    "own", ["lab_3_2_mine.ipynb", "lovelaceada_101_5001_05_square.ipynb", "05_square-2.ipynb"]
)
def test_names_that_students_give_are_not_doubted(tmp_path, own):
    put(tmp_path / f"lovelaceada_101_6001_{own}", worked())
    (one,) = find(tmp_path).submissions
    assert one.doubts == ()


@pytest.mark.parametrize(
    "called", ["Bob Ray_1003_assignsubmission_file", "Bob Ray_assignsubmission_file"]
)
def test_the_last_number_of_a_folder_is_moodles_own(tmp_path, called):
    put(tmp_path / "Bob Ray_1003_assignsubmission_file_" / SQUARE, worked(mark="own"))
    put(tmp_path / f"{called}_1004_assignsubmission_file_" / SQUARE, worked())
    bob, other = find(tmp_path).submissions
    assert (bob.student, bob.person.number, bob.doubts) == ("Bob Ray", "1003", ())
    assert (other.student, other.person.number) == (called, "1004")


def test_a_folder_beside_those_of_students_is_a_students(tmp_path):
    names = ("ada", "bob", "x-submissions/x-ada", "x-submissions/x-carl")
    for name in names:
        put(tmp_path / name / SQUARE, worked(mark=name))
    found = find(tmp_path)
    assert found.students == ("ada", "bob", "x-submissions")
    assert [bool(one.doubts) for one in found.submissions] == [False, False, True]


def test_a_user_of_github_named_as_a_classroom_is_one_student(tmp_path):
    top = tmp_path / "05-square-submissions"
    put(top / "05-square-ada" / SQUARE, worked(mark="ada"))
    put(top / "05-square-mal-submissions" / "05-square-mal-ada" / SQUARE, worked())
    for root in (top, tmp_path):
        assert find(root).students == ("ada", "mal-submissions")
