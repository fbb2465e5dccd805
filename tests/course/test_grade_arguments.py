"""`course grade` takes its arguments in any order, and says in a sentence what it cannot use."""

import argparse
from pathlib import Path

import pytest

from course import grade
from course.grade import ArgumentsError, add_arguments, submissions_and_names
from tests.course.grading.classes import hand_in, put

KNOWN = ("05_square", "06_exp", "07_sinh")
BOTH = ("05_square", "06_exp")


def parsed(*words: str) -> tuple[Path, tuple[str, ...]]:
    """Return where the submissions lie, and which exercises are named."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    args = parser.parse_args([*words, "-o", "report"])
    return submissions_and_names(args.submissions, args.exercise, KNOWN)


@pytest.mark.parametrize(
    "words",
    [
        ("--exercise", "05", "06", "subs.zip"),
        ("subs.zip", "--exercise", "05", "06"),
        ("--exercise", "05,06", "subs.zip"),
        ("--exercise=05,06", "subs.zip"),
        ("--exercise", "05", "subs.zip", "--exercise", "06"),
        ("--exercise", "6", "--exercise", "05_square", "subs.zip"),
        ("subs.zip", "--exercise", "06_exp.ipynb", "--exercise", "05"),
        ("--roster", "list.csv", "--exercise", "05", "06", "--no-sandbox", "subs.zip"),
        ("--exercise", "subs.zip", "05", "06"),
    ],
)
def test_exercises_may_be_named_anywhere(words):
    assert parsed(*words) == (Path("subs.zip"), BOTH)


def test_no_exercise_need_be_named():
    assert parsed("subs.zip") == (Path("subs.zip"), ())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--exercise", "05"), "Where are the submissions"),
        ((), "Where are the submissions"),
        (("subs.zip", "--exercise", "99"), "There is no exercise 99: choose among 05_square"),
        (("--exercise", "99", "subs.zip"), "There is no exercise 99"),
        (("subs.zip", "--exercise", "05,99"), "There is no exercise 05,99"),
    ],
)
def test_what_cannot_be_told_is_said(words, said):
    with pytest.raises(ArgumentsError, match=said):
        parsed(*words)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--jobs", "4"), "--jobs is now jobs below [run] in course.toml: write how many"),
        (("--tls-key=key.pem",), "--tls-key is now tls_key below [run] in course.toml: write"),
    ],
)
def test_an_option_that_moved_says_where(capsys, words, said):
    with pytest.raises(SystemExit):
        parsed(*words, "subs.zip")
    assert said in capsys.readouterr().err


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    """Return a function that runs what cannot be graded; it returns what is said."""
    monkeypatch.setattr(grade, "grade_class", None)  # which would be called to grade
    hand_in(tmp_path / "subs", "Ada", "{}")

    def _run(*words: str, **files: str) -> str:
        for name, text in files.items():
            put(tmp_path / "r" / name.replace("_", "."), text)
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        always = [str(tmp_path / "subs"), "-o", str(tmp_path / "r"), "--no-sandbox"]
        assert grade.run(parser.parse_args([*always, *words])) == 2
        return capsys.readouterr().err

    return _run


@pytest.mark.parametrize("option", ["--roster", "--course"])
def test_a_file_that_is_not_there_is_named(run, option):
    assert "There is no gone.csv." in run(option, "gone.csv")


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("nowhere.pem", "There is no nowhere.pem."),
        (__file__, "tls_key and scheduler belong together"),
    ],
)
def test_unusable_files_for_tls_are_said_in_a_sentence(run, file, said):
    assert said in run(course_toml=f"[run]\nscheduler = 'tls://h:1'\ntls_ca = '{file}'")


def test_overrides_that_are_no_table_are_said_before_anything_is_graded(run):
    said = run(overrides_csv="name,task,points,reason\nAda,5.1,2,a\n")
    assert "overrides.csv, line 1: let it be the headings student,task,decision,reason" in said


def test_all_that_is_wrong_with_course_toml_is_said_at_once(run):
    said = run(course_toml="exercices = [5]\n[late]\ngrace = 30\n").splitlines()
    assert [line.split(": ")[0] for line in said if line.startswith("course.toml, ")] == [
        "course.toml, exercices",
        "course.toml, late.grace",
    ]


def test_windows_is_sent_to_its_linux(run, monkeypatch, tmp_path):
    monkeypatch.setattr(grade, "_ON_WINDOWS", True)
    assert "on Windows run it in WSL (`wsl --install`)" in run()
    assert not (tmp_path / "r").exists()
