"""Judge the first backward: it runs, and each gradient is right."""

from typing import Any

import numpy as np

from whygrad.diagnosis import Finding
from whygrad.judge.bench import Bench, see
from whygrad.judge.case import is_right
from whygrad.judge.gradient import explain, with_detail
from whygrad.judge.numbers import Array, close, difference, read
from whygrad.judge.raised import invalid_shape, not_started, writes_to_shared, wrong_count
from whygrad.judge.returned import wrong_shapes


def raises(bench: Bench) -> list[Finding]:
    """Find what backward raised, and why."""
    raised = bench.base["raised"]
    if not raised:
        return []
    bench.note("backward", False, note=f"{raised['type']} was raised")
    if not_started(raised):
        return [see(bench, raised)]
    if count := wrong_count(raised):
        return [count]
    if invalid_shape(raised):
        return wrong_shapes(bench) or [see(bench, raised)]
    if writes_to_shared(raised):
        return [Finding("modifies-grad-output")]
    if bench.base.get("changed"):
        names = [bench.names[place] for place in bench.base["changed"]]
        return [Finding("modifies-input", " and ".join(names))]
    return [see(bench, raised)]


def gradients(bench: Bench) -> list[Finding]:
    """Find the first gradient that is wrong, and explain it."""
    base, expected = bench.base, bench.expected
    if expected is None:
        return wrong_shapes(bench)  # without any right numbers, only these can be judged
    shapes = wrong_shapes(bench)
    found: list[Finding] = []
    cases = bench.cases()
    for place, where in enumerate(base["wanted"]):
        name = f"gradient of {bench.names[where]}"
        line = difference(name, _grad(base, place), expected.grads[place], expected.relative)
        case = cases[place] if cases else None
        wrong = not is_right(case) if case else not line.ok
        if line.ok and wrong:
            bench.note(name, False, note="right for one incoming gradient, wrong for another")
        else:
            bench.note(name, not wrong, **({} if not wrong else _parts(line)))
        if wrong and not found:
            others = [other for other in cases if other.place != place]
            why = explain(case, others) if case else [Finding("wrong-gradient", bench.names[where])]
            found = [with_detail(one, _words(line)) for one in why]
    vague = found and found[0].name in ("wrong-gradient", "not-linear-in-grad-output")
    if vague and bench.base.get("grad_output changed"):
        # Written numbers are numbers of the gradient, too, if it is what was written into.
        found = [Finding("modifies-grad-output"), *found]
    return _first(shapes, found)


def _first(shapes: list[Finding], found: list[Finding]) -> list[Finding]:
    """A shape that says which mistake it is comes before numbers that only differ."""
    vague = {"wrong-gradient", "wrong-shape", "missing-gradient"}
    if shapes and (not found or found[0].name in vague or shapes[0].name not in vague):
        return shapes
    return found


def _parts(line) -> dict[str, str]:
    return {key: getattr(line, key) for key in ("where", "yours", "expected", "note")}


def _words(line) -> str:
    if line.ok or not line.yours:
        return ""
    at = f"At {line.where} it" if line.where.startswith("[") else f"The {line.where or 'value'}"
    return f"{at} is {line.yours}, and should be {line.expected}."


def _grad(trial: dict[str, Any], place: int) -> Array | None:
    grad = read(trial["grads"][place]) if trial["grads"] else None
    if grad is None:
        # None stands for zeros.
        about = trial["inputs"][trial["wanted"][place]]
        return Array(np.zeros(about["shape"]), about["dtype"])
    return grad


def outputs_alone(bench: Bench) -> list[Finding]:
    """Find a gradient that is right only while all outputs are used."""
    if bench.expected is None or bench.expected.jacobians is None:
        return []
    sizes = [int(np.prod(g["shape"])) for g in bench.base["grad_outputs"]]
    starts = np.cumsum([0, *sizes])
    for run in bench.base.get("outputs alone") or []:
        number = run["output"]
        title = f"gradients when only output {number} is used"
        if run["raised"]:
            bench.note(title, False, note=f"{run['raised']['type']} was raised")
            return [see(bench, run["raised"])]
        rows = slice(starts[number], starts[number + 1])
        incoming = read(bench.base["grad_outputs"][number]).values.reshape(-1)
        for place, where in enumerate(bench.base["wanted"]):
            right = bench.expected.jacobians[place][rows].T @ incoming
            mine = read(run["grads"][place])
            found = np.zeros_like(right) if mine is None else mine.values.reshape(-1)
            if not close(found, right, bench.expected.relative, 1.0):
                bench.note(title, False)
                detail = f"It is so when only output {number} is used."
                return [Finding("wrong-gradient", bench.names[where], detail)]
    return []


def alone(bench: Bench) -> list[Finding]:
    """Find a gradient that is right only while the other inputs require one too."""
    if bench.expected is None:
        return []
    for place, run in enumerate(bench.base.get("alone") or []):
        name = bench.names[run["input"]]
        title = f"gradient of {name} when only {name} requires one"
        if run["raised"]:
            bench.note(title, False, note=f"{run['raised']['type']} was raised")
            return [wrong_count(run["raised"]) or see(bench, run["raised"])]
        right, mine = bench.expected.grads[place], read(run["grad"])
        nothing = np.zeros(right.shape)
        if mine is None or not mine.values.any():
            if not close(nothing, right.values, bench.expected.relative):
                bench.note(title, False, yours="None" if mine is None else "zeros")
                return [Finding("missing-gradient", name, f"Only {name} requires a gradient here.")]
        elif not close(mine.values, right.values, bench.expected.relative):
            bench.properties.append(difference(title, mine, right, bench.expected.relative))
            return [Finding("wrong-gradient", name, f"Only {name} requires a gradient here.")]
    return []
