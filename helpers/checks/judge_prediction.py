"""Judge a prediction: which of its values are right, and why a wrong one is likely; tells none."""

from dataclasses import dataclass
from typing import Any

from helpers.checks.prediction_form import called, denied, listed, misfit
from helpers.checks.task_evidence import Form, PredictionEvidence, PredictionSlip
from helpers.checks.values import as_list, equal
from whygrad.verdict import Finding, Property, Verdict

WRONG, UNFINISHED = "wrong-prediction", "unfinished-prediction"
_MOST_REASONS = 3
_ROUNDING = 0.03  # so far a rounded number may be from the right one
_REWRITE = "Write it that way and run that cell, then run this one again."
_REREAD = (
    "Go through the code once more, line by line, and say what each line does. Then correct the "
    "words, run that cell and run this one again."
)


@dataclass(frozen=True)
class _Value:
    """One value of a prediction; `part` is what it is called in its list, "" outside a list."""

    name: str
    part: str
    mine: Any
    due: Any

    @property
    def ok(self) -> bool | None:
        return None if _is_gap(self.mine) else equal(self.mine, self.due)


def judge_prediction(measured: PredictionEvidence, expected: PredictionEvidence) -> Verdict:
    """Return the verdict on a prediction; it does not tell the right value.

    Args:
        measured: what `measure_value` made of it.
        expected: the same of the right one, with its form, and with the wrong values and the
            hints that are known.
    """
    mine, due, form = as_list(measured.value), as_list(expected.value), expected.form
    if not measured.given or _is_gap(mine):
        return Verdict((Property("prediction", None),), (Finding("not-started"),))
    if equal(mine, due):
        return Verdict((Property("prediction", True),))
    if trouble := misfit(mine, due, form, is_whole=True):
        found = Finding(WRONG, why=trouble, look=_REWRITE)
        return Verdict((Property("prediction", False, yours=called(mine)),), (found,))
    values = _values(mine, due, form)
    wrong = [value for value in values if value.ok is False]
    missing = listed(value.name for value in values if value.ok is None)
    detail = f"Not filled in: {missing}." if missing else ""
    finding = Finding(UNFINISHED, "", detail)
    if wrong:
        said = f"Wrong: {listed(value.name for value in wrong)}. {detail}".strip()
        finding = Finding(WRONG, "", said, *_why(mine, due, values, expected))
    return Verdict(tuple(map(_line, values)), (finding,))


def _is_gap(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(map(_is_gap, value))
    return isinstance(value, dict) and value.get("type") in ("ellipsis", "NotImplementedType")


def _values(mine: Any, due: Any, form: Form) -> list[_Value]:
    if not form.items:
        return [_Value("prediction", "", mine, due)]
    found = []
    for name, one, right in zip(form.items, mine, due, strict=True):
        if form.parts and isinstance(one, list) and len(one) == len(right):
            triples = zip(form.parts, one, right, strict=True)
            found += [_Value(f"{name} ({part})", part, *pair) for part, *pair in triples]
        else:
            number = one if isinstance(right, list) else as_list(one)
            found.append(_Value(name, "", number, right))
    return found


def _line(value: _Value) -> Property:
    yours = called(value.mine) if value.ok is False else ""
    note = "not filled in" if value.ok is None else ""
    return Property(value.name, value.ok, yours=yours, note=note)


def _why(
    mine: Any, due: Any, values: list[_Value], expected: PredictionEvidence
) -> tuple[str, str]:
    """Return the reason of all that is wrong, or those of single values, and what to do."""
    form = expected.form
    for slip in expected.slips:
        if not slip.item and equal(mine, slip.value):
            return slip.why, ""
    wrong = [pair for pair in zip(mine, due, strict=True) if not equal(*pair)] if form.items else []
    for names, pairs in ((form.items, [(mine, due)]), (form.parts, wrong)):
        if names and all(_is_moved(*pair) for pair in pairs):
            why = "These are the right values in the wrong order. The order is"
            return f"{why}: {', '.join(names)}.", _REWRITE
    told = [value for value in values if value.ok is False]
    hints = {slip.item: slip.why for slip in expected.slips if slip.value is None}
    taught, formal = {}, {}
    for value in told[:1] if form.carried else told:
        hint = hints.get(value.name, "")
        if denial := denied(value.mine, value.due, form):
            taught[value.name] = f"{denial} {hint}".strip()
        elif trouble := misfit(value.mine, value.due, form):
            formal[value.name] = trouble
        elif said := _slip(value, values, expected.slips) or _seen(value, hint):
            taught[value.name] = said
    why = _together(taught | formal) or _unknown(told[0], values, form)
    return why, _REWRITE if formal and not taught else _REREAD if form.words else ""


def _is_moved(mine: Any, due: Any) -> bool:
    """Return whether a list has the values of the right one, all different, in another order."""
    if not isinstance(mine, list) or isinstance(due[0], str):
        return False
    found = [[place for place, right in enumerate(due) if equal(one, right)] for one in mine]
    return sorted(found) == [[place] for place in range(len(due))]


def _slip(value: _Value, values: list[_Value], slips: list[PredictionSlip]) -> str:
    """Return the reason that is known for a wrong value, if no other value contradicts it.

    A reason for a part of any list is contradicted by a list in which that part is right: neither
    0, which most mistakes leave as it is, nor this number. A reason for a part of one list is
    contradicted by another list with the same wrong number there, which is not explained.
    """
    whys = {slip.item: slip.why for slip in slips if equal(slip.value, value.mine)}
    part = [one for one in values if one.part and one.part == value.part]
    alike = [one.name for one in part if not one.ok and equal(one.mine, value.mine)]
    is_known = any(one.ok and one.due and not equal(one.due, value.mine) for one in part)
    of_any = "" if is_known else whys.get(f"… ({value.part})", "")
    of_one = whys.get(value.name, "") if all(name in whys for name in alike) else ""
    return of_any or of_one if len(alike) > 1 else of_one or of_any


def _seen(value: _Value, hint: str) -> str:
    """Return what a wrong value shows by itself, such as its sign, and the hint for its item."""
    mine, due = value.mine, value.due
    if isinstance(due, str):
        return hint
    if isinstance(due, list):
        right = [p for p, pair in enumerate(zip(mine, due, strict=False)) if equal(*pair)]
        return hint or (f"Right at the places {right}." if right else "")
    if due != int(due) and abs(mine - due) <= _ROUNDING * abs(due):
        return "This is close, as a rounded number is. Give all its digits."
    return f"The size is right, and the sign is not. {hint}".strip() if equal(mine, -due) else hint


def _unknown(value: _Value, values: list[_Value], form: Form) -> str:
    """Say what is known of a value that nothing explains: what it adds, or what is right."""
    place = values.index(value)
    if form.carried and place and values[place - 1].ok:
        change = called(value.mine - values[place - 1].mine)
        return f"{value.name}: {form.carried.format(change=change)}"
    right = listed(one.name for one in values if one.ok and one.part == value.part)
    known = f" Right so far: {right}." if right else ""
    return f"No mistake that is known here leads to this.{known}"


def _together(reasons: dict[str, str]) -> str:
    """Put reasons together; one may hold for several values."""
    found: dict[str, list[str]] = {}
    for name, why in reasons.items():
        found.setdefault(why, []).append(name)
    told = [f"{listed(names)}: {why}" for why, names in found.items()]
    more = f" (These are {_MOST_REASONS} of {len(told)} reasons; the others come after them.)"
    return " ".join(told[:_MOST_REASONS]) + (more if len(told) > _MOST_REASONS else "")
