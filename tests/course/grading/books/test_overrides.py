"""Points set by hand are read as spreadsheets save them."""

import re

import pytest

from course.grading.books.overrides import OverrideError, read_overrides

HEAD = "student,task,points,reason\n"


def _valid(overrides, wrong):
    if wrong:
        raise OverrideError(*wrong)
    return overrides


@pytest.fixture
def read(tmp_path):
    """Return a function that reads overrides.csv from text or bytes."""

    def _read(content):
        path = tmp_path / "overrides.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return [(o.student, o.task, o.points, o.reason) for o in _valid(*read_overrides(path))]

    return _read


@pytest.mark.parametrize(
    "content",
    [
        HEAD + 'Ada,5.1,2.5,"late, but right"\n',
        "\ufeff" + HEAD + 'Ada,5.1,2.5,"late, but right"\r\n',
        'student;task;points;reason\nAda;5.1;2,5;"late, but right"\n',
        "sep=;\nstudent;task;points;reason\n\n;;;\nAda;5,1;2,5;late, but right\n",
        'student\ttask\tpoints\treason\nAda\t5.1\t2.5\t"late, but right"\n',
        '"Points"," Task ","student","reason","who"\n2.5,5.1,Ada,"late, but right",me\n',
        HEAD + "\n , ,,\nAda,'5.1,'2.5,\"late, but right\"\n\n",
        (HEAD + 'Ada,5.1,2.5,"late, but right"\n').encode("utf-16"),
    ],
)
def test_every_way_a_spreadsheet_saves_it_is_read(read, content):
    assert read(content) == [("Ada", "5.1", 2.5, "late, but right")]


@pytest.mark.parametrize("content", ["", "\n\n", HEAD, "\ufeff" + HEAD])
def test_a_file_without_lines_sets_nothing(read, content):
    assert read(content) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("name,task,points,reason\n", "line 1: let it be the headings"),
        (HEAD + "\nAda,5.1,two,why\n", "line 3: the points are 'two'"),
        (HEAD + "Ada,5.1,2\n", "line 2: 3 cells stand under 4 headings"),
        (HEAD + "Ada,5.1,2,late, but right\n", "line 2: 5 cells"),
        (HEAD + ",5.1,2,why\n", "line 2 has no student"),
        (HEAD + "Ada,,2,why\n", "line 2 has no task"),
        (HEAD + "Ada,5.1,,why\n", "line 2 has no points"),
        (HEAD + "Ada,05_square,3,why\n", "of a whole exercise no points can be set but 0: name"),
        (HEAD + "Ada,05_square,nan,why\n", "of a whole exercise no points can be set but 0: name"),
        (HEAD + "Ada,99,0,why\n", "line 2: There is no exercise 99"),
        (HEAD + "Ada,5.9,3,why\n", "line 2: There is no task 5.9"),
        (HEAD + "Ada,99,,why\n", "line 2: There is no exercise 99"),
        (HEAD + "Ada,5.1,30,why\n", "line 2: task 5.1 cannot get 30 points"),
        (HEAD + 'Ada,5.1,2,"why\n', "quotation marks"),
        ((HEAD + "Zoë,5.1,2,why\n").encode("cp1252"), "save it as “CSV UTF-8”"),
    ],
)
def test_a_malformed_line_is_named_and_what_to_do_is_said(read, content, said):
    with pytest.raises(OverrideError, match=re.escape(said)) as error:
        read(content)
    assert "overrides.csv" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("exercise", ["05_square", "05", "5"])
def test_an_exercise_without_points_says_that_somebody_has_seen_it(read, exercise):
    assert read(HEAD + f"Ada,{exercise},,looked at it\n") == [
        ("Ada", exercise, None, "looked at it")
    ]


def test_an_exercise_may_get_0_points(read):
    assert read(HEAD + "Omar Al-Sayed,05_square,0,not handed in\n") == [
        ("Omar Al-Sayed", "05_square", 0, "not handed in")
    ]


def test_all_wrong_lines_are_said_at_once_and_the_others_are_read(tmp_path):
    path = tmp_path / "overrides.csv"
    path.write_text(HEAD + "Ada,5.1,two,a\nBo,5.1,1,b\nCy,9.99,1,c\nDi,5.1,,d\n", encoding="utf-8")
    overrides, wrong = read_overrides(path)
    assert [one.student for one in overrides] == ["Bo"]
    assert [said.partition(":")[0][:21] for said in wrong] == [
        f"overrides.csv, line {line}" for line in (2, 4, 5)
    ]
