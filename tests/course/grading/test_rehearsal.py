"""An exercise's own answers are judged as the class's will be, on several draws of its inputs."""

import json
import sys

import pytest

from course.checkout import PACKAGE_ROOT
from course.grading import rehearsal
from helpers.checks.references import reference
from helpers.checks.task import Slip

pytestmark = pytest.mark.slow  # each judges three tasks
NAME = "01_linear_function"
RIGHT = reference("1.1")


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

    def said(*slips, **changed):
        monkeypatch.setattr(rehearsal, "slips", lambda task: slips if task == "1.1" else ())
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


def test_nothing_is_said_of_an_exercise_that_is_in_order(complaints):
    assert complaints(Slip(lambda *inputs: inputs[0], "wrong-forward", "")) == []


def test_a_wrong_answer_is_to_be_rejected_on_every_draw(complaints):
    told = complaints(Slip(OnSomeDraws, "wrong-sign", ""), Slip(RIGHT, "ok", ""))
    cells, said = zip(*told, strict=True)
    assert cells == ("check-1-1", "check-1-1")
    counts = [int(words.partition("rejected in ")[2].split()[0]) for words in said]
    assert 0 < counts[0] < 4
    assert counts[1] == 4
    assert said[0].startswith("wrong answer 1 (wrong-sign) for 1.1 is not rejected in ")
    assert "put the hard case into every draw" in said[0]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda code: f"{code}\ntorch._C", "A person has to look at it: line"),
        (lambda code: f"{code}\nAffine.backward = staticmethod(lambda ctx, g: (g,))", "gradient"),
        (lambda code: "", "Nothing has been written"),
    ],
)
def test_a_solution_that_loses_points_or_raises_a_question_is_named(complaints, change, why):
    ((cell, said),) = complaints(solutions=change)
    assert cell == "check-1-1"
    assert said.startswith("the solution of 1.1 does not pass in 4 of ")
    assert why in said


def test_what_is_given_must_not_pass(complaints):
    solved = json.loads((PACKAGE_ROOT / "solutions" / f"{NAME}.ipynb").read_text("utf-8"))
    (code,) = ["".join(c["source"]) for c in solved["cells"] if c["id"] == "answer-1-1"]
    ((cell, said),) = complaints(exercises=lambda _: code)
    assert cell == "check-1-1"
    assert said.startswith("what is given for 1.1 is not rejected in 4 of ")
