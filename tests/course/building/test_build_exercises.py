"""`course build` makes a stub and a solution of each exercise, and hands out no broken one."""

from types import SimpleNamespace

import nbformat
import pytest

from course.build import build, find_exercises, find_lessons
from tests.course.tiny import FAKE_CHECK, Task, answer, cell, check, lesson, write, write_exercise

pytestmark = pytest.mark.slow  # a kernel for nearly each

SET_UP = cell("set-up", FAKE_CHECK)
WHERE = cell(
    "where", "import os\nprint(os.path.basename(os.getcwd()), os.environ['COURSE_PROGRESS'])"
)
SOLVED, STUB = "solutions/01_tiny.ipynb", "exercises/01_tiny.ipynb"
WRONG = "x = ...\n### BEGIN SOLUTION\nx = 5\n### END SOLUTION"
EVIDENCE = "application/vnd.autograd-course.evidence+json"


@pytest.fixture
def course(tmp_path):
    write_exercise(tmp_path, SET_UP, answer(), check(), WHERE)
    return tmp_path


def run(course, names=None, **options):
    return build(course, names, tasks=lambda number: [Task(f"{number}.1")], **options)


def contents(course):
    files = [path for folder in ("exercises", "solutions") for path in (course / folder).glob("*")]
    return {path.relative_to(course).as_posix(): path.read_bytes() for path in files}


def outputs(course, name):
    notebook = nbformat.read(course / SOLVED, as_version=4)
    (found,) = [node for node in notebook.cells if node.id == name]
    return found.outputs


def test_the_solution_is_run_with_its_hidden_checks_and_the_stub_is_not_run(course):
    assert run(course) == 0
    assert set(contents(course)) == {SOLVED, STUB}
    shown = outputs(course, "check-1-1")
    assert [output.data[EVIDENCE] for output in shown] == [{"ok": True, "task": "1.1"}] * 2
    stub = nbformat.read(course / STUB, as_version=4)
    code = [node for node in stub.cells if node.cell_type == "code"]
    assert {(node.execution_count, len(node.outputs)) for node in code} == {(None, 0)}


def test_the_kernel_works_beside_the_lessons_and_writes_no_progress(course):
    run(course)
    assert outputs(course, "where")[0].text == "solutions off\n"


def test_a_second_build_runs_nothing_and_a_forced_one_gives_the_same_bytes(course, capsys):
    run(course)
    first = contents(course)
    capsys.readouterr()
    assert run(course) == 0
    assert capsys.readouterr().out == f"{SOLVED}: up to date\n{STUB}: up to date\n"
    assert run(course, force=True) == 0
    assert contents(course) == first


def test_changed_points_are_nbgraders_in_the_solution_alone(course):
    run(course)
    assert run(course, force=True) == 0
    assert build(course, force=True, tasks=lambda _: [Task("1.1", points=9)]) == 0
    assert b'"points": 9' in contents(course)[SOLVED]
    assert b'"points": 0' in contents(course)[STUB]  # which is no source of nbgrader's


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("01", {"notebooks", "exercises", "solutions"}),
        ("1", {"notebooks", "exercises", "solutions"}),
        ("01_tiny", {"notebooks"}),
        ("notebooks/01_tiny.ipynb", {"notebooks"}),
        ("01_tiny.exercise", {"exercises", "solutions"}),
        ("lessons/01_tiny.exercise.md", {"exercises", "solutions"}),
        ("exercises/01_tiny.ipynb", {"exercises", "solutions"}),
        ("solutions/01_tiny.ipynb", {"exercises", "solutions"}),
    ],
)
def test_an_exercise_is_chosen_by_its_own_name_or_its_number(course, name, expected):
    write(course, lesson("No code."))
    assert run(course, [name]) == 0
    assert {path.parent.name for path in course.glob("*/*.ipynb")} == expected


def test_lessons_and_exercises_are_told_apart(course):
    write(course, lesson("No code."))
    write(course, "no exercise", "notes.exercise")
    assert [path.name for path in find_lessons(course)] == ["01_tiny.md"]
    assert [path.name for path in find_exercises(course)] == ["01_tiny.exercise.md"]


def line_of_check(course):
    text = (course / "lessons" / "01_tiny.exercise.md").read_text().splitlines()
    return text.index('check("1.1", x)') + 1


def test_a_solution_that_fails_its_check_writes_neither_notebook(course, capsys):
    run(course)
    before = contents(course)
    write_exercise(course, SET_UP, answer(code=WRONG), check())
    capsys.readouterr()
    assert run(course) == 1
    assert contents(course) == before
    assert capsys.readouterr().err == (
        f"lessons/01_tiny.exercise.md:{line_of_check(course)}: the cell `check-1-1` "
        "does not pass with this solution:\nyou: 5\n"
    )


def test_a_hidden_check_that_raises_is_named_with_its_line(course, capsys):
    raising = FAKE_CHECK + "\n\ndef fail(*_):\n    raise AssertionError('the hidden check fails')\n"
    write_exercise(course, cell("set-up", raising + "check.hidden = fail"), answer(), check())
    assert run(course) == 1
    line = line_of_check(course) + 2
    error = capsys.readouterr().err
    assert "AssertionError: the hidden check fails" in error
    assert f"lessons/01_tiny.exercise.md:{line})" in error


def test_a_solution_that_fails_its_hidden_check_alone_is_an_error(course, capsys):
    failing = FAKE_CHECK + "\ncheck.hidden = lambda task, answer: show(task, 5)"
    write_exercise(course, cell("set-up", failing), answer(), check())
    assert run(course) == 1
    assert "does not pass with this solution:\nyou: 5" in capsys.readouterr().err


def test_a_check_that_shows_no_evidence_is_an_error(course, capsys):
    silent = cell("set-up", "class check:\n    hidden = print\n    __init__ = lambda *_: None")
    write_exercise(course, silent, answer(), check())
    assert run(course) == 1
    assert "the cell `check-1-1` shows no evidence: call check(…)" in capsys.readouterr().err


def test_an_exercise_without_tasks_is_named(course, capsys):
    def none(number):
        raise LookupError(f"there is no exercise {number}")

    assert build(course, tasks=none) == 1
    assert capsys.readouterr().err == (
        "lessons/01_tiny.exercise.md:1: there is no exercise 1: write its tasks first\n"
    )


def test_a_check_compares_the_stub_without_running_it(course, capsys):
    run(course)
    assert run(course, check=True) == 0
    told = capsys.readouterr().out
    assert told.endswith("2 notebooks checked: each is what its source builds\n")
    path = course / STUB
    path.write_text(path.read_text().replace("x = ...", "x = 5"))
    before = contents(course)
    assert run(course, check=True) == 1
    told = capsys.readouterr()
    assert f"{STUB} is not what lessons/01_tiny.exercise.md builds" in told.err
    assert "-x = 5\n+x = ..." in told.err
    assert contents(course) == before


def test_a_check_runs_a_solution_that_was_changed_by_hand(course, capsys):
    run(course)
    path = course / SOLVED
    path.write_text(path.read_text().replace("you: 4", "you: 5"))
    assert run(course, check=True) == 1
    assert "-you: 5\n+you: 4" in capsys.readouterr().err


def test_stale_files_are_named_and_a_students_copies_are_not(course, capsys):
    run(course)
    for name in ("exercises/09_old.ipynb", "solutions/09_old.ipynb", "solutions/01_tiny.1.ipynb"):
        (course / name).write_text("{}")
    (course / "exercises" / "01_tiny.1.ipynb").write_text("{}")
    capsys.readouterr()
    assert run(course, check=True) == 1
    told = capsys.readouterr().err.splitlines()
    assert [line.split(" has no source")[0] for line in told] == [
        "exercises/09_old.ipynb",
        "solutions/01_tiny.1.ipynb",
        "solutions/09_old.ipynb",
    ]


@pytest.fixture
def judged(course):
    """Return a function that builds with a grader, and what that was asked about."""
    asked, says = [], []

    async def judge(exercise, solved):
        asked.append((exercise.name, solved.cells[-1].outputs != []))
        return " ".join(says)

    folder = course / "helpers" / "checks" / "references"
    folder.mkdir(parents=True)
    return SimpleNamespace(
        asked=asked,
        says=says,
        references=folder / "ex01.py",
        build=lambda names=None, **options: run(course, names, judge=judge, **options),
    )


def test_an_exercise_is_judged_as_a_submission_is_when_it_is_named_and_only_when_it_changed(judged):
    assert judged.build() == 0
    assert judged.asked == []
    for _ in range(2):
        assert judged.build(["01"]) == 0
        assert judged.asked == [("01_tiny.exercise", True)]
    judged.references.touch()
    assert judged.build() == 0  # what was judged once is judged again
    assert len(judged.asked) == 2
    assert judged.build(["01"], force=True) == 0
    assert len(judged.asked) == 3


def test_an_exercise_that_would_be_judged_wrongly_writes_nothing(course, judged, capsys):
    judged.says.append("the solution does not pass")
    for _ in range(2):
        assert judged.build(["01"]) == 1
        assert "the solution does not pass" in capsys.readouterr().err
        assert contents(course) == {}
