"""Partial credit: the evidence of one part of a task, in which all else is right.

A part earns points, and `Task.shares` says how many. What the other parts are about is replaced by
what the right answer gave, and what no share names stays the student's. A part holds if this
evidence passes as a whole answer does: nothing earns a part that would not pass. Where backward
raises, forward and each gradient alone are tried for it.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from helpers.checks.task_evidence import (
    FunctionEvidence,
    Measured,
    PredictionEvidence,
    ValuesEvidence,
)
from helpers.checks.values import as_list
from whygrad.evidence import Trial

MODES = ("jvp", "vmap")
# The parts of which there is one for each input, and what all of them are called.
_EACH = {"gradients": "gradient of {}", "second order": "derivatives of grad_{}"}
# What forward alone decides. The rest of a trial comes of backward, or is in `_MEANS`.
_FORWARD = (
    *("outputs", "odd", "changed_in_forward", "packed", "requires_grad", "shares"),
    *("unasked", "operations_of_forward"),
)
_REPEATED = ("anew_outputs", "reseeded_outputs")
_KEPT = ("keeps", "tensors_on_ctx", "held")
# How an answer got its numbers: the student's in every part. The graph is made by forward.
_GRAPH = ("applied", "custom", "uses", "around", *_KEPT)
_MEANS = (*_GRAPH, "autograd")
# The lists with an item for each differentiable input, at any depth of a trial; of second order.
_OF_INPUTS = ("grads", "jacobian", "alone", "first", "second", "reseeded_backward", "anew")
_OF_GRADIENTS = ("for_inputs", "for_grad_output")
# Where such lists are, besides in the trial itself.
_RUNS = (
    *("repeats", "probes", "expanded", "moved", "outputs_alone"),
    *("tracked", "constant", "other_incoming", "other_weights"),
)


def of_part(
    part: str, parts: Collection[str], measured: Measured, expected: Measured
) -> Measured | None:
    """Return the evidence of one part of a task, with all that the others are about right.

    Args:
        part: its name, one of `parts`.
        parts: the names of all that earn points.
        measured: what `measure_task` made of the answer.
        expected: the same of the right one, on the same inputs.

    Returns:
        The evidence; None if what the part is about was not measured.
    """
    others = {*parts} - {part}
    if not isinstance(measured, FunctionEvidence):
        try:
            return _of_values(measured, expected, others)
        except (LookupError, TypeError, ValueError):
            return None  # there are fewer than of the right answer
    if part == "memory":
        return measured  # whoever keeps little and computes nothing has earned nothing
    if part.startswith(("derivatives", "second order", *MODES)):  # which follow from gradients
        others = {name for name in others if not name.startswith("gradient")}
    return with_right_parts(measured, expected, others)


def with_right_parts(
    measured: FunctionEvidence, expected: FunctionEvidence, parts: set[str]
) -> FunctionEvidence | None:
    """Return the evidence of a Function in which some parts are right.

    None if what the others are about was not measured.
    """
    try:
        return _RightParts(measured, expected, parts).evidence()
    except (LookupError, ValueError):
        return None


def _of_values(
    measured: ValuesEvidence | PredictionEvidence,
    expected: ValuesEvidence | PredictionEvidence,
    parts: set[str],
) -> ValuesEvidence | PredictionEvidence:
    is_prediction = isinstance(measured, PredictionEvidence)
    names = expected.form.items if is_prediction else measured.names

    def put(mine: Any, right: Any) -> Any:
        if parts.isdisjoint(names):
            return mine
        triples = zip(names, as_list(mine), as_list(right), strict=True)
        return [due if name in parts else one for name, one, due in triples]

    if is_prediction:
        return replace(measured, value=put(measured.value, expected.value))
    mine, trials = {trial.name: trial for trial in measured.trials}, [*expected.trials]
    for place, right in enumerate(trials):
        if not right.raised:
            trial = mine[right.name]
            values, again = put(trial.values, right.values), put(trial.again, right.values)
            trials[place] = replace(trial, values=values, again=again)
    return replace(measured, trials=trials, later=put(measured.later, expected.later))


class _RightParts:
    """Makes evidence of a Function, or of a layer, in which some parts are right."""

    def __init__(
        self, measured: FunctionEvidence, expected: FunctionEvidence, parts: set[str]
    ) -> None:
        # Where the layer raises, its Function was tried alone.
        alone = measured.function if "layer" in parts else None
        self._measured, self._expected = measured, expected
        self._trials = {trial.name: trial for trial in (alone or measured).trials}
        self._wanted = [measured.names[place] for place in expected.base.wanted]
        each = {name: [*map(kind.format, self._wanted)] for name, kind in _EACH.items()}
        self._parts = parts.union(*(each[name] for name in parts if name in each))
        self._first, self._second = (
            [place for place, name in enumerate(names) if name in self._parts]
            for names in each.values()
        )
        self._asked = [name for name in self._wanted if f"gradient of {name}" not in self._parts]

    def evidence(self) -> FunctionEvidence:
        """Return it.

        Raises:
            LookupError, ValueError: something in it was not measured.
        """
        trials = [self._trial(right) for right in self._expected.trials]
        layers = (self._expected if "layer" in self._parts else self._measured).layers
        return replace(
            self._measured, trials=trials, right_parts=sorted(self._parts), layers=layers
        )

    def _trial(self, right: Trial) -> Trial:
        inputs = zip(self._wanted, self._expected.base.wanted, strict=True)
        absent = [name for name, place in inputs if right.inputs[place].value == "None"]
        if not self._parts.isdisjoint(f"without {name}" for name in absent):
            return right
        mine = self._trials[right.name]
        if right.raised:
            return mine
        asked = self._asked or (self._wanted if absent else [])
        if not asked:
            mine = self._of_forward(mine, right)
        elif mine.raised:
            mine = self._of_one_input(mine, [name for name in asked if name not in absent])
        if mine.odd or mine.grad_outputs != right.grad_outputs:
            raise LookupError("forward returned something else")
        return self._with_right_parts(mine, right)

    def _of_forward(self, mine: Trial, right: Trial) -> Trial:
        """Return what forward did, with all else as it is right."""
        if mine.odd or (mine.raised and mine.raised.phase == "forward"):
            raise LookupError("forward returned no tensor")
        again, due = mine.repeats, right.repeats
        again = again and due and replace(due, **_some(again, _REPEATED))
        return replace(right, **_some(mine, (*_MEANS, *_FORWARD)), repeats=again)

    def _of_one_input(self, mine: Trial, asked: list[str]) -> Trial:
        """Return what backward did with one of some inputs alone; what it raised, if it did.

        What forward did is that of the trial with all inputs.
        """
        by_input = self._measured.by_input if len(self._asked) < 2 else {}
        found = [by_input[name][mine.name] for name in asked if mine.name in by_input.get(name, ())]
        one = max(found, key=lambda trial: bool(trial.raised), default=mine)
        return replace(one, **_some(mine, (*_FORWARD, *_GRAPH)))

    def _with_right_parts(self, mine: Trial, right: Trial) -> Trial:
        """Put the right answer's into a trial, for all parts that are right."""
        names = [mode for mode in MODES if mode in self._parts]
        # That the output alone is kept is asked for so that it can be differentiated.
        names += _KEPT if "memory" in self._parts else ("keeps", "moved") if self._second else ()
        if len(self._second) == len(self._wanted) and right.second:
            names += ("second", "hidden_outputs")
        trial = replace(mine, **_some(right, names))
        trial.second = _with_right(trial.second, right.second, _OF_GRADIENTS, self._second)
        if "forward" in self._parts:
            trial = replace(trial, **_some(right, _FORWARD))
            if trial.repeats and right.repeats:
                trial.repeats = replace(trial.repeats, **_some(right.repeats, _REPEATED))
        if trial.operations is not None:
            ran = (trial.operations_of_forward, trial.operations_of_backward)
            trial.operations = sorted({name for one in ran for name in one or ()})
        inputs = [self._expected.base.wanted[place] for place in self._first]
        slots = [slot for slot in mine.returned if slot.input not in inputs]
        trial.returned = slots + [slot for slot in right.returned if slot.input in inputs]
        return _with_right(trial, right, _OF_INPUTS, self._first)


def _some(evidence: Any, names: Collection[str]) -> dict[str, Any]:
    return {name: getattr(evidence, name) for name in names}


def _with_right(mine: Any, right: Any, names: Collection[str], places: list[int]) -> Any:
    """Put the right items into some places of the lists of these names, at any depth."""
    if mine is None or right is None or not places:
        return mine
    if isinstance(mine, dict):
        return {key: _with_right(one, right.get(key), names, places) for key, one in mine.items()}
    if isinstance(mine, list):
        return [_with_right(*pair, names, places) for pair in zip(mine, right, strict=True)]
    changed = {}
    for name, one in vars(mine).items():
        due = getattr(right, name)
        if name in names and isinstance(one, list) and due:
            changed[name] = [due[p] if p in places else each for p, each in enumerate(one)]
        elif name in _RUNS:
            changed[name] = _with_right(one, due, names, places)
    return replace(mine, **changed)
