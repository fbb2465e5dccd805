"""Parts of a task hold by themselves, and no more of them than the answer got right."""

from dataclasses import replace

import pytest

from helpers.checks.answer_check import SEED
from helpers.checks.references import expected, handed_over, reference
from helpers.checks.tasks import find, load, numbers
from tests import answers
from tests.answers import ROOT, Answer, evidence_pairs, holding, notebook_cells

TASKS = [task for number in numbers() for task in load(number)]
NAMES = {path.stem[:2]: path.stem for path in (ROOT / "exercises").glob("*.ipynb")}


def held(task, handed) -> list[str]:
    """Return the parts that hold in both checks."""
    pairs = evidence_pairs(task, handed)
    found = [holding(task, measured, right) if measured else () for measured, right in pairs]
    return [name for name in task.shares if all(name in each for each in found)]


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_all_parts_of_a_right_answer_hold_and_none_of_what_was_given(task):
    assert set(task.shares) <= set(task.part_names)
    assert held(task, handed_over(task, reference(task.id))) == [*task.shares]
    name, mark = NAMES[f"{int(task.id.partition('.')[0]):02}"], task.id.replace(".", "-")
    cells = [c for c in notebook_cells("exercises", name) if c["id"].startswith(f"answer-{mark}")]
    given = Answer(name, task.id, (), "as given", "\n\n".join(map(answers.source, cells)))
    assert held(task, answers.handed_over(given)) == []


HOLDS = {
    # One of two mistakes is repaired, one of several values is right.
    "5.2 only saves w itself": ["derivatives of grad_x"],
    "5.3 the last prediction is missing": ["third_power", "third_power_one"],
    "11.3 the Jacobian of one sample": ["seen", "gradients", "captured"],
    # What is kept matters to the second derivative alone, or counts only where all else is right.
    "6.1 saves a copy of the output": ["forward", "gradient of x"],
    "12.1 saves t beside x": ["forward", "gradient of x"],
    "12.1 forgets the 3": ["forward"],
    # A None for an input is a part of its own.
    "1.2 the sum is right, the question is missing": ["gradients"],
    "1.2 a mean over the columns": ["without b"],
    # Of a layer and its Function one is right.
    "3.2 registers the slope, leaves it in the dict": ["layer"],
    "3.2 the slope is a buffer": ["gradients"],
    "3.1 the layer is done and the Function is not begun": [],
    # One of two is not computed as the task asks, or one of two modes is wrong.
    "8.1 forward alone in PyTorch": ["gradient of x", "second order"],
    "8.1 forward in NumPy, backward in PyTorch": ["forward"],
    "11.2 ignores in_dims": ["jvp"],
    # One gradient is wrong by its shape, with which backward raises.
    "1.1 grad_V the other way round": ["forward", "gradient of x", "gradient of c", "without c"],
    # The gradients of a wrong value are judged by themselves.
    "5.1 takes the square root": ["gradient of x", "second order"],
    # What is not the student's work, or harms others, earns nothing.
    "5.1 a plain function": [],
    "5.1 squares in place": [],
    "5.1 autograd differentiates the formula in backward": [],
}


@pytest.mark.parametrize(("title", "parts"), HOLDS.items(), ids=HOLDS)
def test_what_is_right_holds_and_nothing_else(title, parts):
    task, handed, _ = answers.wrong_answer(title)
    assert held(task, handed) == parts


def test_what_was_not_measured_holds_nothing():
    task, right = find("5.1"), expected("5.1", SEED)
    first, *others = right.trials
    measured = replace(right, trials=[replace(first, outputs=[]), *others])
    assert set(holding(task, measured, right)) < set(task.shares)
    assert holding(task, replace(right, trials=right.trials[:1]), right) == ()
