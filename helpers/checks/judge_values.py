"""Judge what a plain function returns: numbers, texts, tensors, and lists of them."""

from typing import Any

import numpy as np

from whygrad.judge.arrays import Array, close, difference, read_array
from whygrad.judge.gradient_case import lengths
from whygrad.judge.inquiry import in_numbers, not_started, with_detail
from whygrad.raised import explained
from whygrad.report import clean
from whygrad.rounding import short
from whygrad.verdict import Finding, Property, Raised, Verdict

_LONGEST = 60  # characters of a value that is shown


def judge_values(measured: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Return the verdict on a function that returns tensors or numbers."""
    properties: list[Property] = []
    reference = {trial["name"]: trial for trial in expected["trials"]}
    first = measured["trials"][0]
    if not first["raised"] and not equal(first["values"], measured["later"]):
        detail = "The same call gave another value after other calls."
        line = Property("a second call gives the same", False)
        return Verdict((line,), (Finding("keeps-state", "", detail),))
    for place, trial in enumerate(measured["trials"]):
        right = reference.get(trial["name"])
        if right is None or right["raised"]:
            continue
        verdict = _judge_trial(measured, trial, right, place == 0)
        if place and not verdict.ok and equal(trial.get("values"), first["values"]):
            detail = "Other inputs gave the same value as the inputs before."
            verdict = Verdict(verdict.properties, (Finding("keeps-state", "", detail),))
        properties += verdict.properties
        if not verdict.ok:
            if slip := _slip(measured, expected):
                return Verdict(tuple(properties), (slip,))
            return Verdict(tuple(properties), verdict.findings, verdict.raised)
    return Verdict(tuple(properties))


def _judge_trial(measured: dict, trial: dict, right: dict, first: bool) -> Verdict:
    raised, law = trial["raised"], "" if first else trial["law"]
    if raised:
        line = Property("the call" if first else trial["name"], False, note=raised["type"])
        name = "not-started" if not_started(raised) else law or "raises"
        itself = name in ("raises", "not-started")
        detail = "" if itself else _said(raised)
        reason = Raised(**raised) if itself else None
        finding = Finding(name, "", detail)
        if name != "not-started":
            finding = explained(finding, Raised(**raised))
        return Verdict((line,), (finding,), reason)
    names = measured["names"]
    mine, due = _items(trial["values"], len(names)), _items(right["values"], len(names))
    if mine is None:
        count = len(trial["values"]) if isinstance(trial["values"], list) else 1
        detail = f"The function returned {count} values, and {len(names)} are due."
        if trial["values"] is None:
            detail = "The function returned None."
        gradients = any(name.startswith("grad") for name in names)
        name = "wrong-gradient-count" if gradients else "wrong-forward"
        return Verdict((Property("the call", False, note=detail),), (Finding(name, "", detail),))
    properties, findings = [], []
    for name, one, other in zip(names, mine, due, strict=True):
        line = _compare(name if first else f"{name}, {trial['name']}", one, other)
        properties.append(line)
        if not line.ok and not findings:
            sizes = _sizes(trial["inputs"])
            found = _explain(name, one, other, dict(zip(names, due, strict=True)), sizes)
            vague = found[0].name in ("wrong-gradient", "wrong-forward", "wrong-shape")
            findings = [*found, Finding(law)] if law and vague else found
            findings = [with_detail(finding, in_numbers(line)) for finding in findings]
    if not findings:
        findings, more = _side_effects(measured, trial, first)
        properties += more
    return Verdict(tuple(properties), tuple(findings))


def _said(raised: dict) -> str:
    words = f"It raised {raised['type']}: {raised['message']}"
    return f"{words.rstrip('.')}, in the line `{raised['line']}`." if raised["line"] else words


def _slip(measured: dict, expected: dict) -> Finding | None:
    """Find a known slip that gives what this function gives, on all inputs."""
    mine = [trial.get("values") for trial in measured["trials"]]
    for slip in expected.get("slips", []):
        if equal(mine, [trial.get("values") for trial in slip["trials"]]):
            return Finding(slip["name"], why=slip["why"], look=slip["look"])
    return None


def _side_effects(measured: dict, trial: dict, first: bool) -> tuple[list[Finding], list[Property]]:
    untouched = measured.get("untouched") or []
    changed = [untouched[p] for p in trial["changed"] if p < len(untouched) and untouched[p]]
    lines = [Property("the inputs are left alone", not changed)] if untouched and first else []
    if changed:
        return [Finding("modifies-input", " and ".join(changed))], lines
    if not equal(trial["again"], trial["values"]):
        line = Property("a second call gives the same", False)
        return [Finding("keeps-state", "", "A second call gave another value.")], [*lines, line]
    return [], lines


def _sizes(inputs: list[Any]) -> set[int]:
    shapes = [about["shape"] for about in inputs if "shape" in about]
    return set(lengths(shapes).values()) - {0, 1}


def _items(values: Any, count: int) -> list[Any] | None:
    if count == 1 and not (isinstance(values, list) and len(values) == 1):
        return [values]
    return values if isinstance(values, list) and len(values) == count else None


def _compare(name: str, mine: Any, due: Any) -> Property:
    yours, right = as_array(mine), as_array(due)
    if right is None or yours is None:
        ok = equal(mine, due)
        return Property(
            name, ok, yours="" if ok else shown(mine), expected="" if ok else shown(due)
        )
    line = difference(name, yours, right, 1e-3 if "float32" in (yours.dtype, right.dtype) else 1e-5)
    if line.ok and yours.dtype != right.dtype and "float32" in (yours.dtype, right.dtype):
        return Property(name, False, "dtype", yours.dtype, right.dtype)
    return line


def _explain(
    name: str, mine: Any, due: Any, all_due: dict[str, Any], sizes: set[int]
) -> list[Finding]:
    yours, right = as_array(mine), as_array(due)
    gradient = name.startswith("grad")
    if not gradient or right is None:
        return [Finding("wrong-gradient" if gradient else "wrong-forward", name)]
    about = name.removeprefix("grad_")
    if _compare(name, mine, due).where == "dtype":
        return [Finding("wrong-dtype", name)]
    if yours is None or (not yours.values.any() and right.values.any()):
        return [Finding("missing-gradient", about)]
    for other, value in all_due.items():
        array = as_array(value)
        if other != name and array is not None and close(yours.values, array.values, 1e-5):
            return [Finding("swapped-gradients", f"{about} and {other.removeprefix('grad_')}")]
    if yours.values.ndim == 2 and close(yours.values.T, right.values, 1e-5):
        return [Finding("transposed", about)]
    if yours.shape != right.shape:
        for axis in range(yours.values.ndim):
            for summed in (yours.values.sum(axis=axis), yours.values.mean(axis=axis)):
                larger = yours.values.size > right.values.size
                if larger and close(np.squeeze(summed), np.squeeze(right.values), 1e-5):
                    return [Finding("not-summed", about)]
        return [Finding("wrong-shape", about)]
    found = _multiple(about, yours.values, right.values, sizes)
    return found or [Finding("wrong-gradient", about)]


def _multiple(about: str, yours: np.ndarray, right: np.ndarray, sizes: set[int]) -> list[Finding]:
    norm = float((right * right).sum())
    factor = float((yours * right).sum()) / norm if norm else 0.0
    if abs(factor) < 1e-6 or not close(yours, factor * right, 1e-5):
        return []
    if abs(factor + 1) < 1e-4:
        return [Finding("wrong-sign", about)]
    sizes = sizes | {*yours.shape, yours.size} - {1}
    ratio = [n for n in sizes if min(abs(abs(factor) * n - 1), abs(abs(factor) / n - 1)) < 1e-4]
    detail = f"It is {short(factor)} times the right one."
    wrong_factor = Finding("wrong-factor", about, detail)
    mean = Finding("sum-or-mean", about, detail)
    if 2 in ratio:
        return [wrong_factor, mean]  # a 2 is mostly one of the formula
    return [mean] if ratio else [wrong_factor]


def as_array(value: Any) -> Array | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return Array(np.array(float(value)), "float64")
    if isinstance(value, list) and value:
        try:
            return Array(np.array(value, dtype=np.float64), "float64")
        except (TypeError, ValueError):
            return None
    return read_array(value)


def shown(value: Any) -> str:
    array = as_array(value)
    if array is not None and array.values.size == 1:
        return short(float(array.values.reshape(-1)[0]))
    if isinstance(value, list):
        return clean(f"[{', '.join(map(shown, value))}]", _LONGEST)
    return clean(repr(value), _LONGEST)


def as_list(value: Any) -> Any:
    """A tensor as nested lists, so that a list and a tensor compare."""
    array = read_array(value)
    return value if array is None else array.values.tolist()


def equal(one: Any, other: Any) -> bool:
    one, other = as_list(one), as_list(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in other)
    if isinstance(other, str):
        return isinstance(one, str) and one.strip().lower() == other.strip().lower()
    if isinstance(one, int | float) and isinstance(other, int | float):
        if isinstance(other, bool) or isinstance(one, bool):
            return bool(one) == bool(other) and one in (0, 1)
        return abs(one - other) <= 1e-3 * max(abs(other), 1e-3)
    return one == other
