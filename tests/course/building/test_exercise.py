"""An exercise becomes a solved notebook and a stub, and disagrees with its tasks only aloud."""

import nbformat
import pytest

from course.building.exercise import read_exercise
from course.notebooks.regions import BuildError
from tests.course.tiny import Task, answer, cell, check, exercise, line_of, write_exercise

ONE = [Task("1.1")]
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
BEGIN_HIDDEN, END_HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"


def read(root, *parts, tasks=ONE):
    return read_exercise(write_exercise(root, *parts), tasks)


def code(notebook):
    return {node.id: node for node in notebook.cells if node.cell_type == "code"}


def test_the_solution_keeps_everything_and_the_stub_keeps_no_secret(tmp_path):
    found = read(tmp_path, "Text.", cell("given", "y = 1"), answer(), check())
    assert (found.title, found.minutes, found.name) == ("Tiny", 5, "01_tiny.exercise")
    assert (found.builds, found.stub_builds) == (
        "solutions/01_tiny.ipynb",
        "exercises/01_tiny.ipynb",
    )
    solved, stub = code(found.notebook), code(found.stub)
    assert solved["answer-1-1"].source == f"x = ...\n{BEGIN}\nx = 4\n{END}"
    assert f"{BEGIN_HIDDEN}\ncheck.hidden(" in solved["check-1-1"].source
    assert {name: node.source for name, node in stub.items()} == {
        "given": "y = 1",
        "answer-1-1": "x = ...",
        "check-1-1": 'check("1.1", x)',
    }
    assert [node.id for node in found.stub.cells] == [node.id for node in found.notebook.cells]
    text = nbformat.writes(found.stub)
    assert "SOLUTION" not in text
    assert "HIDDEN" not in text
    assert [(node.outputs, node.execution_count) for node in stub.values()] == [([], None)] * 3


def test_nbgrader_finds_the_points_of_the_task_in_the_solution_and_none_in_the_stub(tmp_path):
    tasks = [Task("1.1", points=3), Task("1.2", points=7)]
    parts = [answer(), check(), answer(2), check(2)]
    found = read(tmp_path, *parts, tasks=tasks)
    for notebook, worth in ((found.notebook, (3, 7)), (found.stub, (0, 0))):
        keys = {name: node.metadata.nbgrader for name, node in code(notebook).items()}
        assert {name: meta.get("points") for name, meta in keys.items()} == {
            "answer-1-1": None,
            "check-1-1": worth[0],
            "answer-1-2": None,
            "check-1-2": worth[1],
        }
        assert code(notebook)["check-1-2"].metadata.editable is False
        assert "metadata" in notebook.cells[0]
        assert notebook.cells[0].metadata == {}


def test_a_task_may_have_several_answer_cells(tmp_path):
    more = cell("answer-1-1-b", f"y = ...\n{BEGIN}\ny = 1\n{END}")
    assert "answer-1-1-b" in read(tmp_path, answer(), more, check()).lines


@pytest.mark.parametrize(
    ("parts", "name", "offset", "message"),
    [
        ([answer(code=f"x\n{BEGIN}\ny"), check()], "answer-1-1", 1, "is never ended"),
        (
            [cell("given", f"y\n{BEGIN}\nx\n{END}")],
            "given",
            1,
            "belongs into a cell whose id begins with answer-, not into `given`",
        ),
        (
            [answer(), check(code=f"{BEGIN}\nx\n{END}")],
            "check-1-1",
            0,
            "belongs into a cell whose id begins with answer-, not into `check-1-1`",
        ),
        (
            [answer(code=f"x\n{BEGIN_HIDDEN}\ny\n{END_HIDDEN}")],
            "answer-1-1",
            1,
            "belongs into a cell whose id begins with check-, not into `answer-1-1`",
        ),
        ([answer(code="x = 4")], "answer-1-1", 0, "has no `### BEGIN SOLUTION` region"),
        (
            [answer(), check(code='check("1.1", x)')],
            "check-1-1",
            0,
            "the cell `check-1-1` has no `### BEGIN HIDDEN TESTS` region",
        ),
        (
            [answer(code=f"{BEGIN}\nx = 4\n{END}"), check()],
            "answer-1-1",
            0,
            "nothing of `answer-1-1` is left for the student: add a line",
        ),
        (
            [answer(code=f"if True:\n{BEGIN}\nx = 4\n{END}\ny = 1")],
            "answer-1-1",
            4,
            "what is left of `answer-1-1` is not Python (expected an indented block after 'if'",
        ),
        ([answer(), check(), answer(2)], "answer-1-2", 0, "has no task 1.2: there are 1.1"),
        ([answer(), check(), check(2)], "check-1-2", 0, "has no task 1.2: there are 1.1"),
        ([check()], "check-1-1", 0, "`check-1-1` has no answer cell above it: write one"),
        (
            [answer(), check(), answer().replace("1-1", "1-1-b")],
            "answer-1-1-b",
            0,
            "`answer-1-1-b` stands below its check: put it above",
        ),
        ([cell("answer-1", "x")], "answer-1", 0, "the id 'answer-1' must be written as answer-5-1"),
        (
            [cell("given", "x", ":deletable: false")],
            "given",
            1,
            "the option 'deletable' comes from the cell's id: remove it",
        ),
        (
            [cell("given", "x", ":nbgrader: {grade: true}")],
            "given",
            1,
            "the option 'nbgrader' comes from the cell's id: remove it",
        ),
    ],
)
def test_a_cell_out_of_place_is_named_with_file_and_line(tmp_path, parts, name, offset, message):
    lines = exercise(*parts).splitlines()
    line = lines.index(f":id: {name}") + 2 + offset
    with pytest.raises(BuildError) as error:
        read(tmp_path, *parts)
    assert str(error.value).startswith(f"lessons/01_tiny.exercise.md:{line}: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("visible", "hidden", "at", "message"),
    [
        ('check("1.2", x)', 'check.hidden("1.1", x)', 0, "`check-1-1` must check '1.1', not '1.2'"),
        ('check("1.1", x)', 'check.hidden("1.2", x)', 2, "`check-1-1` must check '1.1', not '1.2'"),
        ("check(1.1, x)", 'check.hidden("1.1", x)', 0, "must check '1.1', not 1.1"),
        ("check()", 'check.hidden("1.1", x)', 0, "must check '1.1', not nothing"),
        ('check("1.1", x)', 'check("1.1", x)', 2, "`check` stands above `### BEGIN HIDDEN TESTS`"),
        ('check.hidden("1.1", x)', 'check("1.1", x)', 0, "`check` stands above"),
        ('check("1.1", x)', 'check.hidden("1.1", y)', 0, "must be given the same objects"),
        ("x", 'check.hidden("1.1", x)', 0, "`check-1-1` must call `check` once, not 0 times"),
        ('check("1.1", x)', "x", 0, "`check-1-1` must call `check.hidden` once, not 0 times"),
        ('check("1.1" x)', "x", 0, "what is left of `check-1-1` is not Python"),
        ('check("1.1", x)', "x y", 2, "this check is not Python"),
    ],
)
def test_a_check_cell_checks_its_own_task(tmp_path, visible, hidden, at, message):
    bad = check(code=f"{visible}\n{BEGIN_HIDDEN}\n{hidden}\n{END_HIDDEN}")
    line = line_of(exercise(answer(), bad), BEGIN_HIDDEN) - 1 + at
    with pytest.raises(BuildError) as error:
        read(tmp_path, answer(), bad)
    assert str(error.value).startswith(f"lessons/01_tiny.exercise.md:{line}: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("tasks", "message"),
    [
        ([Task("1.1"), Task("1.2")], "the task 1.2 has no check cell: write one"),
        ([Task("1.1", points=0)], "the task 1.1 gives 0 points for 'prediction': give a number"),
        ([Task("1.1", points=None)], "the task 1.1 gives None points for 'prediction'"),
        ([Task("1.1", points=float("inf"))], "the task 1.1 gives inf points for 'prediction'"),
        ([Task("1.1", shares={})], "the task 1.1 has the shares {}: give what each part"),
        (
            [Task("1.1", shares={"forward": 1})],
            "the task 1.1 has a share for 'forward', which is no part of it: there are",
        ),
        (
            [Task("1.1", shares={"a": 1, "prediction": 1}, items=("a", "b"))],
            "the task 1.1 has a share for 'prediction' and one for all of the kind",
        ),
        ([Task("1.1", minutes="5")], "the minutes of the task 1.1 are '5'"),
    ],
)
def test_tasks_that_do_not_fit_are_named_with_the_file(tmp_path, tasks, message):
    with pytest.raises(BuildError) as error:
        read(tmp_path, answer(), check(), tasks=tasks)
    assert str(error.value).startswith(f"lessons/01_tiny.exercise.md:1: {message}")


def test_the_checks_come_in_the_order_of_the_tasks(tmp_path):
    tasks = [Task("1.2"), Task("1.1")]
    with pytest.raises(BuildError, match=r"the checks must come in the order of tasks: 1\.2, 1\.1"):
        read(tmp_path, answer(), check(), answer(2), check(2), tasks=tasks)


def test_only_a_review_asks_a_question_in_its_front_matter(tmp_path):
    path = write_exercise(tmp_path, answer(), check())
    path.write_text(path.read_text().replace("title:", "question: Why?\ntitle:"))
    with pytest.raises(BuildError, match="must start with front matter: title, nothing"):
        read_exercise(path, ONE)
    path.write_text(path.read_text().replace("title:", "after: 1\ntitle:"))
    assert read_exercise(path, ONE).title == "Tiny"


def test_a_share_that_is_none_is_named_with_its_line_among_the_tasks(tmp_path):
    path = write_exercise(tmp_path, answer(), check())
    tasks = tmp_path / "helpers" / "checks" / "tasks"
    tasks.mkdir(parents=True)
    (tasks / "ex01.py").write_text('\nid="1.1",\ntitle="",\nshares={"a": 1},\n', encoding="utf-8")
    with pytest.raises(BuildError, match=r"^helpers/checks/tasks/ex01.py:4: the task 1.1 has"):
        read_exercise(path, [Task("1.1", shares={"a": 1})])


@pytest.mark.parametrize(
    ("shares", "told"),
    [
        ({"prediction": 2}, "2 points, 5 minutes"),
        ({"prediction": 0.5}, "0.5 points, 5 minutes"),
        ({"a": 1, "1. b": 0.5}, "1.5 points: 1 for a, 0.5 for b. 5 minutes"),
        ({"a": 0.6, "1. b": 0.6, "c": 0.6}, "1.8 points: 0.6 for each value. 5 minutes"),
    ],
)
def test_a_statement_says_what_each_part_is_worth(tmp_path, shares, told):
    task = Task("1.1", shares=shares, items=("a", "1. b", "c"))
    found = read(tmp_path, "## 1.1 One", answer(), check(), tasks=[task])
    for notebook in (found.notebook, found.stub):
        assert f"## 1.1 One\n\n*{told}.*" in "\n".join(cell.source for cell in notebook.cells)
