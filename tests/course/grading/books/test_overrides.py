"""A person's decisions are read as spreadsheets save them."""

import pytest

from course.grading.books.gradebook import TableError
from course.grading.books.overrides import read_overrides
from tests.course.grading.classes import put

HEAD = "student,task,decision,reason\n"
DECISIONS = """\
5.1,0 -> points 0.0
5.1,accept -> accept None
5.1, -> comment None
05_square, -> accept None
5,0 -> points 0.0
05,Take a/b (2).ipynb -> take a/b (2).ipynb
05,late 27.5h -> late 27.5
05,late 1 hour -> late 1.0
05,due 2026-11-27 -> due 2026-11-27 23:59:59
05,due 2026-11-27T08:00 -> due 2026-11-27 08:00:00
05,is lost.ipynb -> is lost.ipynb
,is ada17 -> is ada17"""
UNUSABLE = """\
Ada,5.1,two,why
Ada,5.1,2
Ada,5.1,2,late, but right
,5.1,2,why
Ada,,2,why
Ada,,accept,why
Ada,5.1,take a.ipynb,
Ada,5.1,is ada17,
Ada,5.1,30,
Ada,5.1,-1,
Ada,5.9,3,why
Ada,05,3,why
Ada,05,nan,why
Ada,05,due 2026-02-30,
Ada,05,late soon,
Ada,99,0,why
Ada,EXERCISE,is a.py,"""


@pytest.fixture
def read(tmp_path):
    """Return a function that reads overrides.csv from text or bytes."""

    def _read(content):
        overrides, wrong = read_overrides(put(tmp_path / "overrides.csv", content))
        return [(o.student, o.task, f"{o.kind} {o.value}", o.reason) for o in overrides], wrong

    return _read


@pytest.mark.parametrize(
    "content",
    [
        HEAD + 'Ada,5.1,2.5,"late, but right"\n',
        'student;task;points;reason\nAda;5.1;2,5;"late, but right"\n',
        "sep=;\nstudent;task;points;reason\n\n;;;\nAda;5,1;2,5;late, but right\n",
        'student\ttask\tpoints\treason\nAda\t5.1\t2.5\t"late, but right"\n',
        '"Decision"," Task ","student","reason","who"\n2.5,5.1,Ada,"late, but right",me\n',
        HEAD + "\n , ,,\nAda,'5.1,'2.5,\"late, but right\"\n\n",
        (HEAD + 'Ada,5.1,2.5,"late, but right"\r\n').encode("utf-16"),
    ],
)
def test_every_way_a_spreadsheet_saves_it_is_read(read, content):
    assert read(content) == ([("Ada", "5.1", "points 2.5", "late, but right")], [])


@pytest.mark.parametrize("content", ["", "\n\n", HEAD])
def test_a_file_without_lines_decides_nothing(read, content):
    assert read(content) == ([], [])


@pytest.mark.parametrize("line", DECISIONS.splitlines())
def test_each_decision_is_read(read, line):
    written, _, meant = line.partition(" -> ")
    task, _, _ = written.partition(",")
    assert read(f"{HEAD}Ada,{written},why\n") == ([("Ada", task, meant, "why")], [])


@pytest.mark.parametrize("line", UNUSABLE.splitlines())
def test_a_line_that_cannot_be_used_is_named_and_the_others_are_read(read, line):
    overrides, (said,) = read(f"{HEAD}Bo,5.1,1,b\n{line}\nCy,5.1,1,c\n")
    assert [one[0] for one in overrides] == ["Bo", "Cy"]
    assert said.startswith("overrides.csv, line 3")


@pytest.mark.parametrize("head", ["name,task,points,reason\n", HEAD.replace("reason", "points")])
def test_what_is_no_such_table_is_an_error(read, head):
    with pytest.raises(TableError, match="line 1"):
        read(head)
