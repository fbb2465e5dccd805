"""What a student called their files never makes work vanish, nor speaks for a platform."""

import io
import time
import zipfile

import pytest

from course.grading.reading.file_names import owner_of_file
from tests.course.grading.reading.layouts import find, pack, put, worked


def zipped(*names: str) -> bytes:
    """Return an archive of notebooks with answers."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            archive.writestr(name, worked(mark=name))
    return packed.getvalue()


def told(root, *asked):
    """Return of whom something was passed over."""
    return [one.student for one in find(root, *asked).passed_over]


@pytest.fixture(params=["XXX-2", "XXX+5"])
def zone(request, monkeypatch):
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    "name", ["feedback/05_square.ipynb", "05_square_assignfeedback_final.ipynb"]
)
@pytest.mark.parametrize("is_packed", [False, True])
def test_a_name_that_is_a_platforms_elsewhere_is_a_students_own(tmp_path, name, is_packed):
    if is_packed:
        put(tmp_path / "Ada" / "a.zip", zipped(name))
    else:
        put(tmp_path / "Ada" / name, worked())
    (one,) = find(tmp_path, "05_square").submissions
    assert (one.student, one.exercise) == ("Ada", "05_square")


@pytest.mark.parametrize(
    "name", [".05_square.ipynb", ".trash/05_square.ipynb", "__MACOSX/._05_square.ipynb", ".x/a.zip"]
)
@pytest.mark.parametrize("is_packed", [False, True])
def test_hidden_work_is_told_unless_there_is_other(tmp_path, name, is_packed):
    if is_packed:
        put(tmp_path / "Bea" / "a.zip", zipped(name))
    else:
        put(tmp_path / "Bea" / name, worked())
    put(tmp_path / "Ada" / "05_square.ipynb", worked())
    assert told(tmp_path, "05_square") == ["Bea"]
    put(tmp_path / "Bea" / "05_square.ipynb", worked())
    assert told(tmp_path, "05_square") == []


@pytest.mark.parametrize("names", [(), ("__MACOSX/._x",)])
@pytest.mark.parametrize("where", ["s.zip", "Sue/s.zip", "sue_101_5001_s.zip"])
def test_an_archive_that_holds_nothing_is_told(tmp_path, names, where):
    put(tmp_path / where, zipped(*names))
    put(tmp_path / "Ada" / "05_square.ipynb", worked())
    (student,) = told(tmp_path, "05_square")
    assert student.lower() in ("s", "sue")


@pytest.mark.parametrize("before", ["/home/dan/", "C:/Users/", "../", "a/" * 45])
@pytest.mark.parametrize("where", ["dan.zip", "dan/s.zip", "dan_101_5001_s.zip"])
def test_work_in_an_archive_is_found_whatever_its_folders_are_called(tmp_path, before, where):
    put(tmp_path / where, zipped(f"{before}05_square.ipynb"))
    put(tmp_path / "Ada" / "05_square.ipynb", worked())
    done = {(one.student, one.exercise) for one in find(tmp_path).submissions}
    assert done == {("Ada", "05_square"), ("dan", "05_square")}


def test_names_that_come_to_the_same_are_two_files(tmp_path):
    put(tmp_path / "dan" / "s.zip", zipped("../05_square.ipynb", "05_square.ipynb"))
    (one,) = find(tmp_path).submissions
    assert "nothing says for certain" in one.doubts[0]


@pytest.mark.parametrize(
    ("name", "whose", "platform"),
    [
        ("bob_103_5003_z_assignfeedback_05_square.ipynb", "bob", "canvas"),
        ("mal_102_5002_x_55_assignsubmission_file_05_square.ipynb", "mal", "canvas"),
        ("mal_102_5002_hw_ada_attempt_2026-11-20-23-59-00_x.ipynb", "mal", "canvas"),
        ("Li_55_assignsubmission_file_a_1_5000_05_square.ipynb", "Li", "moodle"),
        ("hw_li_attempt_2026-11-20-23-59-00_a_1_5000_x.ipynb", "li", "blackboard"),
    ],
)
def test_the_first_of_two_platforms_names_counts(tmp_path, name, whose, platform):
    put(tmp_path / name, worked())
    (one,) = find(tmp_path).submissions
    assert (one.student, one.person.platform) == (whose, platform)
    assert owner_of_file(name)[0].platform == platform


@pytest.mark.parametrize("head", ["ada_501", "ada_LATE_501", "LATE_anon_X1", "anon_X1_LATE"])
def test_canvas_marks_late_work_in_the_name(head):
    (owner, _) = owner_of_file(f"{head}_900_05_square.ipynb")
    assert owner.late is ("LATE" in head)


def test_a_students_archive_makes_no_class_nbgraders(tmp_path):
    put(tmp_path / "mallory.zip", zipped("submitted/m/ps/05_square.ipynb"))
    put(tmp_path / "Ada" / "05_square.ipynb", worked())
    put(tmp_path / "Ada" / "timestamp.txt", "2026-01-01 00:00:00 UTC")
    done = find(tmp_path).submissions
    assert [one.student for one in done] == ["Ada", "mallory"]
    assert {one.person.platform for one in done} == {""}
    assert not done[0].handed_in.startswith("2026-01-01")


def test_a_folder_named_submitted_drops_nobody_beside_it(tmp_path):
    for name in ("submitted/bob/ps1/05_square.ipynb", "Ada/05_square.ipynb"):
        put(tmp_path / name, worked())
    done = find(tmp_path).submissions
    assert [(one.student, one.person.platform) for one in done] == [
        ("Ada", ""),
        ("bob", "nbgrader"),
    ]


def test_the_time_of_a_file_is_no_time_of_nbgrader(tmp_path):
    put(tmp_path / "submitted/ann/ps1/05_square.ipynb", worked())
    assert find(tmp_path).submissions[0].handed_in == ""


@pytest.mark.parametrize("stamp", ["9999-12-31 23:59:59 UTC", "0001-01-01 00:00:00 UTC", "soon"])
@pytest.mark.usefixtures("zone")
def test_a_time_that_cannot_be_asks_a_person(tmp_path, stamp):
    put(tmp_path / "submitted/ann/ps1/05_square.ipynb", worked())
    put(tmp_path / "submitted/ann/ps1/timestamp.txt", stamp)
    (one,) = find(tmp_path).submissions
    assert one.handed_in == ""
    assert any("no time that can be" in doubt for doubt in one.doubts)


def test_a_receipt_in_a_students_archive_says_nothing(tmp_path):
    when = "attempt_2026-11-20-23-59-00"
    receipt = f"HW_m_ada_{when}.txt"
    lie, packed = "Name: Ada (ada)\n", io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(receipt, lie)
        archive.writestr("05_square.ipynb", worked())
    for name, content in {
        receipt: "Name: M (m_ada)\nAssignment: HW\n",
        f"HW_m_ada_{when}_s.zip": packed.getvalue(),
        f"HW_ada_{when}_05_square.ipynb": worked(mark="ada's"),
    }.items():
        put(tmp_path / name, content)
    assert find(tmp_path).students == ("ada", "M (m_ada)")


def test_packed_names_of_a_class_are_not_the_students_own(tmp_path):
    names = ("hw/Ada/05_square.ipynb", "hw/.ipynb_checkpoints/x.ipynb", "hw/feedback/x.ipynb")
    assert find(pack(tmp_path / "hw.zip", *names)).students == ("Ada",)


@pytest.mark.parametrize("run", ["{}", "[]", "no JSON", '{"seed": 1}'])
@pytest.mark.parametrize("name", ["05_square.ipynb", "work.zip", "answers.py"])
def test_a_folder_with_files_named_as_a_reports_is_a_students(tmp_path, run, name):
    content = {"work.zip": zipped("05_square.ipynb"), "answers.py": 'check("5.1", Square)'}
    put(tmp_path / "Ada/05_square.ipynb", worked())
    put(tmp_path / "Mal/results/x.json", "{}")
    put(tmp_path / "Mal/run.json", run)
    put(tmp_path / "Mal" / name, content.get(name, worked()))
    found = find(tmp_path)
    assert found.students == ("Ada", "Mal")
    told = [*found.submissions, *found.passed_over]
    assert [one.exercise for one in told if one.student == "Mal"] == ["05_square"]


@pytest.mark.parametrize(
    "name", ["05_square.ipynb", "work.zip", "answers.py", "results/a/w.zip", "x/grades.csv"]
)
def test_work_in_a_report_is_told(tmp_path, name):
    put(tmp_path / "Ada/05_square.ipynb", worked())
    put(tmp_path / "Mal/run.json", '{"seed": 1, "versions": {}}')
    put(tmp_path / "Mal/results/a/05_square.json", "{}")
    assert find(tmp_path).passed_over == ()
    put(tmp_path / "Mal" / name, worked())
    (passed,) = find(tmp_path).passed_over
    assert (passed.student, passed.file) == ("Mal", f"Mal/{name}")
    assert "lies in a folder that is a report's" in passed.reason


@pytest.mark.parametrize("name", ["05_square.pdf", "05_square.7z", "photo.jpg", "05_square.html"])
def test_other_content_under_the_same_name_is_other_work(tmp_path, name):
    hashes = []
    for content in ("blank", "blank", "drawn"):
        put(tmp_path / "Eva" / name, content)
        (passed,) = find(tmp_path, "05_square").passed_over
        hashes.append(passed.work)
    assert hashes[0] == hashes[1] != hashes[2]
    assert "overrides.csv" not in passed.reason
