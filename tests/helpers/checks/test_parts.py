"""Parts of a task hold by themselves, and no more of them than the answer got right."""

from dataclasses import replace

import pytest

from helpers.checks.answer_check import SEED
from helpers.checks.mended import mended
from helpers.checks.references import expected, reference
from helpers.checks.tasks import find, load, numbers
from tests.answers import (
    ROOT,
    Answer,
    evidence_pairs,
    handed_over,
    holding,
    notebook_cells,
    read_answers,
    source,
)
from whygrad.evidence import Value

MINE = Value([1], "float64", "7.25")
TASKS = [task for number in numbers() for task in load(number)]
WRONG = {str(answer): answer for answer in read_answers(ROOT / "tests" / "wrong_answers")}
NAMES = {path.stem[:2]: path.stem for path in (ROOT / "exercises").glob("*.ipynb")}


def held(task, handed) -> list[str]:
    """Return the parts that hold in both checks."""
    found = set(task.shares)
    for measured, right in evidence_pairs(task, handed):
        found &= set(holding(task, measured, right) if measured else ())
    return [name for name in task.shares if name in found]


def of(title: str) -> list[str]:
    """Return the parts that hold of a wrong answer."""
    answer = WRONG[title]
    return held(find(answer.task), handed_over(answer))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_every_share_is_for_something_that_the_task_has(task):
    assert set(task.shares) <= set(task.part_names)
    assert all(points > 0 for points in task.shares.values())
    assert task.points == pytest.approx(sum(task.shares.values()))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_all_parts_of_a_right_answer_hold(task):
    answer = reference(task.id)
    several = isinstance(answer, tuple) and task.kind != "prediction"
    assert held(task, answer if several else (answer,)) == [*task.shares]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_what_was_given_holds_no_part(task):
    name, mark = NAMES[f"{int(task.id.partition('.')[0]):02}"], task.id.replace(".", "-")
    given = [c for c in notebook_cells("exercises", name) if c["id"].startswith(f"answer-{mark}")]
    code = "\n\n".join(map(source, given))
    assert held(task, handed_over(Answer(name, task.id, (), "as given", code))) == []


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        # One of two mistakes is repaired, one of several values is right.
        ("5.2 only saves w itself", ["derivatives of grad_x"]),
        ("5.2 only takes the detach away", ["derivatives of grad_w"]),
        # What is kept matters to the second derivative alone.
        ("6.1 saves a copy of the output", ["forward", "gradient of x"]),
        ("6.1 keeps the input in a list", ["forward", "gradient of x"]),
        ("7.1 computes it again in backward", ["forward"]),
        ("1.2 the sum is right, the question is missing", ["gradients"]),
        ("1.2 a mean over the columns", ["without b"]),
        ("3.2 registers the slope, leaves it in the dict", ["layer"]),
        ("3.2 passes the slope, but does not register it", ["gradients"]),
        ("5.3 the last prediction is missing", ["third_power", "third_power_one"]),
        ("0.1 overlooks the detach", ["x.grad after line 1", "x.grad after line 2"]),
        ("0.2 the 2 for w alone", ["grad_w"]),
        # Forward is right, and nothing else is there.
        ("1.1 backward is a stub", ["forward"]),
        ("6.4 forward only", ["forward"]),
        ("5.1 forgets the comma after x", ["forward"]),
        # Of a layer and its Function one is written.
        (
            "3.1 the Function is done and the layer is not begun",
            ["forward", "gradient of x", "gradient of weight", "gradient of bias"],
        ),
        (
            "3.3 the Function is done, the gradient of W transposed, and the layer is not begun",
            ["forward", "gradient of x", "gradient of bias", "without bias"],
        ),
        ("3.1 the layer is done and the Function is not begun", []),
        (
            "3.1 the Function and the parameters are done, and the layer computes nothing",
            ["forward", "gradient of x", "gradient of weight", "gradient of bias"],
        ),
        ("3.1 the parameters are there, and nothing is computed", []),
        # One of them is not computed as it is due.
        ("8.1 forward alone in PyTorch", ["gradient of x", "second order"]),
        ("8.1 forward in NumPy, backward in PyTorch", ["forward"]),
        ("8.1 nothing in NumPy", []),
        # More is kept than is needed; what is kept counts only where all else is right.
        ("12.1 saves t beside x", ["forward", "gradient of x"]),
        ("12.1 everything as attributes", ["forward", "gradient of x"]),
        ("12.1 forgets the 3", ["forward"]),
        ("12.1 no half in forward", ["gradient of x"]),
        ("12.2 as given", []),
        # One of two modes is right.
        ("11.1 leaves out the rule", ["second order"]),
        ("11.1 computes s in setup_context", ["vmap"]),
        ("11.1 has func.vjp work out the gradient", []),
        ("11.2 writes the jvp alone", ["jvp"]),
        ("11.2 writes the rule alone", ["vmap"]),
        ("11.2 ignores in_dims", ["jvp"]),
        ("11.2 turns the sign", ["vmap"]),
        ("11.3 the Jacobian of one sample", ["seen", "gradients", "captured"]),
        # One gradient is wrong.
        ("2.4 no mask for a", ["forward", "gradient of x"]),
        ("5.1 forgets the 2", ["forward"]),
        (
            "1.1 divides the gradient of the matrix by the batch",
            ["forward", "gradient of x", "gradient of c", "without c"],
        ),
        (
            "3.3 no gradient for b",
            ["layer", "forward", "gradient of x", "gradient of weight", "without bias"],
        ),
        # With one, backward raises: the others are right where their input alone requires one.
        (
            "1.1 grad_V the other way round",
            ["forward", "gradient of x", "gradient of c", "without c"],
        ),
        # It raises only where one input alone requires a gradient: that costs the last part.
        ("7.2 differentiates by an input that needs none", ["derivatives of grad_x"]),
        # The gradients of a wrong value are judged by themselves.
        ("5.1 takes the square root", ["gradient of x", "second order"]),
        ("1.1 forgets the bias", ["gradient of x", "gradient of V", "gradient of c", "without c"]),
        # The second derivative is lost.
        ("5.1 saves a detached copy", ["forward", "gradient of x"]),
        ("5.1 once_differentiable", ["forward", "gradient of x"]),
        # What is no work of the student's, or harms others, earns nothing.
        ("5.1 a plain function", []),
        ("5.1 squares in place", []),
        ("5.1 goes through rows and columns", []),
        ("5.1 autograd differentiates the formula in backward", []),
        ("3.2 computes with torch.where in the layer", []),
        ("5.2 the weight is multiplied outside", []),
        ("2.2 a clone without a name", []),
        ("0.2 has autograd do it", []),
    ],
)
def test_what_is_right_holds_and_nothing_else(title, parts):
    assert of(title) == parts


def test_what_was_not_measured_holds_nothing():
    task, right = find("5.1"), expected("5.1", SEED)
    first, *others = right.trials
    measured = replace(right, trials=[replace(first, outputs=[]), *others])
    assert set(holding(task, measured, right)) < set(task.shares)
    assert holding(task, replace(right, trials=right.trials[:1]), right) == ()


def test_what_is_mended_is_the_right_answer_s_and_the_rest_the_student_s():
    right = expected("5.1", SEED)
    first, *others = right.trials
    mine = replace(right, trials=[replace(first, outputs=[MINE], grads=[MINE]), *others])
    shares = ["forward", "gradient of x", "second order"]
    found = {part: mended(part, shares, mine, right).base for part in shares}
    assert {part: trial.outputs == [MINE] for part, trial in found.items()} == {
        "forward": True,
        "gradient of x": False,
        "second order": False,
    }
    assert {part: trial.grads == [MINE] for part, trial in found.items()} == {
        "forward": False,
        "gradient of x": True,
        "second order": True,
    }
