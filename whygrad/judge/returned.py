"""Judge what backward returned before the engine cast and summed it: its shapes, its order."""

from typing import Any

from whygrad.diagnosis import Finding
from whygrad.judge.axes import explain_shape
from whygrad.judge.bench import Bench
from whygrad.judge.gradient import with_detail
from whygrad.judge.numbers import Array, close, read


def wrong_shapes(bench: Bench) -> list[Finding]:
    """Find a gradient that backward returned in another shape than that of its input."""
    slots = [slot for slot in bench.base.get("returned") or [] if slot["shape"] is not None]
    wrong = [slot for slot in slots if _is_wrong(slot)]
    if not wrong:
        return []
    slot = wrong[0]
    got, due = slot["grad"]["shape"], slot["shape"]
    about = bench.names[slot["input"]] if slot["input"] is not None else ""
    bench.note(
        f"shape of the gradient of {about or 'an input'}", False, yours=str(got), expected=str(due)
    )
    detail = f"Backward returned the shape {got}; the input has {due}."
    named = _swapped(bench, slots) or _explained(bench, slot)
    if not named:
        broad = len(got) > len(due) and bench.base["raised"] is None
        named = [Finding("not-summed" if broad else "wrong-shape", about)]
    return [with_detail(finding, detail) for finding in named]


def _is_wrong(slot: dict[str, Any]) -> bool:
    grad = slot["grad"]
    return isinstance(grad, dict) and "shape" in grad and list(grad["shape"]) != list(slot["shape"])


def _swapped(bench: Bench, slots: list[dict[str, Any]]) -> list[Finding]:
    """Two gradients that are each other's, numbers and all."""
    if bench.expected is None:
        return []
    wanted = bench.base["wanted"]
    mine = {slot["input"]: read(slot["grad"]) for slot in slots if slot["input"] is not None}
    right = {where: bench.expected.grads[place] for place, where in enumerate(wanted)}
    for one in wanted:
        for other in wanted:
            if one >= other or not (mine.get(one) and mine.get(other)):
                continue
            if _same(mine[one], right[other]) and _same(mine[other], right[one]):
                return [
                    Finding("swapped-gradients", f"{bench.names[one]} and {bench.names[other]}")
                ]
    return []


def _same(mine: Array, right: Array | None) -> bool:
    return right is not None and close(mine.values, right.values, 1e-4)


def _explained(bench: Bench, slot: dict[str, Any]) -> list[Finding]:
    if slot["input"] is None or bench.expected is None:
        return []
    cases = bench.cases()
    place = bench.base["wanted"].index(slot["input"])
    returned = read(slot["grad"])
    if not cases or returned is None:
        return []
    return list(explain_shape(cases[place], {"first": returned.values}))
