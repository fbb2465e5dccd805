"""An exercise's own answers are judged as the class's will be, on several draws of its inputs."""

import json
import sys

import pytest

from course.checkout import PACKAGE_ROOT
from course.grading import rehearsal
from helpers.checks import references
from helpers.checks.references import reference
from helpers.checks.references.slips import Slip

pytestmark = pytest.mark.slow  # each judges three tasks
NAME = "01_linear_function"
RIGHT = reference("1.1")
SAID = {
    "solutions": "the solution of 1.1 does not pass in 4 of ",
    "exercises": "what is given for 1.1 is not rejected in 4 of ",
}


class OnSomeDraws(RIGHT):
    """Right where the first number is not large."""

    @staticmethod
    def backward(ctx, grad_y):
        right = RIGHT.backward(ctx, grad_y)
        is_large = (ctx.saved_tensors[0].reshape(-1)[:1] > 1.5).any()
        return tuple(-one if is_large and one is not None else one for one in right)


@pytest.fixture
def complaints(monkeypatch, tmp_path):
    """Return what is said of exercise 1, with other slips or with cells that were changed."""
    monkeypatch.setattr(rehearsal, "_SEEDS", range(1, 5))
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])  # IPython puts its own

    def said(*mistakes, **changed):
        found = [Slip(name=name, why="", value=answer) for name, answer in mistakes]
        monkeypatch.setattr(rehearsal, "slips", lambda task: found if task == "1.1" else ())
        for folder in ("exercises", "solutions"):
            path = PACKAGE_ROOT / folder / f"{NAME}.ipynb"
            notebook = json.loads(path.read_text(encoding="utf-8"))
            for cell in notebook["cells"]:
                if cell["id"] == "answer-1-1" and folder in changed:
                    cell["source"] = changed[folder]("".join(cell["source"]))
            (tmp_path / folder).mkdir()
            (tmp_path / folder / path.name).write_text(json.dumps(notebook), encoding="utf-8")
        return [*rehearsal.complaints(tmp_path, NAME)]

    return said


def test_a_wrong_answer_is_to_be_rejected_on_every_draw(complaints):
    wrong = ("wrong-forward", lambda *inputs: inputs[0])
    told = complaints(wrong, ("wrong-sign", OnSomeDraws), ("ok", RIGHT))
    cells, said = zip(*told, strict=True)
    assert cells == ("check-1-1", "check-1-1")
    counts = [int(words.partition("rejected in ")[2].split()[0]) for words in said]
    assert 0 < counts[0] < 4
    assert counts[1] == 4
    assert said[0].startswith("wrong answer 2 (wrong-sign) for 1.1 is not rejected in ")
    assert "put the hard case into every draw" in said[0]


@pytest.mark.parametrize(
    ("folder", "code", "why"),
    [
        ("solutions", "{}\ntorch._C", "A person has to look at it: line"),
        ("solutions", "{}\nAffine.backward = lambda ctx, g: (g,)", "gradient"),
        ("solutions", "", "Nothing has been written"),
        (
            "exercises",
            "from helpers.checks.references import reference\nAffine = reference('1.1')",
            "put the hard case into every draw",
        ),
    ],
)
def test_a_solution_that_does_not_pass_and_a_stub_that_does_are_named(
    complaints, folder, code, why
):
    ((cell, said),) = complaints(**{folder: code.format})
    assert cell == "check-1-1"
    assert said.startswith(SAID[folder])
    assert why in said


class Detached(reference("5.1")):
    """Wrong at second order alone."""

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x.detach() * grad_y


@pytest.mark.parametrize(
    ("task", "solution", "said"),
    [("1.1", OnSomeDraws, "gradient"), ("5.1", Detached, "is lost"), ("5.1", None, "")],
)
def test_a_solution_that_is_the_only_answer_is_held_against_differences(
    monkeypatch, task, solution, said
):
    monkeypatch.setattr(rehearsal, "is_independent", lambda task: False)
    if solution:
        monkeypatch.setattr(rehearsal, "reference", lambda task: solution)
    found = rehearsal._against_differences(task)
    assert said in found
    assert bool(said) is bool(found)


def test_without_an_answer_of_its_own_a_task_has_that_of_its_exercise(monkeypatch):
    right = [reference(task) for task in ("0.1", "1.3", "5.3")]
    monkeypatch.setattr(references, "is_independent", lambda task: False)
    assert [[*reference(task)] for task in ("0.1", "1.3", "5.3")] == right
    assert references.reference("3.1")[1].__name__ == "ScaleShiftFunction"
