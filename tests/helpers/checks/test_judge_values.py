"""A wrong plain function is explained by what it returned or raised, and by nothing else."""

from dataclasses import replace

from helpers.checks.answer_check import examine
from helpers.checks.evidence import evidence_of
from helpers.checks.judge_answer import judge
from helpers.checks.known import SEED, with_slips
from helpers.checks.task_evidence import ValuesSlip
from helpers.checks.tasks import find
from helpers.checks.values import NOT_LOOKED_AT

RIGHT = with_slips("0.2")


def judged(change, slips=RIGHT.slips):
    """Judge an answer to 0.2 that returns what `change` makes of x and the errors."""

    def answer(x, target, w, b):
        return change(x, 2 * (x @ w + b - target) / len(x))

    measured, _ = evidence_of(find("0.2"), (answer,), seed=SEED)
    return judge(measured, replace(RIGHT, slips=slips))


def test_two_mistakes_that_two_values_show_are_both_named_with_their_reasons():
    verdict = judged(lambda x, g: (x.mean(0) * g.sum(), g.sum() / 2))
    whys = [finding.why for group in verdict.groups for finding in group]
    assert whys == [RIGHT.slips[6].why, RIGHT.slips[4].why]


def test_a_known_mistake_of_which_nothing_was_looked_at_is_no_reason():
    slip = RIGHT.slips[0]
    trials = [replace(trial, values=[NOT_LOOKED_AT] * 2) for trial in slip.trials]
    verdict = judged(lambda x, g: (x.T @ g, g.mean() + 1), [replace(slip, trials=trials)])
    assert [finding.why for finding in verdict.findings] == [""]


def test_what_was_raised_is_known_by_its_message():
    slip = ValuesSlip(name="raises", why="Nobody counts.", look="Count.", seen="of_length_7")
    verdict = judged(lambda x, g: x.of_length_7, [slip])
    assert verdict.findings[0].why == "Nobody counts."


def test_a_wrong_rule_is_shown_with_what_stands_at_its_place():
    (finding, *_) = examine(find("10.5"), (lambda grad_y, x: grad_y,)).verdict.findings
    assert ", where grad_y is " in finding.detail
    assert " and x is " in finding.detail
