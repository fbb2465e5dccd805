"""Nothing that may be work is dropped, and the course's own files are nobody's."""

import json
import re
import shutil

import nbformat
import pytest
from nbconvert import HTMLExporter

from course.grading.reading import download
from course.grading.reading.download import SubmissionsError
from course.grading.reading.other_files import exercise_of
from tests.course.grading.reading.layouts import (
    EXERCISES,
    EXP,
    ROOT,
    SQUARE,
    known,
    lay,
    notebook,
    put,
    read,
    worked,
    zipped,
)

UNTOUCHED = json.dumps(notebook())


def notebooks(root):
    """Return where the notebooks of exercises lie that somebody has worked on."""
    return [one.sent.file.where for one in read(root).candidates if one.found.written]


def left(root):
    """Return what else may be work: by the file, which exercise it seems to be, and why."""
    return {one.sent.file.where: (one.exercise, one.reason) for one in read(root).leftovers}


RENAMED = """\
05_square.ipynb
05_square (1).ipynb
05_square-2.ipynb
05_square.1.ipynb
05_square-Copy1.ipynb
05_SQUARE.IPYNB
Kopie von 05_square.ipynb
anna_05_square.ipynb
05 square.pdf
05-square
05_square.ipynb.txt
05_square.ipynb.json
"""
OTHERS = """\
05_squared.ipynb
105_square.ipynb
square.ipynb
.ipynb
05_square and 06_exp.ipynb
"""


@pytest.mark.parametrize("names", [RENAMED, OTHERS])
def test_a_renamed_file_is_still_named_after_its_exercise(names):
    for name in names.splitlines():
        found = exercise_of(name, EXERCISES)
        assert (found == "05_square") == (names is RENAMED), name


LEFT = """\
work.html | 05_square | is no notebook, but may hold answers
work.py | 05_square | is no notebook, but may
a.html | | is no notebook, but may
answers.txt | 05_square | is no notebook, but may
05_square.pdf | 05_square | is no notebook, but may
Square.docx | | is no notebook, but may
05_square.7z | 05_square | is an archive of a kind that is not read
photo.jpg | | is no notebook, and there is none beside it
05_square.ipynb | 05_square | is no notebook, or a damaged one
.05_square.ipynb | 05_square | is hidden
s.zip | | holds no file
folder.zip | | holds no file
empty.zip | | is damaged, or no zip or tar archive
"""
CONTENTS = {
    "work.html": HTMLExporter().from_notebook_node(nbformat.reads(worked(), as_version=4))[0],
    "work.py": "# In[1]:\n\ncheck('5.1', Square)",
    "a.html": b"<" * 2**22 + b"check(" * 10**5,
    "answers.txt": 'check("5.1", Square)',
    "folder.zip": zipped({"a/": b""}),
    "empty.zip": b"",
    "s.zip": zipped({"__MACOSX/y": b""}),
}


@pytest.mark.parametrize("line", LEFT.splitlines())
def test_what_may_be_work_is_told_with_its_exercise(tmp_path, line):
    name, exercise, reason = map(str.strip, line.split("|"))
    where = {name, f"eva/{name}"}
    lay(tmp_path, dict.fromkeys(where, CONTENTS.get(name, b"{")))
    lay(tmp_path, {f"bob/{SQUARE}": worked(), "bob/photo.jpg": "x"})
    found = left(tmp_path)
    assert found.keys() == where
    assert all(of == exercise and reason in said for of, said in found.values())


WHEN = "attempt_2026-11-20-23-59-00"


@pytest.mark.parametrize(
    ("prefix", "note"),
    [("ada_1_9_", "a.csv"), (f"hw_ada_{WHEN}_", "a.csv"), (f"hw_ada_{WHEN}", ".txt")],
)
def test_what_is_kept_beside_a_notebook_is_told_only_where_there_is_none(tmp_path, prefix, note):
    put(tmp_path / f"{prefix}{note}", "x")
    assert set(left(tmp_path)) == {f"{prefix}{note}"}
    put(tmp_path / f"{prefix.removesuffix('_')}_{SQUARE}", worked())
    assert left(tmp_path) == {}


@pytest.mark.parametrize(
    "name", ["feedback/a.ipynb", "05_assignfeedback_final.ipynb", "homework.txt"]
)
def test_work_is_found_under_any_name_and_in_archives(tmp_path, name):
    lay(tmp_path, {f"Ada/{name}": worked(), "Bo/a.zip": zipped({name: worked()})})
    assert sorted(notebooks(tmp_path)) == [f"Ada/{name}", f"Bo/a.zip/{name}"]


def test_many_strange_files_hide_neither_the_work_nor_that_there_are_more(tmp_path):
    most = download._MOST_LEFTOVERS
    lay(tmp_path, {f"eva/{number}.ipynb": "{" for number in range(most + 9)})
    put(tmp_path / "eva" / "z.ipynb", worked())
    assert notebooks(tmp_path) == ["eva/z.ipynb"]
    *_, (exercise, reason) = left(tmp_path).values()
    assert (len(left(tmp_path)), exercise) == (most, "")
    assert reason.endswith("Whatever comes after it is not listed.")


def test_what_is_read_of_one_student_is_limited(tmp_path, monkeypatch):
    monkeypatch.setattr(download, "_MOST_READ", 2**20)
    lay(tmp_path, {f"{name}.ipynb": worked() for name in ("Al/1", "Al/2", "Al/3", "Bob/1")})
    assert sorted(notebooks(tmp_path)) == ["Al/1.ipynb", "Al/2.ipynb", "Bob/1.ipynb"]
    assert "comes after more files than are read" in left(tmp_path)["Al/3.ipynb"][1]


def clone(folder):
    """Copy what a clone of the course has of the exercises that are known."""
    for name in ("exercises", "notebooks", "solutions"):
        shutil.copytree(ROOT / name, folder / name, ignore=lambda _, n: {*n} - {SQUARE, EXP})
    return folder


def solution(pattern="", other="", of=""):
    """Return the course's solution, changed; or the exercise, in which one answer is solved."""
    found = notebook(folder="exercises" if of else "solutions")
    for cell in found["cells"]:
        source = "".join(cell["source"])
        cell["source"] = known()[0].solved[of] if cell["id"] == of else source
        if cell["cell_type"] == "code":
            cell["source"] = re.sub(pattern, other, cell["source"], flags=re.MULTILINE)
    return json.dumps(found)


def test_of_a_clone_only_its_owners_work_is_seen(tmp_path):
    bob = clone(tmp_path / "bob")
    older = solution("return", "return 1 *")
    lay(bob, {"README.md": "x", "course/a.json": UNTOUCHED, f"solutions/{SQUARE}": older})
    assert (notebooks(tmp_path), left(tmp_path)) == ([], {})
    lay(bob, {"notebooks/mine.ipynb": worked(), f"exercises/{EXP}": worked("06_exp"), "x.py": "x"})
    assert {*notebooks(tmp_path)} == {"bob/notebooks/mine.ipynb", "bob/exercises/06_exp.ipynb"}
    assert set(left(tmp_path)) == {"bob/x.py"}


@pytest.mark.parametrize("place", ["", "exercises/", "mine/"])
def test_the_courses_solution_is_nobodys_work_and_told_where_work_belongs(tmp_path, place):
    clone(tmp_path / "bob")
    path = put(tmp_path / "bob" / f"{place}{SQUARE}", solution())
    ((where, (exercise, said)),) = left(tmp_path).items()
    assert (where, exercise) == (path.relative_to(tmp_path).as_posix(), "05_square")
    assert said == "05_square.ipynb is the course's own solution, and counts for nobody."
    assert notebooks(tmp_path) == []


COPIED = "the answers are the course's own solution, word for word"


@pytest.mark.parametrize(
    ("content", "doubt"),
    [
        (solution(r"^.*###.*\n?"), COPIED),
        (solution(r"### .*|\"\"\"(?=\w)", r"\g<0>Mine: "), COPIED),
        (solution(r"^( +)|### .*", r"\1\1"), COPIED),
        (solution("return", "return 1 *"), "It holds marks of the course's own solution"),
        (solution("###.*", of="answer-5-3"), ""),
    ],
)
def test_a_copy_of_the_solution_is_work_that_asks_for_a_person(tmp_path, content, doubt):
    put(tmp_path / "bob" / "mine.ipynb", content)
    (one,) = read(tmp_path).candidates
    assert doubt in "".join(one.found.doubts)
    assert one.found.doubts == () or doubt


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("class/README.md", "holds no submission: there should be"),
        ("class/Ada/05/.x", "holds no submission: there should be"),
        (SQUARE, f"{SQUARE} is damaged, or no zip or tar archive"),
    ],
)
def test_there_must_be_something_to_grade(tmp_path, name, said):
    root = tmp_path / name.partition("/")[0]
    with pytest.raises(SubmissionsError, match=r"cannot be read .*: give the folder"):
        read(root)
    put(tmp_path / name, "x")
    (tmp_path / "link").symlink_to(root)
    for path in (root, tmp_path / "link"):
        with pytest.raises(SubmissionsError, match=said):
            read(path)
