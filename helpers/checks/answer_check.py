"""What a check cell calls: run an answer, judge it, show the report, note the progress."""

from collections.abc import Iterator
from dataclasses import astuple
from numbers import Real
from typing import Any

import torch
from torch.autograd import Function

from helpers.checks import EVIDENCE, progress
from helpers.checks.advice import advice, advice_on
from helpers.checks.as_given import is_as_given, sources_of
from helpers.checks.cell_runs import CellRuns, install
from helpers.checks.evidence import add_lines, base_inputs, evidence_of, task_call
from helpers.checks.hints import show, show_hint, with_offer
from helpers.checks.judge_answer import judge, without_numbers
from helpers.checks.known import CAN_JUDGE, SEED, expected, right_graphs, with_slips
from helpers.checks.source_check import flags, listed
from helpers.checks.task import FunctionTask, ModuleTask, PredictionTask, Task
from helpers.checks.task_evidence import (
    FunctionEvidence,
    Measured,
    PredictionEvidence,
    ValuesEvidence,
    read,
)
from helpers.checks.tasks import find
from whygrad.codec import encoded
from whygrad.diagnosis import Diagnosis
from whygrad.measure.encode import encode_raised
from whygrad.measure.quiet import default_dtype
from whygrad.pictures import pictures
from whygrad.report import clean, difference
from whygrad.verdict import Verdict

_AS_GIVEN = (
    "Not started: this is the mistake in the code you were given. It does not count as a try. "
    "Fix it in its cell, run that cell, then this one again."
)
_FLAGGED = "whoever grades it has to look at it: {places}. If there is a plainer way, take it."
_OUTSIDE = "`{name}` was made outside the answer cell: only answer cells are graded. Move it there."
# While an answer is graded, only the grader's cells check.
_RUNS = install() if CAN_JUDGE else CellRuns({})
_METHODS = ("forward", "backward", "setup_context")
_NOT_STATIC = (
    "{methods} of `{name}`: write `@staticmethod` above, before any other decorator. There is no "
    "object of this class, and no `self`."
)
# By what was measured of a call.
_HABITS = {
    "marks_made": "`ctx.mark_dirty` is called with a tensor that is not an argument. It is for an "
    "argument that `forward` writes into, and PyTorch warns about any other tensor: leave it out.",
    "tensors_on_ctx": "a tensor is kept as an attribute of `ctx`. Save it with "
    "`ctx.save_for_backward`, which notices when it was changed since; if it is saved already, "
    "remove the attribute.",
    "op runs again": "the op runs again where its gradient is expected. Its result is passed to "
    "`setup_context` as `output`: save that.",
    "copied": "a copy is saved. The tensor itself may be held anyway, and then costs nothing; its "
    "copy is added to that.",
}


class Check:
    """The checks of the exercises: `check("5.1", Square)`, `check.hint("5.1")`."""

    def __call__(self, task_id: Any = None, *answers: Any) -> None:
        """Show what is right and what is not in an answer, and name the mistake.

        Args:
            task_id: number of the exercise and of the task, such as "5.1".
            answers: what the task asks for: a Function, a layer and its Function, a function, or
                a prediction.
        """
        if not CAN_JUDGE:
            return
        task = _named(task_id)
        if task and (said := _wrong_number(task, answers) or _RUNS.stale()):
            print(said)
        elif task:
            self._report(task, answers)

    def _report(self, task: Task, answers: tuple) -> None:
        try:
            diagnosis = examine(task, answers)
        except KeyboardInterrupt as error:
            raise KeyboardInterrupt(_stopped(error)) from None  # without a page of our own lines
        sources = sources_of(answers)
        untouched = not diagnosis.ok and is_as_given(task.id, sources)
        name = "not-started" if untouched else diagnosis.name
        # A prediction has no code: its evidence tells one from another.
        answer = "".join(sources) or str(diagnosis.evidence)
        progress.record(task.id, diagnosis.ok, name, answer)
        report = {**diagnosis._repr_mimebundle_(), EVIDENCE: diagnosis.evidence}
        show(report if diagnosis.name in ("ok", "not-started") else with_offer(report, task))
        if untouched and diagnosis.name != "not-started":
            print(_AS_GIVEN)
        if not diagnosis.ok:
            return
        for remark in remarks(read(diagnosis.evidence["measured"]), answers):
            print(f"✓, with a remark: {remark}")
        if places := listed(flags(sources)):
            print(f"✓, but {_FLAGGED.format(places=places)}")
        if outside := _RUNS.outside(task.id):
            print(f"✓, but {_OUTSIDE.format(name=outside)}")

    def hint(self, task_id: Any = None) -> None:
        """Show the next hint of a task; after the last, all of them.

        How many were taken is remembered with the progress.

        Args:
            task_id: number of the exercise and of the task, such as "5.1".
        """
        if task := _named(task_id):
            show_hint(task)

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
        text = f"{hidden.title}: the hidden checks pass."
        if not hidden.ok:
            wrong = [line for line in hidden.verdict.properties if line.ok is False]
            names = without_numbers(f"{line.name}: {difference(line)}" for line in wrong)
            text = f"{hidden.title}: a hidden check failed: {clean(', '.join(names))}."
        show({"text/plain": text, EVIDENCE: hidden.evidence})
        if not visible.ok:
            raise AssertionError(f"the visible check of {task.id} fails: {visible.message}")
        if not hidden.ok:
            raise AssertionError(text)


def _named(task_id: Any) -> Task | None:
    """Return the task of this number; say what is wrong with the number if there is none."""
    try:
        if isinstance(task_id, str | Real):
            return find(task_id)
        print('Begin with the number of the task, in quotes, such as "5.1".')
    except LookupError as error:
        print(error.args[0])
    return None


def _wrong_number(task: Task, answers: tuple) -> str:
    """Say that a check gets more or fewer answers than its task takes; "" if not."""
    if not answers:
        return f'The answer is missing: put its name after the number, as in check("{task.id}", …).'
    due, what = 1, "one answer"
    if isinstance(task, ModuleTask):
        due, what = 2, "two answers, the layer and its Function, in this order"
    if isinstance(task, PredictionTask) or len(answers) == due:
        return ""
    return f"Task {task.id} takes {what}. You passed {len(answers)}."


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
        evidence = {"task": task.id, "ok": False, "measured": None, "early": astuple(early)[:5]}
        return Diagnosis(verdict, evidence, (), title, advice(task.id))
    which = (task.id, seed, hidden)
    verdict = judge(measured, expected(*which))
    if not verdict.ok:
        add_lines(task, answers, measured, seed=seed, hidden=hidden)
        verdict = judge(measured, with_slips(*which))
    about = {"task": task.id, "ok": verdict.ok, "seed": seed}
    evidence = {**about, "measured": encoded(measured)}
    shown = () if verdict.ok or hidden else _pictures(task, verdict, answers, seed)
    return Diagnosis(verdict, evidence, shown, title, advice_on(verdict, task.id))


@default_dtype(torch.float32)
def _pictures(task: Task, verdict: Verdict, answers: tuple, seed: int) -> tuple:
    if not isinstance(task, FunctionTask):
        return ()
    inputs, yours = base_inputs(task, seed), task_call(task, answers)
    return pictures(verdict, yours, right_graphs(task.id), inputs, task.names, task.incoming[0])


check = Check()


def remarks(measured: Measured, answers: tuple) -> Iterator[str]:
    """Yield a sentence or two for each thing that works, but is a habit to leave.

    Args:
        measured: the evidence of the answer.
        answers: what was passed to the check.
    """
    for answer in answers:
        if isinstance(answer, type) and issubclass(answer, Function):
            written = [(name, vars(answer)[name]) for name in _METHODS if name in vars(answer)]
            plain = [f"`{name}`" for name, one in written if not isinstance(one, staticmethod)]
            if plain:
                yield _NOT_STATIC.format(methods=" and ".join(plain), name=answer.__name__)
    if not isinstance(measured, PredictionEvidence):
        yield from (said for habit, said in _HABITS.items() if habit in _seen(measured))


def _seen(measured: FunctionEvidence | ValuesEvidence) -> set[str]:
    base, demands = measured.trials[0], getattr(measured, "demands", None)
    facts = {name for name in _HABITS if getattr(base, name, False)}
    if demands and demands.bytes and base.held.copied:
        facts.add("copied")
    return facts.union(getattr(base, "noted", []))
