"""Judge side effects: what is written into, and what the next call gives."""

from typing import Any

from whygrad.diagnosis import Finding
from whygrad.judge.bench import OTHER_NUMBERS, Bench, see
from whygrad.judge.numbers import Array, close, read
from whygrad.judge.raised import writes_to_shared


def changes_inputs(bench: Bench) -> list[Finding]:
    """Find an input that backward wrote into."""
    changed = bench.base.get("changed") or []
    names = " and ".join(bench.names[place] for place in changed)
    bench.note("the inputs are left alone", not changed, note=names and f"{names} was changed")
    return [Finding("modifies-input", names, "Backward wrote into it.")] if changed else []


def changes_grad_output(bench: Bench) -> list[Finding]:
    """Find a backward that writes into its incoming gradient."""
    expanded = bench.base.get("expanded") or {}
    written = bench.base.get("grad_output changed") or expanded.get("grad_output changed")
    raised = expanded.get("raised")
    if raised and (writes_to_shared(raised)):
        written = True
    bench.note("the incoming gradient is left alone", not written)
    if written:
        return [Finding("modifies-grad-output")]
    if raised:
        bench.note("backward from .sum()", False, note=f"{raised['type']} was raised")
        if "view size is not compatible" in raised["message"] or "stride" in raised["message"]:
            return [Finding("needs-contiguous", "", f"PyTorch says: {raised['message']}")]
        return [see(bench, raised)]
    return []


def gives_the_same_twice(bench: Bench) -> list[Finding]:
    """Find gradients that depend on earlier calls or on chance."""
    repeats = bench.base.get("repeats")
    if not repeats:
        return []
    raised = repeats.get("raised")
    if raised:
        bench.note("a second call gives the same", False, note=f"{raised['type']} was raised")
        detail = f"The second time it raised {raised['type']}: {raised['message']}"
        return [Finding("keeps-state", "", detail)]
    base, first = bench.base["grads"], repeats["first"]
    steady = _same(base, first)
    again, anew = _same(first, repeats["second"]), _same(first, repeats["anew"])
    by_chance = not _same(repeats["second"], repeats["reseeded backward"])
    bench.note("a second call gives the same", steady and again and anew and not by_chance)
    if not (again and anew):
        return [Finding("keeps-state", "", _which(again))]
    if by_chance:
        return [Finding("nondeterministic", "", "Backward draws random numbers.")]
    if not steady:
        return [Finding("keeps-state", "", "A forward in between changed what backward gives.")]
    return []


def forgets_the_call_before(bench: Bench) -> list[Finding]:
    """Find an answer that is right in its first call, and wrong for other numbers like them."""
    trial = next((t for t in bench.measured["trials"] if t["name"] == OTHER_NUMBERS), None)
    expected = bench.expectation(trial) if trial else None
    if expected is None or bench.expected is None or not trial.get("grads"):
        return []
    if expected.outputs is not None and not _are(trial["outputs"], expected.outputs):
        again = _same(trial["outputs"], bench.base["outputs"])
    elif _are(trial["grads"], expected.grads):
        return []
    else:
        again = _same(trial["grads"], bench.base["grads"])
        if not again:
            return []  # a piece of the function that the first numbers do not reach
    bench.note("other numbers", False)
    words = "Other inputs gave what the inputs before had given." if again else ""
    return [Finding("keeps-state", "", words), *([] if again else [Finding("wrong-forward")])]


def _are(found: list[Any], right: list[Array | None]) -> bool:
    pairs = [(read(one), other) for one, other in zip(found, right, strict=False)]
    return all(
        one is None or other is None or close(one.values, other.values, 1e-3)
        for one, other in pairs
    )


def _which(again: bool) -> str:
    if again:
        return "A second call of forward and backward gave other gradients."
    return "A second backward through the same graph gave other gradients."


def _same(one: list[Any] | None, other: list[Any] | None) -> bool:
    if one is None or other is None:
        return one is other
    pairs = [(read(a), read(b)) for a, b in zip(one, other, strict=True)]
    return all((a is b) if a is None or b is None else close(a.values, b.values) for a, b in pairs)
