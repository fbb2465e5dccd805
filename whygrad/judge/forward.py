"""Judge forward: it runs, leaves its inputs alone, is a Function, and gives the right value."""

import numpy as np

from whygrad.diagnosis import Finding
from whygrad.judge.bench import Bench, see
from whygrad.judge.numbers import FLOAT32, close, difference, read


def raises(bench: Bench) -> list[Finding]:
    """Find an exception of forward, or an output that is no tensor."""
    raised = bench.base["raised"]
    if raised and raised["phase"] == "forward":
        if bench.base["changed in forward"]:
            see(bench, raised)
            return [
                Finding("modifies-input", _changed(bench), f"PyTorch says: {raised['message']}")
            ]
        bench.note("forward", False, note=f"{raised['type']} was raised")
        return [see(bench, raised)]
    if bench.base["odd"]:
        detail = f"Forward returned {bench.base['odd']}, not a tensor."
        bench.note("forward", False, note=detail)
        return [Finding("wrong-forward", "", detail)]
    return []


def _changed(bench: Bench) -> str:
    return " and ".join(bench.names[place] for place in bench.base["changed in forward"])


def changes_inputs(bench: Bench) -> list[Finding]:
    """Find an input that forward wrote into."""
    if not bench.base["changed in forward"]:
        return []
    bench.note("the inputs are left alone", False, note=f"forward changed {_changed(bench)}")
    findings = [Finding("modifies-input", _changed(bench), "Forward wrote into it.")]
    if _returns_input(bench):
        findings.append(Finding("returns-input", _shared(bench)))
    return findings


def is_a_function(bench: Bench) -> list[Finding]:
    """Find an answer without a custom Function at work."""
    base, measured = bench.base, bench.measured
    missing = measured.get("unregistered") or []
    if missing:
        what = " and ".join(missing)
        bench.note("parameters", False, note=f"{what} is no nn.Parameter of the layer")
        detail = f"{what} is not among the layer's parameters(), so that no optimiser finds it."
        return [Finding("missing-gradient", what, detail)]
    if base.get("uses") is False:
        bench.note("the Function is used", False, note="its node is not in the graph")
        return [Finding("unused-function")]
    if base["custom"]:
        return _output_without_history(bench)
    module = measured.get("kind") == "module"
    name = "unused-function" if module else "not-a-function"
    if any(base["requires_grad"]):
        bench.note("a custom Function is at work", False, note="the graph holds none")
        return [Finding(name)]
    bench.note("the output has a history", False, note="it has no grad_fn")
    # It was applied, but autograd saw no tensor among its arguments, or the history was cut.
    cut = Finding("missing-gradient", "", "The output has no grad_fn, so no gradient comes back.")
    return [cut] if base["applied"] else [Finding(name), cut]


def _output_without_history(bench: Bench) -> list[Finding]:
    """Find one of several outputs that should have a history and has none."""
    expected, place = bench.expected, 0
    for number, out in enumerate(bench.base["outputs"]):
        if "float" not in out["dtype"]:
            continue
        rows = slice(place, place + int(np.prod(out["shape"])))
        place = rows.stop
        if bench.base["requires_grad"][number] or expected is None or not expected.jacobians:
            continue
        if any(np.abs(np.nan_to_num(j[rows])).max(initial=0.0) > 1e-6 for j in expected.jacobians):
            bench.note(f"output {number} has a history", False, note="it has no grad_fn")
            return [Finding("missing-gradient", "", f"Output {number} has no grad_fn.")]
    return []


def gives_the_value(bench: Bench) -> list[Finding]:
    """Compare the outputs with the right ones."""
    expected, base = bench.expected, bench.base
    if expected is None or expected.outputs is None:
        return []
    yours = [read(out) for out in base["outputs"]]
    if len(yours) != len(expected.outputs):
        detail = f"Forward returned {len(yours)} tensors, and {len(expected.outputs)} are due."
        bench.note("forward", False, note=detail)
        return [Finding("wrong-forward", "", detail)]
    if unstable := _unstable(bench):
        return unstable
    low = any(mine.dtype == "float32" for mine in yours if mine)
    for mine, right in zip(yours, expected.outputs, strict=True):
        line = difference("forward", mine, right, FLOAT32 if low else expected.relative)
        if not line.ok:
            bench.properties.append(line)
            shared = [Finding("returns-input", _shared(bench))] if _returns_input(bench) else []
            return [*shared, Finding("wrong-forward")]
    bench.note("forward", True)
    if _returns_input(bench):
        bench.note("the output is a tensor of its own", False)
        return [Finding("returns-input", _shared(bench))]
    return []


def _unstable(bench: Bench) -> list[Finding]:
    """Find a forward that gives something else the next time, where the right one does not."""
    repeats = bench.base.get("repeats") or {}
    if "anew outputs" not in repeats:
        return []
    first = [read(out).values for out in bench.base["outputs"]]
    same = {
        kind: all(
            close(read(again).values, out) for again, out in zip(repeats[kind], first, strict=True)
        )
        for kind in ("anew outputs", "reseeded outputs")
    }
    if all(same.values()):
        return []
    bench.note("forward gives the same twice", False)
    if same["anew outputs"]:
        return [Finding("nondeterministic", "", "Forward draws random numbers.")]
    return [Finding("keeps-state", "", "A second call of forward gave another value.")]


def _returns_input(bench: Bench) -> bool:
    views = bench.expected.views if bench.expected else None
    return bool(bench.base["shares"]) and views is False and not bench.measured.get("views")


def _shared(bench: Bench) -> str:
    return " and ".join(bench.names[place] for place in bench.base["shares"])
