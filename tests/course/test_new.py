"""`course new` begins a lesson or an exercise that builds, and passes the tests, as it is."""

import pytest

from course.build import find_exercises
from course.checkout import PACKAGE_ROOT
from course.new import new
from tests.course.copies import copy_course, run

FORM = ("tests/test_lessons.py", "tests/test_exercises.py", "tests/test_readme.py")
FORM += ("tests/helpers/checks/test_sabotage.py", "tests/helpers/checks/test_source_check.py")
FORM += ("tests/course/grading/test_evidence_check.py",)


@pytest.fixture
def course(tmp_path):
    """Make the folders that a course has."""
    for folder in ("lessons", "helpers/checks/tasks", "helpers/checks/references"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def files(root):
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*.*") if path.is_file())


def test_a_lesson_is_begun_with_its_exercise_its_tasks_and_their_right_answers(course, capsys):
    assert new(course, "31", "Café, part 2") == 0
    written = [
        "helpers/checks/hidden/ex31.py",
        "helpers/checks/references/ex31.py",
        "helpers/checks/references/ex31.toml",
        "helpers/checks/tasks/ex31.py",
        "lessons/31_cafe_part_2.exercise.md",
        "lessons/31_cafe_part_2.md",
    ]
    assert files(course) == written
    told = capsys.readouterr().out
    assert told.startswith("31_cafe_part_2 builds as it is. Fill in:\n  lessons/31_cafe_part_2.md:")
    assert all(f"  {path}: " in told for path in written)
    build = ".venv/bin/course build 31"
    assert told.endswith(f"Then: {build}. docs/own_exercise.md goes on from there.\n")
    page = PACKAGE_ROOT / "docs" / "own_exercise.md"
    assert f"\n{build}\n" in page.read_text(encoding="utf-8")


def test_an_exercise_can_be_begun_without_a_lesson(course):
    assert new(course, "20", "My own", with_lesson=False) == 0
    assert "lessons/20_my_own.md" not in files(course)
    assert [path.name for path in find_exercises(course)] == ["20_my_own.exercise.md"]
    text = (course / "lessons" / "20_my_own.exercise.md").read_text()
    assert "{{ lesson }}" not in text
    assert "## 20.2" not in text


@pytest.mark.parametrize(
    ("number", "title", "message"),
    [
        ("x", "Softplus", "x is no number of a lesson: give one from 0 to 99, such as 31.\n"),
        ("123", "Softplus", "123 is no number of a lesson"),
        ("²", "Softplus", "² is no number of a lesson"),
        ("09", "", "'' is no title: give a few words"),
        ("09", "../..", "'../..' is no title"),
        ("09", "a: b", "'a: b' is no title"),
        ("09", "a\nb", "is no title"),
        ("5", "Softplus", "05_square has this number: choose another.\n"),
        ("08", "Softplus", "helpers/checks/tasks/ex08.py is there already: choose another"),
    ],
)
def test_what_cannot_be_begun_is_told_in_a_sentence_and_nothing_is_written(
    course, capsys, number, title, message
):
    for name in ("lessons/05_square.md", "helpers/checks/tasks/ex08.py"):
        (course / name).touch()
    before = files(course)
    assert new(course, number, title) == 2
    assert message in capsys.readouterr().err
    assert files(course) == before


@pytest.mark.slow
def test_what_is_begun_builds_and_passes_the_tests_as_it_is(tmp_path):
    copy_course(tmp_path)
    assert new(tmp_path, "98", "Softplus") == 0
    ours = tmp_path / "tests" / "ours.py"  # the lesson is held to the house rules, too
    ours.write_text(ours.read_text().replace('"08_cube",', '"08_cube", "98_softplus",'))
    assert new(tmp_path, "99", "My own", with_lesson=False) == 0
    run(tmp_path, "course.cli", "build", "98")
    run(tmp_path, "course.cli", "build", "99")
    chosen = "98 or 99 or test_readme or there_are or every_lesson or every_answer"
    run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider", *FORM, "-k", chosen)
    run(tmp_path, "ruff", "check", "lessons", "helpers", "notebooks", "solutions")
    run(tmp_path, "ruff", "format", "--check", "helpers", "notebooks", "solutions")
