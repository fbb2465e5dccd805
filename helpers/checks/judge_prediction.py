"""Judge a prediction: which of its values are right, and why a wrong one is likely; tells none."""

from dataclasses import replace
from typing import Any

from helpers.checks.prediction_form import called, is_impossible, listed, odd, odd_shape
from helpers.checks.prediction_order import in_another_order, places_changed, said_of_order
from helpers.checks.task_evidence import Form, PredictionEvidence, PredictionSlip
from helpers.checks.values import as_list, equal, shown
from whygrad.verdict import Finding, Property, Verdict

WRONG, UNFINISHED = "wrong-prediction", "unfinished-prediction"
_MOST_REASONS = 3
_REWRITE = "Write it in that form and run that cell, then run this one again."
_REORDER = "Write them in that order and run that cell, then run this one again."
_REREAD = (
    "Go through the code once more, line by line, and say what each line does. Then correct the "
    "words, run that cell and run this one again."
)
_NOTHING = "If you mean that nothing comes back there, write the number that it counts as."
_ROUNDING = 0.02  # so far a rounded number may be from the right one


def judge_prediction(measured: PredictionEvidence, expected: PredictionEvidence) -> Verdict:
    """Return the verdict on a prediction; it does not tell the right value.

    Args:
        measured: what `measure_value` made of it.
        expected: the same of the right one, with its form, and with wrong values that are
            explained.
    """
    mine, due = as_list(measured.value), as_list(expected.value)
    if not measured.given or _is_gap(mine):
        return Verdict((Property("prediction", None),), (Finding("not-started"),))
    if equal(mine, due):
        return Verdict((Property("prediction", True),))
    form = expected.form
    if trouble := odd(mine, due, form.words, form.items):
        line = Property("prediction", False, yours=called(mine))
        look = "" if is_impossible(mine, due) else _REWRITE
        return _wrong([line], trouble, f"The answer is to be {form.said}.", look)
    triples = _leaves(mine, due, form)
    lines = [_line(name, one, other, form) for name, one, other in triples]
    missing = listed(line.name for line in lines if line.ok is None)
    left = f"Not filled in: {missing}." if missing else ""
    if all(line.ok is not False for line in lines):
        return Verdict(tuple(lines), (Finding(UNFINISHED, "", left),))
    wrong = [line for line in lines if line.ok is False]
    said = [f"Wrong: {listed(line.name for line in wrong)}." if len(lines) > 1 else "", left]
    slips = expected.slips
    values = {name: (one, other) for name, one, other in triples}
    mistaken = {line.name: values[line.name][0] for line in wrong}
    told = wrong[:1] if form.carried else wrong
    bare = {line.name for line in told if _is_formal(*values[line.name], form)}
    # A misspelt word is explained beside it: here it would push out what teaches more.
    explained = [line for line in told if line.name not in bare] or told
    whys = {line.name: _reason(line, mistaken, slips) for line in explained}
    whole = _whole(mine, slips)
    order = "" if whole else _order(mine, due, form, whys)
    formal = all(_is_formal(*values[line.name], form) for line in wrong)
    look = _REORDER if order else _REWRITE if formal else _REREAD if form.words else ""
    if all(mine is None for mine in mistaken.values()) and not formal:
        look = _NOTHING
    if explained is told and not whole and not order and len(whys) <= _MOST_REASONS:
        # What is said below of their form is not said beside them, too.
        lines = [replace(line, note="") if line.name in bare else line for line in lines]
    why = whole or order or _together(whys, form.words) or _added(lines, mine, form)
    return _wrong(lines, " ".join(filter(None, said)), why, look)


def _wrong(lines: list[Property], detail: str, why: str = "", look: str = "") -> Verdict:
    return Verdict(tuple(lines), (Finding(WRONG, "", detail, why, look),))


def _is_gap(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(map(_is_gap, value))
    return isinstance(value, dict) and value.get("type") in ("ellipsis", "NotImplementedType")


def _leaves(mine: Any, due: Any, form: Form) -> list[tuple[str, Any, Any]]:
    """Return the values one by one: the name, the predicted one, the right one."""
    if not isinstance(due, list):
        return [("prediction", mine, due)]
    items = form.items or [f"[{place}]" for place in range(len(due))]
    found = []
    for name, one, other in zip(items, mine, due, strict=True):
        fits = isinstance(one, list) and isinstance(other, list) and len(one) == len(other)
        if fits and form.parts:
            names = [f"{name} ({part})" for part in form.parts]
            found += zip(names, one, other, strict=True)
        else:
            found.append((name, one, other))
    return found


def _line(name: str, mine: Any, due: Any, form: Form) -> Property:
    if _is_gap(mine):
        return Property(name, None, note="not filled in")
    if equal(mine, due):
        return Property(name, True)
    note = _odd(mine, due, form)
    if form.shapes and isinstance(due, list):
        is_row = isinstance(mine, list) and len(mine) == 1
        yours = f"[{called(mine[0])}]" if is_row else called(mine)
        return Property(name, False, yours=yours, note=note)
    if not note and in_another_order(mine, due):
        note = said_of_order([])
    if not note and isinstance(due, list):
        places = [
            f"[{p}]" for p, pair in enumerate(zip(mine, due, strict=True)) if not equal(*pair)
        ]
        note = f"Wrong at {listed(places)}." if len(places) < len(due) else ""
    if not note and _is_rounded(mine, due):
        note = "This is close, as a rounded number is. Give all its digits."
    return Property(name, False, yours=called(mine), note=note)


def _is_rounded(mine: Any, due: Any) -> bool:
    if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in (mine, due)):
        return False
    return due != int(due) and abs(mine - due) <= _ROUNDING * abs(due)


def _whole(mine: Any, slips: list[PredictionSlip]) -> str:
    return next((s.why for s in slips if not s.item and equal(mine, s.value)), "")


def _added(lines: list[Property], mine: list[Any], form: Form) -> str:
    """Say what the first wrong value adds to the right one before it, where values add up."""
    place = next(place for place, line in enumerate(lines) if line.ok is False)
    if not form.carried or not place or not lines[place - 1].ok:
        return ""
    if not isinstance(mine[place], int | float):
        return ""
    change = shown(mine[place] - mine[place - 1])
    return f"{lines[place].name}: {form.carried.format(change=change)}"


def _order(mine: Any, due: Any, form: Form, whys: dict[str, str]) -> str:
    """Say that the right numbers stand in other places, if that is likelier than single reasons."""
    if not isinstance(due, list):
        return ""
    if form.parts:
        said, count = places_changed(mine, due, form.parts)
        return said if count > 1 or not all(whys.values()) else ""
    said = said_of_order(form.items) if in_another_order(mine, due) else ""
    return said if not all(whys.values()) else ""


def _odd(mine: Any, due: Any, form: Form) -> str:
    is_shape = form.shapes and isinstance(due, list)
    return odd_shape(mine) if is_shape else odd(mine, due, form.words)


def _is_formal(mine: Any, due: Any, form: Form) -> bool:
    return bool(_odd(mine, due, form)) and not is_impossible(mine, due)


def _reason(line: Property, mistaken: dict[str, Any], slips: list[PredictionSlip]) -> str:
    """Explain a wrong value, if it is known; where several have it, by what is said of any."""
    mine = mistaken[line.name]
    value = "None" if mine is None else mine
    part = "… " + line.name[line.name.find("(") :]
    alike = [name for name, one in mistaken.items() if name.endswith(part[2:]) and equal(one, mine)]
    for item in (part, line.name) if len(alike) > 1 else (line.name, part):
        for slip in slips:
            if slip.item == item and equal(value, slip.value):
                return slip.why
    return line.note


def _together(whys: dict[str, str], words: list[str]) -> str:
    """Put reasons together; one may hold for several values, and words are listed once."""
    found: dict[str, list[str]] = {}
    for name, why in whys.items():
        if why:
            found.setdefault(why, []).append(name)
    told = [f"{listed(names)}: {why}" for why, names in found.items()]
    possible = ": " + ", ".join(f'"{word}"' for word in words)
    first = next((p for p, each in enumerate(told) if possible in each), 0)
    if words:
        told = [each.replace(possible, "") if p > first else each for p, each in enumerate(told)]
    shown, count = told[:_MOST_REASONS], len(told)
    if count > len(shown):
        shown.append(f"(These are {len(shown)} of {count} reasons; the others come after them.)")
    return " ".join(shown)
