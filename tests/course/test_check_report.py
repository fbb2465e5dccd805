"""What `course check` prints of a task is what the notebook's report says."""

import pytest

from course.check_report import judged
from course.notebooks.nbval_run import Outcome
from course.notebooks.student_notebook import CheckCell
from helpers.checks import EVIDENCE
from helpers.checks.answer_check import SEED, examine
from helpers.checks.evidence import evidence_of
from helpers.checks.references import reference
from helpers.checks.tasks import find
from tests.answers import ROOT, handed_over, read_answers
from whygrad.report import explained

SHOWN = ("0.3 as it stands", "0.2 forgets the 2 of the square", "5.1 forgets the 2")
ANSWERS = [a for a in read_answers(ROOT / "tests" / "wrong_answers") if str(a) in SHOWN]


def line_of(task_id, diagnosis):
    """Return what `course check` prints for an answer whose notebook shows this diagnosis."""
    right = reference(task_id)
    right = right if isinstance(right, tuple) else (right,)
    due, _ = evidence_of(find(task_id), right, seed=SEED)
    cell = CheckCell(f"check-{task_id}", "", task_id, due)
    return judged(Outcome(cell, [{"data": {EVIDENCE: diagnosis.evidence}}]), cell)


@pytest.mark.parametrize("answer", ANSWERS, ids=str)
def test_diagnosis_cause_and_advice_are_those_of_the_notebook(answer):
    diagnosis = examine(find(answer.task), handed_over(answer))
    line = line_of(answer.task, diagnosis)
    assert (line.name, line.sentence) == (diagnosis.name, diagnosis.message)
    said = explained(diagnosis.verdict, diagnosis.mistakes)
    for head, words in [pair for one in said for pair in one.more]:
        assert f"{head}: {words}" in str(line)
    assert len(str(line).splitlines()) == 1 + sum(len(one.more) for one in said)


def test_all_three_are_looked_at():
    assert len(ANSWERS) == len(SHOWN)


def test_the_training_loop_as_it_stands_hears_of_its_old_gradients():
    (answer,) = [answer for answer in ANSWERS if answer.task == "0.3"]
    line = line_of("0.3", examine(find("0.3"), handed_over(answer)))
    assert line.name == "keeps-state"
    assert ".grad" in str(line)


def test_what_cannot_be_run_is_told_as_in_the_notebook():
    diagnosis = examine(find("5.1"), (3.0,))
    line = line_of("5.1", diagnosis)
    assert (line.name, line.sentence) == (diagnosis.name, diagnosis.message)
    assert "Hand over the Function itself" in line.sentence


def test_an_answer_that_is_not_started_has_one_line():
    assert str(line_of("5.1", examine(find("5.1"), (...,)))).endswith(": not started")
