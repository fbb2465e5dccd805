"""Evidence in which all that other parts of a task are about is the right answer's.

A part of a task holds if its own evidence, with all else mended, passes as a whole answer does. So
nothing earns a part that would not pass today. What no share names stays the student's.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from helpers.checks.values import as_list

# What forward alone decides. The rest of a trial comes of backward, or is in `_MEANS`.
_FORWARD = ("outputs", "odd", "changed in forward", "packed", "requires_grad", "shares")
_REPEATED = ("anew outputs", "reseeded outputs")
# How an answer got its numbers: the student's in every part. The graph is made by forward.
_GRAPH = ("applied", "custom", "uses", "around", "keeps", "tensors on ctx", "held")
_MEANS = (*_GRAPH, "autograd")
_MEMORY, _KEPT = "memory", ("keeps", "tensors on ctx", "held")
_OUTPUT_KEPT = ("keeps", "moved")
_GRADIENT, _DERIVATIVES, _WITHOUT = "gradient of ", "derivatives of grad_", "without "
_ALL = {"gradients": _GRADIENT, "second order": _DERIVATIVES}
_MODES = ("jvp", "vmap")

Evidence = dict[str, Any]


def mended(
    part: str, shares: Sequence[str], measured: Evidence, expected: Evidence
) -> Evidence | None:
    """Return the evidence of one part, everything about the others mended.

    Args:
        part: its name, one of `shares`.
        shares: the names of all parts of the task that earn points.
        measured: what `measure_task` made of the answer.
        expected: the same of the right one, on the same inputs.

    Returns:
        The evidence; None if what the part is about was not measured.
    """
    try:
        return _mended(part, shares, measured, expected)
    except (LookupError, TypeError, AttributeError, ValueError):
        return None  # the evidence ends early, or was forged


def _mended(
    part: str, shares: Sequence[str], measured: Evidence, expected: Evidence
) -> Evidence | None:
    if measured["kind"] == "prediction":
        return _of_prediction(part, measured, expected)
    if measured["kind"] == "values":
        return _of_values(part, shares, measured, expected)
    if part == _MEMORY:
        return measured  # whoever keeps little and computes nothing has earned nothing
    return _Mending(part, shares, measured, expected).evidence()


def _of_prediction(part: str, measured: Evidence, expected: Evidence) -> Evidence | None:
    mine, due = as_list(measured["value"]), as_list(expected["value"])
    items = expected["form"]["items"]
    if not (isinstance(mine, list) and isinstance(due, list) and len(mine) == len(due)):
        return None
    pairs = zip(items, mine, due, strict=True)
    return {**measured, "value": [one if name == part else right for name, one, right in pairs]}


def _of_values(
    part: str, shares: Sequence[str], measured: Evidence, expected: Evidence
) -> Evidence | None:
    places = [p for p, name in enumerate(measured["names"]) if name in shares and name != part]
    mine, trials = {trial["name"]: trial for trial in measured["trials"]}, []
    for right in expected["trials"]:
        trial = mine[right["name"]]
        if trial["raised"] and not right["raised"]:
            return None
        if right["raised"]:
            trials.append(right)
            continue
        pair = [_replaced(trial[key], right["values"], places) for key in ("values", "again")]
        if None in pair:
            return None
        trials.append({**trial, "values": pair[0], "again": pair[1]})
    later = _replaced(measured["later"], expected["later"], places)
    return None if later is None else {**measured, "trials": trials, "later": later}


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
        self, part: str, shares: Sequence[str], measured: Evidence, expected: Evidence
    ) -> None:
        # Where the layer raises, its Function was tried alone.
        alone = {} if part == "layer" else measured.get("function") or {}
        self._measured, self._expected = {**measured, **alone}, expected
        self._is_alone = bool(alone)
        measured = self._measured
        self._base = expected["trials"][0]
        self._wanted = [measured["names"][place] for place in self._base["wanted"]]
        self._own = self._named([part])
        named, gradients = self._named(shares), self._named(["gradients"])
        needed = gradients if self._is_second or part in _MODES else set()
        self._mend = named - self._own - needed
        self._unmended = [name for name in self._wanted if f"{_GRADIENT}{name}" not in self._mend]
        # An exception with one input alone costs the part of its gradient, or else the last part.
        self._charged = self._own | (gradients - named if part == shares[-1] else set())
        self._trials = {trial["name"]: trial for trial in measured["trials"]}
        # Where backward raised, forward was tried further, and each input alone.
        self._forwards, self._by_input = measured.get("forwards") or {}, {}
        if len(self._unmended) < 2:
            more = {trial["name"]: trial for trial in self._forwards.get("trials", ())}
            self._trials = {**more, **self._trials}
            self._by_input = measured.get("by input") or {}

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

    def evidence(self) -> Evidence | None:
        trials = []
        for right in self._expected["trials"]:
            trial = self._trial(self._trials.get(right["name"]), right)
            if trial is None:
                return None
            trials.append(trial)
        found = {**self._measured, "trials": trials, "mended": sorted(self._mend)}
        if "layers" in self._expected:
            found["layers"] = self._layers()
        return found

    def _trial(self, mine: Evidence | None, right: Evidence) -> Evidence | None:
        absent = self._absent(right)
        without = {f"{_WITHOUT}{name}" for name in absent}
        if without & self._mend:
            return right
        if mine is None or any(mine[key] != right[key] for key in ("law", "inputs")):
            return None
        if right["raised"]:
            return mine
        if mine["raised"] and mine["raised"]["phase"] == "forward":
            return None
        asked = self._unmended or (self._wanted if without & self._own else [])
        if not asked:
            return self._of_forward(mine, right)
        if mine["raised"]:
            mine = self._of_one_input(mine, [name for name in asked if name not in absent])
        if mine.get("grad_outputs") != right["grad_outputs"]:
            return None
        trial = {**mine, **self._kept(right)}
        if "forward" in self._mend:
            trial |= {key: right[key] for key in _FORWARD}
            if "repeats" in mine:
                trial["repeats"] = mine["repeats"] | _some(right["repeats"], _REPEATED)
            if "operations" in mine and "operations" in right:
                ran = right["operations of forward"]
                both = sorted({*ran, *mine["operations of backward"]})
                trial |= {"operations of forward": ran, "operations": both}
        if trial.get("alone") and right.get("alone"):
            trial["alone"] = self._mended_alone(trial["alone"], right["alone"])
        self._mend_gradients(trial, right)
        self._mend_second(trial, right)
        trial |= _some(right, [mode for mode in _MODES if mode in self._mend])
        return trial

    def _of_one_input(self, mine: Evidence, asked: list[str]) -> Evidence:
        """Return what backward did with one of some inputs alone; what it raised, if it did.

        What forward did is that of the trial with all inputs.
        """
        of_each = (self._by_input.get(name, {}) for name in asked)
        found = [trials[mine["name"]] for trials in of_each if mine["name"] in trials]
        one = max(found, key=lambda trial: bool(trial["raised"]), default=mine)
        return {**one, **_some(mine, (*_FORWARD, *_GRAPH))}

    def _absent(self, right: Evidence) -> list[str]:
        """Name the inputs that are None in this trial, and a tensor in the first one."""
        triples = zip(self._measured["names"], right["inputs"], self._base["inputs"], strict=False)
        return [n for n, now, first in triples if now.get("value") == "None" and "shape" in first]

    def _of_forward(self, mine: Evidence, right: Evidence) -> Evidence | None:
        """Keep what forward did, if it is not mended either, and take all else from `right`."""
        trial = {**right, **_some(mine, _MEANS), **self._kept(right)}
        if "forward" not in self._mend:
            trial |= {key: mine[key] for key in _FORWARD}
            if "repeats" in right:
                again = mine.get("repeats") or self._repeated()
                trial["repeats"] = {**right["repeats"], **{key: again[key] for key in _REPEATED}}
        if "operations" in right:
            ran = (mine if "operations" in mine else self._forwards)["operations of forward"]
            trial |= {"operations of forward": ran, "operations": ran}
        return trial

    def _kept(self, right: Evidence) -> Evidence:
        """What the right answer keeps, where that is another part's.

        That the output alone is kept is asked for so that it can be differentiated.
        """
        if _MEMORY in self._mend:
            return _some(right, _KEPT)
        is_second = any(name.startswith(_DERIVATIVES) for name in self._mend)
        return _some(right, _OUTPUT_KEPT) if is_second else {}

    def _repeated(self) -> Evidence:
        return dict.fromkeys(_REPEATED, self._forwards["again"]["outputs"])

    def _mended_alone(self, mine: list[Evidence], right: list[Evidence]) -> list[Evidence]:
        """Put the right gradient in the place of an exception that costs another part."""
        triples = zip(self._wanted, mine, right, strict=True)
        return [
            due if one["raised"] and f"{_GRADIENT}{name}" not in self._charged else one
            for name, one, due in triples
        ]

    def _mend_gradients(self, trial: Evidence, right: Evidence) -> None:
        """Put the right numbers in the place of the gradients that other parts are about."""
        places = [p for p, n in enumerate(self._wanted) if f"{_GRADIENT}{n}" in self._mend]
        if not places or trial.get("grads") is None:
            return
        for key in ("grads", "jacobian", "alone"):
            if trial.get(key) and right.get(key):
                trial[key] = _with(trial[key], right[key], places)
        runs = ("first", "second", "reseeded backward", "anew")
        for key, names in (
            ("repeats", runs),
            ("expanded", ("grads",)),
            ("moved", ("grads",)),
        ):
            if trial.get(key) and right.get(key):
                trial[key] = _with_lists(trial[key], right[key], names, places)
        if trial.get("probes") and right.get("probes"):
            trial["probes"] = {
                name: _with_lists(probe, right["probes"][name], ("grads",), places)
                for name, probe in trial["probes"].items()
            }
        pairs = zip(trial.get("outputs alone") or (), right.get("outputs alone") or (), strict=True)
        if "outputs alone" in trial:
            trial["outputs alone"] = [_with_lists(a, b, ("grads",), places) for a, b in pairs]
        inputs = [self._base["wanted"][place] for place in places]
        trial["returned"] = [slot for slot in trial["returned"] if slot["input"] not in inputs]
        trial["returned"] += [slot for slot in right["returned"] if slot["input"] in inputs]

    def _mend_second(self, trial: Evidence, right: Evidence) -> None:
        """Put the right derivatives in the place of those that other parts are about."""
        places = [p for p, n in enumerate(self._wanted) if f"{_DERIVATIVES}{n}" in self._mend]
        if not places or "second" not in right:
            return
        if len(places) == len(self._wanted):
            trial |= _some(right, ("second", "hidden outputs"))
            return
        keys = ("for inputs", "for grad_output")
        mine = trial["second"]
        trial["second"] = {
            way: _with_lists(run, right["second"][way], keys, places) for way, run in mine.items()
        }

    def _layers(self) -> list[Evidence]:
        """Return what layers hold; a training step asks for gradients, too."""
        mine, right = self._measured["layers"], self._expected["layers"]
        layers = [dict(each) for each in (right if "layer" in self._mend else mine)]
        stepped = self._unmended and not self._is_alone and not self._forwards
        source = mine if stepped else right
        if "step" in source[0]:
            step = source[0]["step"]
            asked = [name for name in step["still"] if f"{_GRADIENT}{name}" not in self._mend]
            layers[0]["step"] = {**step, "still": asked}
        return layers


def _some(evidence: Evidence, keys: Iterable[str]) -> Evidence:
    return {key: evidence[key] for key in keys if key in evidence}


def _with(mine: list[Any], right: list[Any], places: list[int]) -> list[Any]:
    return [right[place] if place in places else value for place, value in enumerate(mine)]


def _with_lists(
    mine: Evidence, right: Evidence, keys: Iterable[str], places: list[int]
) -> Evidence:
    changed = {key: _with(mine[key], right[key], places) for key in keys if mine.get(key)}
    return {**mine, **changed}
