"""Evidence in which all that other parts of a task are about is the right answer's.

A part of a task holds if its own evidence, with all else mended, passes as a whole answer does. So
nothing earns a part that would not pass today. What no share names stays the student's.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from helpers.checks.task_evidence import (
    Forwards,
    FunctionEvidence,
    Layer,
    Measured,
    PredictionEvidence,
    ValuesEvidence,
)
from helpers.checks.values import as_list
from whygrad.evidence import Trial
from whygrad.evidence.value import Alone

Part = TypeVar("Part")

# What forward alone decides. The rest of a trial comes of backward, or is in `_MEANS`.
_FORWARD = ("outputs", "odd", "changed_in_forward", "packed", "requires_grad", "shares")
_REPEATED = ("anew_outputs", "reseeded_outputs")
_RUNS = ("first", "second", "reseeded_backward", "anew")
# How an answer got its numbers: the student's in every part. The graph is made by forward.
_GRAPH = ("applied", "custom", "uses", "around", "keeps", "tensors_on_ctx", "held")
_MEANS = (*_GRAPH, "autograd")
_MEMORY, _KEPT = "memory", ("keeps", "tensors_on_ctx", "held")
_OUTPUT_KEPT = ("keeps", "moved")
_GRADIENT, _DERIVATIVES, _WITHOUT = "gradient of ", "derivatives of grad_", "without "
_ALL = {"gradients": _GRADIENT, "second order": _DERIVATIVES}
_MODES = ("jvp", "vmap")
_SECOND = ("tracked", "constant", "other_incoming", "other_weights")


def mended(
    part: str, shares: Sequence[str], measured: Measured, expected: Measured
) -> Measured | None:
    """Return the evidence of one part, everything about the others mended.

    Args:
        part: its name, one of `shares`.
        shares: the names of all parts of the task that earn points.
        measured: what `measure_task` made of the answer.
        expected: the same of the right one, on the same inputs.

    Returns:
        The evidence; None if what the part is about was not measured.
    """
    if isinstance(measured, PredictionEvidence):
        return _of_prediction(part, measured, expected)
    if isinstance(measured, ValuesEvidence):
        return _of_values(part, shares, measured, expected)
    if part == _MEMORY:
        return measured  # whoever keeps little and computes nothing has earned nothing
    try:
        return _Mending(part, shares, measured, expected).evidence()
    except (LookupError, ValueError):
        return None  # its lists are shorter than those of the right answer


def _of_prediction(
    part: str, measured: PredictionEvidence, expected: PredictionEvidence
) -> PredictionEvidence | None:
    mine, due = as_list(measured.value), as_list(expected.value)
    if not (isinstance(mine, list) and isinstance(due, list) and len(mine) == len(due)):
        return None
    triples = zip(expected.form.items, mine, due, strict=True)
    value = [one if name == part else right for name, one, right in triples]
    return replace(measured, value=value)


def _of_values(
    part: str, shares: Sequence[str], measured: ValuesEvidence, expected: ValuesEvidence
) -> ValuesEvidence | None:
    places = [p for p, name in enumerate(measured.names) if name in shares and name != part]
    mine, trials = {trial.name: trial for trial in measured.trials}, []
    for right in expected.trials:
        trial = mine.get(right.name)
        if right.raised:
            trials.append(right)
            continue
        if trial is None or trial.raised:
            return None
        pair = [_replaced(one, right.values, places) for one in (trial.values, trial.again)]
        if None in pair:
            return None
        trials.append(replace(trial, values=pair[0], again=pair[1]))
    later = _replaced(measured.later, expected.later, places)
    return None if later is None else replace(measured, trials=trials, later=later)


def _replaced(mine: Any, right: Any, places: Iterable[int]) -> Any:
    """Put the right values into some places of several; None if these are not as many."""
    places = set(places)
    if not places:
        return mine
    if not (isinstance(mine, list) and isinstance(right, list) and len(mine) == len(right)):
        return None
    return [right[place] if place in places else value for place, value in enumerate(mine)]


class _Mending:
    """The evidence of a Function, or of a layer, mended for one part."""

    def __init__(
        self,
        part: str,
        shares: Sequence[str],
        measured: FunctionEvidence,
        expected: FunctionEvidence,
    ) -> None:
        # Where the layer raises, its Function was tried alone.
        self._is_alone = part != "layer" and measured.function is not None
        if self._is_alone:
            measured = replace(measured, trials=measured.function.trials)
        self._measured, self._expected = measured, expected
        self._base = expected.base
        self._wanted = [measured.names[place] for place in self._base.wanted]
        self._own = self._named([part])
        named, gradients = self._named(shares), self._named(["gradients"])
        needed = gradients if self._is_second or part in _MODES else set()
        self._mend = named - self._own - needed
        self._unmended = [name for name in self._wanted if f"{_GRADIENT}{name}" not in self._mend]
        # An exception with one input alone costs the part of its gradient, or else the last part.
        self._charged = self._own | (gradients - named if part == shares[-1] else set())
        trials, self._by_input = measured.trials, {}
        # Where backward raised, forward was tried further, and each input alone.
        self._forwards: Forwards | None = measured.forwards
        if len(self._unmended) < 2:
            self._by_input = measured.by_input
            trials = [*(measured.forwards.trials if measured.forwards else ()), *trials]
        self._trials = {trial.name: trial for trial in trials}

    @property
    def _is_second(self) -> bool:
        return any(name.startswith(_DERIVATIVES) for name in self._own)

    def _named(self, shares: Iterable[str]) -> set[str]:
        """Return the smallest parts that some shares are for."""
        found = set()
        for name in shares:
            kind = _ALL.get(name)
            found |= {f"{kind}{each}" for each in self._wanted} if kind else {name}
        return found

    def evidence(self) -> FunctionEvidence | None:
        trials = []
        for right in self._expected.trials:
            trial = self._trial(self._trials.get(right.name), right)
            if trial is None:
                return None
            trials.append(trial)
        layers = self._layers() if self._expected.layers else []
        return replace(self._measured, trials=trials, mended=sorted(self._mend), layers=layers)

    def _trial(self, mine: Trial | None, right: Trial) -> Trial | None:
        absent = self._absent(right)
        without = {f"{_WITHOUT}{name}" for name in absent}
        if without & self._mend:
            return right
        if mine is None or (mine.law, mine.inputs) != (right.law, right.inputs):
            return None
        if right.raised:
            return mine
        if mine.raised and mine.raised.phase == "forward":
            return None
        asked = self._unmended or (self._wanted if without & self._own else [])
        if not asked:
            return self._of_forward(mine, right)
        if mine.raised:
            mine = self._of_one_input(mine, [name for name in asked if name not in absent])
        if mine.grad_outputs != right.grad_outputs:
            return None
        trial = replace(mine, **self._kept(right))
        if "forward" in self._mend:
            trial = replace(trial, **_some(right, _FORWARD))
            if mine.repeats and right.repeats:
                trial.repeats = replace(mine.repeats, **_some(right.repeats, _REPEATED))
            if mine.operations_of_backward is not None and right.operations is not None:
                trial.operations_of_forward = ran = right.operations_of_forward
                trial.operations = sorted({*ran, *mine.operations_of_backward})
        if trial.alone and right.alone:
            trial.alone = self._mended_alone(trial.alone, right.alone)
        trial = self._mend_second(self._mend_gradients(trial, right), right)
        return replace(trial, **_some(right, [mode for mode in _MODES if mode in self._mend]))

    def _of_one_input(self, mine: Trial, asked: list[str]) -> Trial:
        """Return what backward did with one of some inputs alone; what it raised, if it did.

        What forward did is that of the trial with all inputs.
        """
        of_each = (self._by_input.get(name, {}) for name in asked)
        found = [trials[mine.name] for trials in of_each if mine.name in trials]
        one = max(found, key=lambda trial: bool(trial.raised), default=mine)
        return replace(one, **_some(mine, (*_FORWARD, *_GRAPH)))

    def _absent(self, right: Trial) -> list[str]:
        """Name the inputs that are None in this trial, and a tensor in the first one."""
        triples = zip(self._measured.names, right.inputs, self._base.inputs, strict=False)
        return [n for n, now, first in triples if now.value == "None" and first.shape is not None]

    def _of_forward(self, mine: Trial, right: Trial) -> Trial | None:
        """Keep what forward did, if it is not mended either, and take all else from `right`."""
        means = {} if mine.odd else _some(mine, _MEANS)
        trial = replace(right, **{**means, **self._kept(right)})
        if "forward" not in self._mend:
            if mine.odd:
                return None
            trial = replace(trial, **_some(mine, _FORWARD))
            if right.repeats:
                again = self._repeated(mine)
                if None in again.values():
                    return None
                trial.repeats = replace(right.repeats, **again)
        if right.operations is not None:
            source = mine if mine.operations is not None else self._forwards
            if source is None:
                return None
            trial.operations = trial.operations_of_forward = source.operations_of_forward
        return trial

    def _kept(self, right: Trial) -> dict[str, Any]:
        """What the right answer keeps, where that is another part's.

        That the output alone is kept is asked for so that it can be differentiated.
        """
        if _MEMORY in self._mend:
            return _some(right, _KEPT)
        is_second = any(name.startswith(_DERIVATIVES) for name in self._mend)
        return _some(right, _OUTPUT_KEPT) if is_second else {}

    def _repeated(self, mine: Trial) -> dict[str, Any]:
        if mine.repeats:
            return _some(mine.repeats, _REPEATED)
        return dict.fromkeys(_REPEATED, self._forwards and self._forwards.again.outputs)

    def _mended_alone(self, mine: list[Alone], right: list[Alone]) -> list[Alone]:
        """Put the right gradient in the place of an exception that costs another part."""
        triples = zip(self._wanted, mine, right, strict=True)
        return [
            due if one.raised and f"{_GRADIENT}{name}" not in self._charged else one
            for name, one, due in triples
        ]

    def _mend_gradients(self, trial: Trial, right: Trial) -> Trial:
        """Put the right numbers in the place of the gradients that other parts are about."""
        places = [p for p, n in enumerate(self._wanted) if f"{_GRADIENT}{n}" in self._mend]
        if not places or trial.grads is None:
            return trial

        def with_right(mine: Part, due: Part, names: Iterable[str] = ("grads",)) -> Part:
            return _with_lists(mine, due, names, places)

        inputs = [self._base.wanted[place] for place in places]
        slots = [slot for slot in trial.returned if slot.input not in inputs]
        pairs = zip(trial.outputs_alone, right.outputs_alone, strict=True)
        return replace(
            with_right(trial, right, ("grads", "jacobian", "alone")),
            repeats=with_right(trial.repeats, right.repeats, _RUNS),
            expanded=with_right(trial.expanded, right.expanded),
            moved=with_right(trial.moved, right.moved),
            probes={n: with_right(one, right.probes.get(n)) for n, one in trial.probes.items()},
            outputs_alone=[with_right(*pair) for pair in pairs],
            returned=slots + [slot for slot in right.returned if slot.input in inputs],
        )

    def _mend_second(self, trial: Trial, right: Trial) -> Trial:
        """Put the right derivatives in the place of those that other parts are about."""
        places = [p for p, n in enumerate(self._wanted) if f"{_DERIVATIVES}{n}" in self._mend]
        mine, due = trial.second, right.second
        if not places or due is None:
            return trial
        if len(places) == len(self._wanted):
            return replace(trial, second=due, hidden_outputs=right.hidden_outputs)
        if mine is None:
            return trial
        keys = ("for_inputs", "for_grad_output")
        runs = {
            name: _with_lists(getattr(mine, name), getattr(due, name), keys, places)
            for name in _SECOND
        }
        return replace(trial, second=replace(mine, **runs))

    def _layers(self) -> list[Layer]:
        """Return what layers hold; a training step asks for gradients, too."""
        mine, right = self._measured.layers, self._expected.layers
        first, *others = right if "layer" in self._mend else mine
        stepped = self._unmended and not self._is_alone and not self._forwards
        if step := (mine if stepped else right)[0].step:
            asked = [name for name in step.still if f"{_GRADIENT}{name}" not in self._mend]
            first = replace(first, step=replace(step, still=asked))
        return [first, *others]


def _some(evidence: Any, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(evidence, name) for name in names}


def _with(mine: list[Any], right: list[Any], places: list[int]) -> list[Any]:
    return [right[place] if place in places else value for place, value in enumerate(mine)]


def _with_lists(
    mine: Part | None, right: Part | None, names: Iterable[str], places: list[int]
) -> Part | None:
    if mine is None or right is None:
        return mine
    pairs = {name: (getattr(mine, name), getattr(right, name)) for name in names}
    changed = {name: _with(*pair, places) for name, pair in pairs.items() if all(pair)}
    return replace(mine, **changed)
