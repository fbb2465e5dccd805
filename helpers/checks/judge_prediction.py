"""Judge a prediction: which of its values are right, and why a wrong one is likely; tells none."""

from dataclasses import replace
from typing import Any

from helpers.checks.values import as_list, equal, shown
from whygrad.verdict import Finding, Property, Verdict

WRONG, UNFINISHED = "wrong-prediction", "unfinished-prediction"
_FORM: dict[str, Any] = {"said": "a value", "items": [], "parts": [], "words": []}
_MOST_REASONS = 3
_ROUNDING = 0.02  # so far a rounded number may be from the right one


def judge_prediction(measured: dict[str, Any], expected: dict[str, Any]) -> Verdict:
    """Return the verdict on a prediction; it does not tell the right value.

    Args:
        measured: what `measure_value` made of it.
        expected: the same of the right one; with "form", what a `PredictionTask` says of it, and
            with "slips", wrong values that are explained.
    """
    mine, due = as_list(measured["value"]), as_list(expected["value"])
    if not measured["given"] or _is_gap(mine):
        return Verdict((Property("prediction", None),), (Finding("not-started"),))
    if equal(mine, due):
        return Verdict((Property("prediction", True),))
    form = {**_FORM, **expected.get("form", {})}
    if odd := _odd(mine, due, form["words"], form["items"]):
        line = Property("prediction", False, yours=shown(mine))
        return _wrong([line], odd, f"The answer is to be {form['said']}.")
    triples = _leaves(mine, due, form)
    lines = [_line(name, one, other, form["words"]) for name, one, other in triples]
    missing = _named(line.name for line in lines if line.ok is None)
    left = f"Not filled in: {missing}." if missing else ""
    slips, values = expected.get("slips", []), dict(triple[:2] for triple in triples)
    if all(line.ok is not False for line in lines):
        gaps = [replace(line, note="") for line in lines if line.ok is None]
        why = _reasons(gaps, values, slips)
        return Verdict(tuple(lines), (Finding(UNFINISHED, "", left, why),))
    wrong = [line for line in lines if line.ok is False]
    said = [f"Wrong: {_named(line.name for line in wrong)}." if len(lines) > 1 else "", left]
    why = _whole(mine, slips) or _exchanged(mine, due, form) or _reasons(wrong, values, slips)
    look = ""
    dues = {name: right for name, _, right in triples}
    if all(_odd(values[line.name], dues[line.name], form["words"]) for line in wrong):
        look = f"The answer is to be {form['said']}. Bring it into this form, and check it again."
    return _wrong(lines, " ".join(filter(None, said)), why, look)


def _wrong(lines: list[Property], detail: str, why: str = "", look: str = "") -> Verdict:
    return Verdict(tuple(lines), (Finding(WRONG, "", detail, why, look),))


def _is_gap(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(map(_is_gap, value))
    return value is None or (
        isinstance(value, dict) and value.get("type") in ("ellipsis", "NotImplementedType")
    )


def _leaves(mine: Any, due: Any, form: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """Return the values one by one: the name, the predicted one, the right one."""
    if not isinstance(due, list):
        return [("prediction", mine, due)]
    items = form["items"] or [f"[{place}]" for place in range(len(due))]
    found = []
    for name, one, other in zip(items, mine, due, strict=True):
        fits = isinstance(one, list) and isinstance(other, list) and len(one) == len(other)
        if fits and form["parts"]:
            names = [f"{name} ({part})" for part in form["parts"]]
            found += zip(names, one, other, strict=True)
        else:
            found.append((name, one, other))
    return found


def _line(name: str, mine: Any, due: Any, words: list[str]) -> Property:
    if _is_gap(mine):
        return Property(name, None, note="not filled in")
    if equal(mine, due):
        return Property(name, True)
    note = _odd(mine, due, words)
    if not note and isinstance(due, list):
        places = [
            f"[{p}]" for p, pair in enumerate(zip(mine, due, strict=True)) if not equal(*pair)
        ]
        note = f"Wrong at {_named(places)}." if len(places) < len(due) else ""
    if not note and _is_rounded(mine, due):
        note = "This is close, as a rounded number is. Give all its digits."
    return Property(name, False, yours=shown(mine), note=note)


def _odd(mine: Any, due: Any, words: list[str], items: list[str] | None = None) -> str:
    """Say what a value is instead of a number, a text or a list; "" if it is what is due."""
    if isinstance(due, list):
        count = f"{len(due)} are asked for" + (f": {_named(items)}." if items else ".")
        if not isinstance(mine, list):
            return f"This is {_kind(mine)}, where {count}"
        many = f"{len(mine)} value" + ("" if len(mine) == 1 else "s")
        return "" if len(mine) == len(due) else f"This has {many}, and {count}"
    if isinstance(due, str):
        known = [word.lower() for word in words]
        if isinstance(mine, str) and (mine.strip().lower() in known or not known):
            return ""
        listed = ", ".join(f'"{word}"' for word in words)
        return f"{shown(mine)} is none of the possible answers: {listed}."
    if isinstance(mine, int | float) and not isinstance(mine, bool):
        return ""
    hint = " Write it without quotes." if isinstance(mine, str) else ""
    return f"This is {_kind(mine)}, where a number is due.{hint}"


def _kind(value: Any) -> str:
    kinds = {str: "a text", bool: "a truth value", int: "one number", float: "one number"}
    if type(value) in kinds:
        return kinds[type(value)]
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return f"of type {value['type']}" if isinstance(value, dict) and "type" in value else "a dict"


def _is_rounded(mine: Any, due: Any) -> bool:
    if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in (mine, due)):
        return False
    return due != int(due) and abs(mine - due) <= _ROUNDING * abs(due)


def _whole(mine: Any, slips: list[dict[str, Any]]) -> str:
    return next((s["why"] for s in slips if not s["item"] and equal(mine, s["value"])), "")


def _exchanged(mine: Any, due: Any, form: dict[str, Any]) -> str:
    """Say which lists hold the right values in the opposite order."""
    if not form["parts"] or not form["items"]:
        return ""
    triples = zip(form["items"], mine, due, strict=True)
    found = [n for n, one, right in triples if not equal(one, right) and equal(one, right[::-1])]
    order = f"[{', '.join(form['parts'])}]"
    return f"{_named(found)}: the right numbers, exchanged. The order is {order}." if found else ""


def _reasons(wrong: list[Property], values: dict[str, Any], slips: list[dict[str, Any]]) -> str:
    """Explain the wrong values that are known; one reason may hold for several."""
    found: dict[str, list[str]] = {}
    for line in wrong:
        called = (line.name, "… " + line.name[line.name.find("(") :])
        fitting = (s for s in slips if s["item"] in called)
        whys = [s["why"] for s in fitting if _is_slip(values[line.name], s["value"])]
        if why := next(iter(whys), line.note):
            found.setdefault(why, []).append(line.name)
    told = [f"{_named(names)}: {why}" for why, names in found.items()]
    return " ".join(told[:_MOST_REASONS])


def _is_slip(mine: Any, value: Any) -> bool:
    """Tell whether a value is that of a slip; "no number" is None, or a text without digits."""
    if value == "no number":
        return mine is None or (isinstance(mine, str) and not any(map(str.isdigit, mine)))
    return equal(mine, value)


def _named(names: Any) -> str:
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last
