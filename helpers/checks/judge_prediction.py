"""Judge a prediction: which of its values are right, and why a wrong one is likely; tells none."""

from typing import Any

from helpers.checks.values import as_list, equal, shown
from whygrad.verdict import Finding, Property, Verdict

WRONG, UNFINISHED = "wrong-prediction", "unfinished-prediction"
_FORM: dict[str, Any] = {"said": "a value", "items": [], "parts": [], "words": [], "carried": ""}
_MOST_REASONS = 3
_NO_NUMBERS = ("nan", "inf", "-inf")  # so a number is written that is not finite
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
    if all(line.ok is not False for line in lines):
        return Verdict(tuple(lines), (_unfinished(left, triples),))
    wrong = [line for line in lines if line.ok is False]
    said = [f"Wrong: {_named(line.name for line in wrong)}." if len(lines) > 1 else "", left]
    slips = expected.get("slips", [])
    told = wrong[:1] if form["carried"] else wrong
    why = _whole(mine, slips) or _reversed(mine, due)
    why = why or _reasons(told, dict(t[:2] for t in triples), slips) or _added(lines, mine, form)
    return _wrong(lines, " ".join(filter(None, said)), why)


def _wrong(lines: list[Property], detail: str, why: str = "") -> Verdict:
    return Verdict(tuple(lines), (Finding(WRONG, "", detail, why),))


def _unfinished(left: str, triples: list[tuple[str, Any, Any]]) -> Finding:
    """Say what is not filled in; None may be meant, where a number is due."""
    if any(mine is None and isinstance(due, int | float) for _, mine, due in triples):
        look = "If you mean that nothing comes back there, write the number that it counts as."
        return Finding(UNFINISHED, "", left, "`None` counts as not filled in.", look)
    return Finding(UNFINISHED, "", left)


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
        named = f": {_named(items)}." if items else "."
        if not isinstance(mine, list):
            return f"This is {_kind(mine)}, where {len(due)} values are asked for{named}"
        many = f"{len(mine)} value" + ("" if len(mine) == 1 else "s")
        asked = f"{len(due)} are asked for{named}"
        return "" if len(mine) == len(due) else f"This has {many}, and {asked}"
    if isinstance(due, str):
        known = [word.lower() for word in words]
        if isinstance(mine, str) and (mine.strip().lower() in known or not known):
            return ""
        listed = ", ".join(f'"{word}"' for word in words)
        return f"{shown(mine)} is none of the possible answers: {listed}."
    if isinstance(mine, int | float) and not isinstance(mine, bool):
        return ""
    if mine in _NO_NUMBERS:
        return f"This is {mine}, where a number that can be worked out is due."
    hint = " Write it without quotes." if isinstance(mine, str) else ""
    return f"This is {_kind(mine)}, where a number is due.{hint}"


def _kind(value: Any) -> str:
    kinds = {str: "a text", bool: "a truth value", int: "one number", float: "one number"}
    if type(value) in kinds:
        return kinds[type(value)]
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict) and value.get("type") in ("set", "frozenset"):
        return "a set, which keeps no order"
    return f"of type {value['type']}" if isinstance(value, dict) and "type" in value else "a dict"


def _is_rounded(mine: Any, due: Any) -> bool:
    if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in (mine, due)):
        return False
    return due != int(due) and abs(mine - due) <= _ROUNDING * abs(due)


def _whole(mine: Any, slips: list[dict[str, Any]]) -> str:
    return next((s["why"] for s in slips if not s["item"] and equal(mine, s["value"])), "")


def _reversed(mine: Any, due: Any) -> str:
    some = isinstance(due, list) and len({*map(repr, due)}) == len(due) > 1
    return "These are the right values, in the reverse order." if some and mine == due[::-1] else ""


def _added(lines: list[Property], mine: list[Any], form: dict[str, Any]) -> str:
    """Say what the first wrong value adds to the right one before it, where values add up."""
    place = next(place for place, line in enumerate(lines) if line.ok is False)
    if not form["carried"] or not place or not lines[place - 1].ok:
        return ""
    change = shown(mine[place] - mine[place - 1])
    return f"{lines[place].name}: {form['carried'].format(change=change)}"


def _reasons(wrong: list[Property], values: dict[str, Any], slips: list[dict[str, Any]]) -> str:
    """Explain the wrong values that are known; one reason may hold for several."""
    found: dict[str, list[str]] = {}
    for line in wrong:
        called = (line.name, "… " + line.name[line.name.find("(") :])
        fitting = (s for s in slips if s["item"] in called)
        whys = [s["why"] for s in fitting if equal(values[line.name], s["value"])]
        if why := next(iter(whys), line.note):
            found.setdefault(why, []).append(line.name)
    told = [f"{_named(names)}: {why}" for why, names in found.items()]
    return " ".join(told[:_MOST_REASONS])


def _named(names: Any) -> str:
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last
