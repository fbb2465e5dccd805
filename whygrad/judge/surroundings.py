"""Judge what must hold in other surroundings: dtypes, sizes, layouts in memory, no bias."""

from typing import Any

import numpy as np

from whygrad.diagnosis import Finding
from whygrad.judge.bench import Bench, see
from whygrad.judge.expectation import Expectation
from whygrad.judge.numbers import FLOAT32, Array, close, difference, read
from whygrad.judge.raised import dtype_clash, not_started

# Of several, the one that explains the others comes first: a `view` often fails on no rows too.
_ORDER = (
    "not-started",
    "modifies-input",
    "modifies-grad-output",
    "needs-bias",
    "wrong-dtype",
    "fixed-size",
    "needs-contiguous",
    "fails-on-empty",
    "raises",
    "wrong-forward",
    "wrong-gradient",
)


def dtypes(bench: Bench) -> list[Finding]:
    """Find an output or a gradient of another dtype than that of the input."""
    base = bench.base
    other = next((t for t in bench.measured["trials"] if t["law"] == "wrong-dtype"), None)
    outs = [out["dtype"] for out in base["outputs"]]
    due = bench.expected.dtypes if bench.expected else None
    if due is not None and outs != due:
        return _wrong(bench, "output", outs[0], due[0])
    if due is None and other and not other["raised"] and not other["odd"]:
        fixed = [out["dtype"] for out in other["outputs"]]
        if fixed == outs and all(dtype in ("float32", "float64") for dtype in outs):
            return _wrong(bench, "output", outs[0], "that of the input")
    for trial in (base, other) if other and not other["raised"] else (base,):
        for slot in trial.get("returned") or []:
            grad = slot["grad"]
            mine = grad.get("dtype") if isinstance(grad, dict) else None
            if mine and slot["dtype"] and mine != slot["dtype"]:
                return _wrong(bench, "gradient", mine, slot["dtype"])
    return []


def _wrong(bench: Bench, what: str, yours: str, due: str) -> list[Finding]:
    bench.note("dtype", False, where=what, yours=yours, expected=due)
    return [Finding("wrong-dtype", what, f"The {what} is {yours}, not {due}.")]


def other_inputs(bench: Bench) -> list[Finding]:
    """Find inputs of another size, layout or dtype that the answer cannot take."""
    failed = []
    for trial in bench.measured["trials"][1:]:
        complaint = _complaint(bench, trial)
        bench.note(trial["name"], not complaint, note=complaint)
        if complaint:
            name = _name(bench, trial, complaint)
            words = f"With {trial['name']}: {complaint}."
            failed.append((_ORDER.index(name), Finding(name, _about(bench, trial), words), trial))
    if not failed:
        return []
    _, finding, trial = min(failed, key=lambda one: one[0])
    if finding.name in ("not-started", "raises"):
        see(bench, trial["raised"])
    return [finding]


def _name(bench: Bench, trial: dict[str, Any], complaint: str) -> str:
    if not_started(trial["raised"]):
        return "not-started"
    if trial.get("changed") or trial["changed in forward"]:
        return "modifies-input"
    if trial.get("grad_output changed"):
        return "modifies-grad-output"
    if trial["raised"] and trial["law"] == "fixed-size" and dtype_clash(trial["raised"]):
        return "wrong-dtype"
    if trial["law"]:
        return trial["law"]
    if trial["raised"]:
        shapes = [[about.get("shape") for about in t["inputs"]] for t in (trial, bench.base)]
        return "raises" if shapes[0] == shapes[1] else "fixed-size"
    return "wrong-forward" if complaint.startswith("forward") else "wrong-gradient"


def _about(bench: Bench, trial: dict[str, Any]) -> str:
    absent = [
        name
        for name, value in zip(bench.names, trial["inputs"], strict=False)
        if value.get("value") == "None"
    ]
    return " and ".join(absent) if trial["law"] == "needs-bias" else ""


def _complaint(bench: Bench, trial: dict[str, Any]) -> str:
    """Say what is wrong in a trial, or return an empty string."""
    raised = trial["raised"]
    expected = bench.expectation(trial)
    if bench.reference is None and trial["law"] != "needs-contiguous":
        if raised and raised["phase"] == "forward":
            return ""  # nobody said that it has to take this
    elif bench.reference is not None and expected is None:
        return ""  # the right answer cannot take it either
    if expected is not None and not _is_finite(expected):
        return ""  # outside of what the function is made for
    if bench.reference is None and _overflows(bench, trial):
        return ""  # float32 cannot hold it
    if trial["law"] == "needs-bias" and expected is not None and _ignores_it(bench, trial):
        return ""  # taking None means nothing where the input is not looked at
    if raised:
        return f"{raised['phase']} raised {raised['type']}: {raised['message']}"
    if trial["odd"]:
        return f"forward returned {trial['odd']}"
    if trial["changed"]:
        return f"{bench.names[trial['changed'][0]]} was changed"
    if trial["grad_output changed"]:
        return "the incoming gradient was changed"
    return _shapes(trial) or (_numbers(bench, trial, expected) if expected else "")


def _overflows(bench: Bench, trial: dict[str, Any]) -> bool:
    """Tell whether a forward that was finite in float64 is not so in float32."""
    if trial["law"] != "wrong-dtype" or trial["raised"]:
        return False
    finite = [
        all(np.isfinite(read(out).values).all() for out in outputs)
        for outputs in (bench.base["outputs"], trial["outputs"])
    ]
    return finite == [True, False]


def _ignores_it(bench: Bench, trial: dict[str, Any]) -> bool:
    wanted = bench.base["wanted"]
    absent = [p for p, value in enumerate(trial["inputs"]) if value.get("value") == "None"]
    grads = [bench.expected.grads[wanted.index(place)] for place in absent if place in wanted]
    return not any(grad.values.any() for grad in grads)


def _is_finite(expected: Expectation) -> bool:
    arrays = [*(expected.outputs or []), *(expected.grads if expected.outputs else [])]
    return all(np.isfinite(array.values).all() for array in arrays)


def _shapes(trial: dict[str, Any]) -> str:
    for slot in trial["returned"]:
        grad = slot["grad"]
        if slot["shape"] is None or not isinstance(grad, dict) or "shape" not in grad:
            continue
        if list(grad["shape"]) != list(slot["shape"]):
            return f"a gradient has the shape {grad['shape']}, its input {slot['shape']}"
    return ""


def _numbers(bench: Bench, trial: dict[str, Any], expected: Expectation) -> str:
    relative = FLOAT32 if trial["law"] == "wrong-dtype" else expected.relative
    if expected.outputs is not None:
        mine = [read(out) for out in trial["outputs"]]
        for yours, right in zip(mine, expected.outputs, strict=False):
            if problem := _apart("forward", yours, right, relative):
                return problem
            if right.dtype != yours.dtype:
                return f"the output is {yours.dtype}, not {right.dtype}"
    for place, right in enumerate(expected.grads):
        name = f"the gradient of {bench.names[trial['wanted'][place]]}"
        yours = read(trial["grads"][place])
        if yours is None and (right is None or not right.values.any()):
            continue
        if right is None:
            right = Array(yours.values * 0, yours.dtype)
        if problem := _apart(name, yours, right, relative):
            return problem
    return ""


def _apart(name: str, yours: Array | None, right: Array, relative: float) -> str:
    if yours is not None and close(yours.values, right.values, relative):
        return ""
    line = difference(name, yours, right, relative)
    at = (
        f" at {line.where}" if line.where.startswith("[") else f" ({line.where})" * bool(line.where)
    )
    return f"{name}{at} is {line.yours}, not {line.expected}"
