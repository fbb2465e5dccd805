"""course.toml says what is due when, and every wrong line of it is answered by its key."""

import re
from datetime import datetime, timedelta, timezone

import pytest

from course.grading.books.course_file import CourseFile, CourseFileError, read_course_file
from course.grading.settings import Limits
from tests.course.grading.classes import put

KNOWN = ("05_square", "06_exp")
# Lines that cannot be used, and what is said of them.
WRONG = """\
exercises = 5 -> exercises: write a list such as ["05"
exercises = "05" -> exercises: write a list such as ["05"
exercises = [7] -> exercises: no exercise is called 7
exercises = [true] -> exercises: no exercise is called True
exercices = [5] -> exercices: there is no such key; did you mean exercises?
all_or_nothing = true -> all_or_nothing: delete it
due = 5 -> due: write [due]
due.7 = 2026-11-20 -> due.7: no exercise is called 7
due.5 = "20.11.2026" -> due.5: write a line such as
due.5 = 23:59:00 -> due.5: write a line such as
due = {5 = 2026-11-20, 05 = 2026-11-21} -> due.05: 05_square is there twice
late = 1 -> late: write [late]
late.per_day = 1 -> late.per_day: there is no such key
late.points_per_day = -1 -> late.points_per_day: write the points
late.points_per_day = nan -> late.points_per_day: write the points
late.points_per_day = true -> late.points_per_day: write the points
late.points_per_day = "1" -> late.points_per_day: write the points
late.at_most = inf -> late.at_most: write the most points
late.at_most.05 = 1 -> late.at_most: write the most points
late.grace = "30 min" -> late.grace: write a later time below [due]
late.penalty_per_day = 0.1 -> late.penalty_per_day: write points_per_day
extensions."Ada".05 = 2026-11-27 -> extensions.Ada: write a line into overrides.csv
run.jobs = 0 -> run.jobs: write how many
run.jobs = 1.5 -> run.jobs: write how many
run.seed = -1 -> run.seed: write a whole number
run.seed = 99999999999 -> run.seed: write a whole number
run.scheduler = 8786 -> run.scheduler: write the address
run.cell_seconds = 0 -> run.cell_seconds: write the seconds"""
UNREADABLE = ["[due", "a = " + "[" * 100_000, b"# \xe4\n"]


@pytest.fixture
def read(tmp_path):
    """Return a function that reads course.toml from text or bytes."""

    return lambda content: read_course_file(put(tmp_path / "course.toml", content), KNOWN)


def test_without_a_file_nothing_is_due(tmp_path):
    assert read_course_file(tmp_path / "course.toml", KNOWN) == CourseFile()


def test_all_of_it_is_read_with_a_byte_order_mark_too(read):
    assert read("""\ufeff
        exercises = [6, "05"]
        [due]
        05 = 2026-11-20T23:59:00+01:00
        06_exp = 2026-11-27
        [late]
        points_per_day = 1
        at_most = 2.5
        [run]
        jobs = 1
        seed = 0
        tls_ca = "cert.pem"
        cell_seconds = 10
        memory_mb = 512
    """) == CourseFile(
        exercises=("05_square", "06_exp"),
        due={
            "05_square": datetime(2026, 11, 20, 23, 59, tzinfo=timezone(timedelta(hours=1))),
            "06_exp": datetime(2026, 11, 27, 23, 59, 59),
        },
        points_per_day=1,
        at_most=2.5,
        jobs=1,
        seed=0,
        tls_ca="cert.pem",
        limits=Limits(cell_seconds=10, memory_mb=512),
    )


LINES = [row.split(" -> ") for row in WRONG.splitlines()]
LINES += [(content, "cannot be read as TOML in UTF-8") for content in UNREADABLE]


@pytest.mark.parametrize(("content", "said"), LINES, ids=lambda one: str(one)[:30])
def test_a_wrong_line_is_named_and_what_to_write_is_said(read, content, said):
    with pytest.raises(CourseFileError, match=re.escape(said)) as error:
        read(content)
    assert "\n" not in str(error.value)
