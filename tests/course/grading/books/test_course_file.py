"""course.toml says what is due when, and every wrong line of it is answered by its key."""

import re
from datetime import datetime, timedelta, timezone

import pytest

from course.grading.books.course_file import (
    CourseFile,
    CourseFileError,
    LateRules,
    read_course_file,
)

KNOWN = ("05_square", "06_exp")


@pytest.fixture
def read(tmp_path):
    """Return a function that reads course.toml from text or bytes."""

    def _read(content):
        path = tmp_path / "course.toml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_course_file(path, KNOWN)

    return _read


def test_without_a_file_nothing_is_due(tmp_path):
    assert read_course_file(tmp_path / "course.toml", KNOWN) == CourseFile()


def test_all_of_it_is_read(read):
    course = read("""
        exercises = [6, "05"]
        [due]
        05 = 2026-11-20T23:59:00+01:00
        06_exp = 2026-11-27
        [late]
        grace = "1.5 h"
        penalty_per_day = 0.1
        at_most = 0.5
        [extensions."Ada Lovelace"]
        5 = 2026-11-22T12:00:00
    """)
    assert course == CourseFile(
        ("05_square", "06_exp"),
        {
            "05_square": datetime(2026, 11, 20, 23, 59, tzinfo=timezone(timedelta(hours=1))),
            "06_exp": datetime(2026, 11, 27, 23, 59, 59),
        },
        LateRules(timedelta(minutes=90), 0.1, 0.5),
        {"Ada Lovelace": {"05_square": datetime(2026, 11, 22, 12)}},
    )


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("30 min", timedelta(minutes=30)),
        ("2h", timedelta(hours=2)),
        ("1 Day", timedelta(days=1)),
        ("2 weeks", timedelta(weeks=2)),
    ],
)
def test_a_grace_is_written_as_people_do(read, text, span):
    assert read(f'[late]\ngrace = "{text}"').late.grace == span


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_mark_of_utf_8_does_not_disturb(read, mark):
    assert read(mark + b'exercises = ["05"]').exercises == ("05_square",)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("exercises = 5", 'exercises: write a list such as ["05", "06_exp"]'),
        ("exercises = [7]", "exercises: there is no exercise 7, but 05_square, 06_exp"),
        ("exercises = [true]", "exercises: there is no exercise True"),
        ("exercices = [5]", "exercices: there is no such key, but exercises, all_or_nothing, due"),
        ('all_or_nothing = "yes"', "all_or_nothing: write true or false"),
        ("due = 5", "due: make it a table, [due]"),
        ("[due]\n7 = 2026-11-20", "due.7: there is no exercise '7'"),
        ('[due]\n5 = "20.11.2026"', "due.5: write a time such as 2026-11-20T23:59:00, without"),
        ("[due]\n5 = 0001-01-01", "due.5: write a time"),
        ("[due]\n5 = 23:59:00", "due.5: write a time"),
        ("[due]\n5 = 2026-11-20\n05 = 2026-11-21", "due.05: 05_square stands there twice"),
        ("[late]\nper_day = 1", "late.per_day: there is no such key, but grace"),
        ("[late]\ngrace = 30", 'late.grace: write a time such as "30 min"'),
        ("[late]\npenalty_per_day = 10", "late.penalty_per_day: write a share from 0 to 1"),
        ("[late]\nat_most = nan", "late.at_most: write a share"),
        ("[late]\npenalty_per_day = true", "late.penalty_per_day: write a share"),
        ("[extensions]\nAda = 2026-11-20", "extensions.Ada: make it a table, [extensions.Ada]"),
        ('[extensions."A B"]\n5 = 1', 'extensions."A B".5: write a time'),
        ("[due\n", "course.toml is not written as TOML is: "),
        ("a = " + "[" * 100_000, "course.toml is not written as TOML is: "),
        (b"[due]\n# \xe4\n", "course.toml is not UTF-8"),
        (b"#" * 2_000_000, "course.toml is larger than 1 MB"),
    ],
)
def test_a_wrong_line_is_named_and_what_to_do_is_said(read, content, said):
    with pytest.raises(CourseFileError, match=re.escape(said)) as error:
        read(content)
    assert "\n" not in str(error.value)


def test_all_that_is_wrong_is_said_at_once(read):
    with pytest.raises(CourseFileError) as error:
        read("""
            exercices = [5]
            exercises = [7]
            all_or_nothing = 1
            [due]
            8 = 1
            [late]
            grace = 30
            per_day = 0.1
            at_most = 5
            [extensions]
            Ada = 1
            [extensions.Bo]
            5 = 1
            05 = 2
        """)
    keys = ("exercices", "exercises", "all_or_nothing", "due.8", "late.grace", "late.per_day")
    keys += ("late.at_most", "extensions.Ada", 'extensions."Bo".5', 'extensions."Bo".05')
    said = [line.split(": ")[0].removeprefix("course.toml, ") for line in error.value.args]
    assert sorted(said) == sorted([*keys, "due.8"])  # of which exercise and time are wrong


def test_a_folder_in_its_place_is_a_sentence(tmp_path):
    (tmp_path / "course.toml").mkdir()
    with pytest.raises(CourseFileError, match="cannot be read"):
        read_course_file(tmp_path / "course.toml", KNOWN)
