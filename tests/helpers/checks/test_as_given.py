"""Code that is to be repaired, run as it was given, is diagnosed and does not count as a try."""

from itertools import count

import pytest
import torch
from torch.autograd import Function

from helpers import check
from helpers.checks import progress
from helpers.checks.as_given import given_code, sources_of
from tests.answers import run_cell

CELLS = count()


@pytest.fixture
def tries(tmp_path, monkeypatch):
    """Check an answer to a task; return how many tries it has then."""
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.db"))

    def tries(task_id, answer):
        check(task_id, answer)
        return progress.read()[task_id].tries

    return tries


def ran(code):
    """Run code in a cell of its own; return the Function that it makes."""
    names = {"torch": torch, "Function": Function}
    run_cell(code, names, f"<cell {next(CELLS)} of test_as_given>")
    return names["WeightedSquare"]


def test_it_is_diagnosed_and_not_a_try_until_it_is_changed(tries, capsys):
    given = given_code("5.2")
    assert tries("5.2", ran(f"{given}\n")) == 0
    said = capsys.readouterr().out
    assert "✗" in said
    assert said.splitlines()[-1].startswith("Not started: ")
    changed = given.replace("w.clone()", "w")
    codes = (changed, changed, f"{changed}\n# now")
    assert [tries("5.2", ran(code)) for code in codes] == [1, 1, 2]
    assert "Not started" not in capsys.readouterr().out


def test_the_same_prediction_checked_again_is_not_a_further_try(tries):
    assert [tries("5.3", prediction) for prediction in (7.0, 7.0, 8.0)] == [1, 1, 2]


def test_the_source_of_an_answer_is_found_below_decorators_and_from_its_apply():
    code = "class WeightedSquare(Function):\n    @staticmethod\n    @torch.no_grad()\n{}"
    answer = ran(code.format("    def forward(ctx, x):\n        return x"))
    assert sources_of([answer]) == sources_of([answer.apply])
    assert sources_of([answer])[0].startswith("class WeightedSquare")
