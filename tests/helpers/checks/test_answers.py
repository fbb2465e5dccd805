"""Wrong answers get their name, right answers are not accused, in every exercise."""

import gc
import re
from collections import Counter

import pytest

from helpers.checks.answer_check import SEED, examine
from helpers.checks.references import expected
from helpers.checks.task_evidence import read
from helpers.checks.tasks import find
from tests.answers import ROOT, examine_answer, handed_over, holding, read_answers
from tests.helpers.checks.test_advice import IDEAS, LESSON
from whygrad.mistakes import MISTAKES
from whygrad.report import explained

WRONG = read_answers(ROOT / "tests" / "wrong_answers")
RIGHT = read_answers(ROOT / "tests" / "right_answers")
# All of Parts I and II and the reviews, and some of Part III; the others take minutes.
_PART_THREE = [answer for answer in WRONG if 9 <= int(answer.exercise[:2]) <= 15]
_FIRST_PARTS = [answer for answer in WRONG if not 9 <= int(answer.exercise[:2]) <= 15]
_OTHERS = [answer for at, answer in enumerate(_PART_THREE) if at % 3]
_SOME = _FIRST_PARTS + _PART_THREE[::3]
# A function without a Function has no graph, and a prediction no gradients.
NAMED_IN_TASKS = 3
DEMANDED_ONCE = {"kept-tensors", "not-in-numpy", "evaluated-again"}  # one task asks for it
DEMANDED_ONCE |= {"wrong-jvp", "wrong-vmap"}  # one exercise does
# Two tasks return more outputs than their result.
DEMANDED_ONCE |= {"second-order-extra-ignored", "second-order-extra-wrong"}
NOT_IN_TASKS = {"looks-intended"}  # a task has a reference, which says what is meant
NOT_IN_TASKS |= {"not-examined"}  # nothing is compared in vain
NOT_IN_TASKS |= {"missing-conjugate"}  # the course has real numbers alone


@pytest.fixture(
    scope="module",
    params=[_SOME, pytest.param(_OTHERS, marks=(pytest.mark.slow, pytest.mark.proof))],
    ids=["some", "others"],
)
def wrong(request):
    """The diagnosis that counts for each wrong answer: the hidden one where the visible is ok."""
    gc.freeze()  # a check that looks for cycles goes through all that earlier tests left
    counts = []
    for answer in request.param:
        task, handed = find(answer.task), handed_over(answer)
        visible = examine(task, handed)
        counts.append((answer, examine(task, handed, hidden=True) if visible.ok else visible))
    yield counts
    gc.unfreeze()


def test_each_mistake_of_the_table_is_made_in_at_least_three_tasks():
    tasks = {(answer.names[0], answer.task) for answer in WRONG}
    count = Counter(name for name, _ in tasks)
    due = {name: 1 if name in DEMANDED_ONCE else NAMED_IN_TASKS for name in MISTAKES}
    due |= dict.fromkeys(NOT_IN_TASKS, 0)
    assert {name: count[name] for name in MISTAKES if count[name] < due[name]} == {}


def test_every_wrong_answer_is_rejected(wrong, capsys):
    passed = [str(answer) for answer, diagnosis in wrong if diagnosis.ok]
    with capsys.disabled():
        print(f"\nwrong answers rejected: {len(wrong) - len(passed)} of {len(wrong)}")
    assert passed == []


@pytest.mark.slow
@pytest.mark.proof
def test_no_wrong_answer_holds_all_parts_of_its_task():
    whole = []
    for answer in WRONG[::6]:  # each part is judged by itself, which takes a while
        task, holds = find(answer.task), set(find(answer.task).shares)
        for diagnosis, is_hidden in zip(examine_answer(answer), (False, True), strict=True):
            measured = diagnosis.evidence["measured"]
            right = expected(task.id, SEED, is_hidden)
            holds &= set(holding(task, read(measured), right) if measured else ())
        whole += [str(answer)] if holds == set(task.shares) else []
    assert whole == []


def test_95_of_100_wrong_answers_are_named_right(wrong, capsys):
    missed = [
        f"{answer}: {diagnosis.names}, should be {answer.names}"
        for answer, diagnosis in wrong
        if diagnosis.name not in answer.names
    ]
    rate = 1 - len(missed) / len(wrong)
    with capsys.disabled():
        print(f"\nwrong answers named right: {rate:.1%} of {len(wrong)}", *missed, sep="\n    ")
    assert rate >= 0.95


def test_a_wrong_answer_s_report_says_what_it_must(wrong):
    left_out = [
        f"{answer}: {said!r} is not in\n{diagnosis!r}"
        for answer, diagnosis in wrong
        for said in answer.says
        if said not in " ".join(repr(diagnosis).split())
    ]
    assert not left_out, "\n\n".join(left_out)


def test_no_report_cites_a_lesson_or_uses_an_idea_that_comes_later(wrong):
    too_early = []
    for answer, diagnosis in wrong:
        for one in explained(diagnosis.verdict, diagnosis.mistakes):
            # What is quoted of an exception or a line is the student's own, or PyTorch's.
            text = "" if diagnosis.verdict.raised else one.text
            own = [words for head, words in one.more if head != "Where"]
            said = " ".join([text, *own])
            ideas = {idea: lesson for lesson, idea in IDEAS.items() if re.search(idea, said)}
            cited = {f"lesson {number}": int(number) for number, _ in LESSON.findall(said)}
            for what, lesson in {**ideas, **cited}.items():
                if lesson > int(answer.task.partition(".")[0]):
                    too_early.append(f"{answer}: {what} in {said}")
    assert too_early == []


def test_no_report_speaks_of_grad_output(wrong):
    for answer, diagnosis in wrong:
        if "grad_output" not in answer.code:
            assert "grad_output" not in repr(diagnosis), answer


@pytest.mark.parametrize("answer", RIGHT, ids=str)
def test_a_right_answer_is_not_accused(answer):
    visible, hidden = examine_answer(answer)
    assert visible.ok, visible.message
    assert hidden.ok, hidden.message
