"""What a check cell calls: run an answer, judge it, show the report, note the progress."""

from typing import Any

import torch

from helpers.checks import EVIDENCE, progress
from helpers.checks.advice import advice, advice_on
from helpers.checks.as_given import is_as_given, sources_of
from helpers.checks.call_trouble import call_trouble
from helpers.checks.cell_runs import install
from helpers.checks.evidence import base_inputs, evidence_of, task_call
from helpers.checks.hidden_words import hidden_text
from helpers.checks.hints import show, show_hint, with_offer
from helpers.checks.judge_answer import judge
from helpers.checks.known import CAN_JUDGE, SEED, expected, right_graphs, with_slips
from helpers.checks.remarks import remarks
from helpers.checks.source_check import flags, listed
from helpers.checks.task import FunctionTask, Task
from helpers.checks.task_evidence import read, without_lines
from helpers.checks.tasks import find
from whygrad.codec import encoded
from whygrad.diagnosis import Diagnosis
from whygrad.measure.encode import encode_raised
from whygrad.measure.quiet import default_dtype
from whygrad.pictures import pictures
from whygrad.report import difference
from whygrad.verdict import Finding, Verdict

_MOVE = "only answer cells are graded. Move it there."
_AS_GIVEN = (
    "Not started: this is what is wrong with the code as it was given, and no try is counted. "
    "Repair it in its cell, run that cell, then this one again."
)
_PLAINER = "If there is a plainer way, take it."
# While an answer is graded, only the grader's cells check.
_RUNS = install() if CAN_JUDGE else None


class Check:
    """The checks of the exercises: `check("5.1", Square)`, `check.hint("5.1")`."""

    hint = staticmethod(show_hint)

    def __call__(self, task_id: Any = None, *answers: Any) -> None:
        """Show what is right and what is not in an answer, and name the mistake.

        Args:
            task_id: number of the exercise and of the task, such as "5.1".
            answers: what the task asks for: a Function, a layer and its Function, a function, or
                a prediction.
        """
        if not CAN_JUDGE:
            return
        if trouble := call_trouble(task_id, answers):
            print(trouble)
            return
        task = find(task_id)
        if _RUNS is not None and (stale := _RUNS.stale()):
            title = f"{task.id} {task.title}"
            show(Diagnosis(stale, {}, (), title, advice(task.id))._repr_mimebundle_())
            return
        if _RUNS is not None and (said := _RUNS.left_over()):
            print(said)
            return
        try:
            diagnosis = examine(task, answers)
        except KeyboardInterrupt as error:
            raise KeyboardInterrupt(_stopped(error)) from None  # without a page of our own lines
        untouched = not diagnosis.ok and is_as_given(task.id, answers)
        name = "not-started" if untouched else diagnosis.name
        # A prediction has no code: what was measured tells one from another.
        answer = "".join(sources_of(answers)) or str(diagnosis.evidence)
        progress.record(task.id, diagnosis.ok, name, answer)
        report = {**diagnosis._repr_mimebundle_(), EVIDENCE: diagnosis.evidence}
        show(report if diagnosis.name in ("ok", "not-started") else with_offer(report, task))
        if untouched and diagnosis.name != "not-started":
            print(_AS_GIVEN)
        if not diagnosis.ok:
            return
        for remark in remarks(read(diagnosis.evidence["measured"]), answers):
            print(f"✓, with a remark: {remark}")
        if places := _for_a_person(answers):
            print(f"✓, but whoever grades it has to look at it: {places}. {_PLAINER}")
        if _RUNS is not None and (name := _RUNS.outside(task.id)):
            print(f"✓, but `{name}` was made outside of the answer cell: {_MOVE}")

    def hidden(self, task_id: str, *answers: Any) -> None:
        """Check an answer once more, on inputs of other sizes; nbgrader gives points by it.

        Raises:
            AssertionError: a visible or a hidden check fails.
            NoHiddenInputsError: this is a release for students, in which there are none.
        """
        if not CAN_JUDGE:
            return
        task = find(task_id)
        visible, hidden = examine(task, answers), examine(task, answers, hidden=True)
        failed = [] if hidden.ok else _failed(hidden.verdict) or ["the answer"]
        text = hidden_text(hidden.title, failed)
        show({"text/plain": text, EVIDENCE: hidden.evidence})
        if not visible.ok:
            raise AssertionError(f"the visible check of {task.id} fails: {visible.message}")
        if not hidden.ok:
            raise AssertionError(text)


def _stopped(error: KeyboardInterrupt) -> str:
    """Say where an answer was when its check was stopped."""
    raised = encode_raised(error, "")
    if not raised.line:
        return "The check was stopped."
    return (
        f"The check was stopped in line {raised.number} of your code, `{raised.line}`. If it "
        "did not end, look for the loop around that line: what is to end it?"
    )


def examine(task: Task, answers: tuple, *, hidden: bool = False, seed: int = SEED) -> Diagnosis:
    """Return the diagnosis of an answer to a task."""
    title = f"{task.id} {task.title}"
    measured, early = evidence_of(task, answers, seed=seed, hidden=hidden)
    if early:
        verdict = Verdict((), (early,))
        evidence = {"task": task.id, "ok": False, "measured": None, "early": _plain(early)}
        return Diagnosis(verdict, evidence, (), title, advice(task.id))
    verdict = judge(measured, expected(task.id, seed, hidden))
    if not verdict.ok:  # only then, since the slips of a Function take a while
        verdict = judge(measured, with_slips(task.id, seed, hidden))
    if verdict.ok:
        measured = without_lines(measured)
    about = {"task": task.id, "ok": verdict.ok, "seed": seed}
    evidence = {**about, "measured": encoded(measured)}
    shown = () if verdict.ok or hidden else _pictures(task, verdict, answers, seed)
    return Diagnosis(verdict, evidence, shown, title, advice_on(verdict, task.id))


def _for_a_person(answers: tuple) -> str:
    """Name what looks like tampering in a right answer; "" if nothing does."""
    return listed(flags(sources_of(answers)))


@default_dtype(torch.float32)
def _pictures(task: Task, verdict: Verdict, answers: tuple, seed: int) -> tuple:
    if not isinstance(task, FunctionTask):
        return ()
    inputs, yours = base_inputs(task, seed), task_call(task, answers)
    return pictures(verdict, yours, right_graphs(task.id), inputs, task.names, task.incoming[0])


def _plain(finding: Finding) -> tuple[str, ...]:
    return finding.name, finding.about, finding.detail, finding.why, finding.look


def _failed(verdict: Verdict) -> list[str]:
    wrong = [line for line in verdict.properties if line.ok is False]
    return [f"{line.name}: {difference(line)}" for line in wrong]


check = Check()
