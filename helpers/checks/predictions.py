"""Judge a prediction: its form, which of its values are right, and why a wrong one is likely."""

import re
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from helpers.checks.task import listed
from helpers.checks.task_evidence import Form, PredictionEvidence, PredictionSlip
from helpers.checks.values import as_list, equal, shown
from whygrad.report import clean
from whygrad.verdict import Finding, Property, Verdict

WRONG, UNFINISHED = "wrong-prediction", "unfinished-prediction"
_MOST_REASONS = 3
_ROUNDING = 0.03  # so far a rounded number may be from the right one
_REWRITE = "Write it that way and run that cell, then run this one again."
_REREAD = (
    "Go through the code once more, line by line, and say what each line does. Then correct the "
    "words, run that cell and run this one again."
)
# What a text, or None, says about the number that is expected.
_DENIALS = {
    r"none": "This is None, and {out}. If nothing comes back, write the number that it counts as.",
    r"nan|-?inf": "This is {mine}, and {out}.",
    r".*(error|rais|exception|fail|crash|throw).*": "Nothing is raised here: {out}.",
}
_KINDS = {str: "a text", bool: "a truth value", int: "one number", float: "one number"}
_COMMA = " A comma makes two values: write a point in it."
_NEAR = 0.8  # of a misspelt word and the one that is meant
_NOT = {"no", "not", "never", "without"}  # next to the word of an answer they turn it round
_LARGE = 10**6  # from here on, whole numbers are shortened


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
        if form.entries and isinstance(one, list) and len(one) == len(right):
            triples = zip(form.entries, one, right, strict=True)
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
    for names, pairs in ((form.items, [(mine, due)]), (form.entries, wrong)):
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


def misfit(mine: Any, due: Any, form: Form, is_whole: bool = False) -> str:
    """Say what is written instead of a number, a text or a list; "" if the form fits.

    Args:
        mine, due: what was predicted, and what is right.
        form: what the task says of it.
        is_whole: whether this is the whole prediction, and not one of its values.
    """
    if isinstance(due, str):
        return _no_word(mine, form.words)
    is_list, is_shape = isinstance(due, list), form.shapes and not is_whole
    if not is_list:
        fits, what = _is_number(mine), "one number"
    elif is_shape:
        fits = isinstance(mine, list)
        what = "a shape: a list of whole numbers, in square brackets"
    else:
        fits = isinstance(mine, list) and len(mine) == len(due)
        what = f"{form.said if is_whole else f'a list of {len(due)}'}, in square brackets"
    if fits:
        return ""
    if isinstance(mine, str):
        what += ", each in quotes" if form.words else ", without quotes"
    names = form.items if is_whole else form.entries
    order = f": {listed(names)}" if names and is_list else ""
    comma = _COMMA if isinstance(mine, list) and not is_list else ""
    return f"This is {_kind(mine)}. Write {what}{order}.{comma}"


def denied(mine: Any, due: Any, form: Form) -> str:
    """Answer a text, or None, that says that no number comes out; "" for anything else."""
    if form.words:
        return ""
    text = str(mine).strip()
    out = "numbers come out" if isinstance(due, list) else "a number comes out"
    for pattern, said in _DENIALS.items():
        if re.fullmatch(pattern, text, re.IGNORECASE):
            return said.format(mine=text, out=out)
    return ""


def called(value: Any) -> str:
    """Write a predicted value for a report, also one that is no number, text or list."""
    if isinstance(value, list):
        return f"[{', '.join(map(called, value))}]"
    if isinstance(value, dict):
        return _kind(value)
    is_whole = _is_number(value) and abs(value) < _LARGE and value == int(value)
    return str(int(value)) if is_whole else shown(value)


def _no_word(mine: Any, words: list[str]) -> str:
    known = {word.lower(): word for word in words}
    text = mine.strip().lower() if isinstance(mine, str) else ""
    if isinstance(mine, str) and (text in known or not known):
        return ""
    if meant := _meant(text, [*known]):
        return f'Did you mean "{known[meant]}"?'
    possible = ", ".join(f'"{word}"' for word in words)
    return f"Write one of these words, in quotes: {possible}."


def _meant(text: str, known: list[str]) -> str:
    """Return the one answer that is misspelt here, cut short or put among other words; or ""."""
    mine, found = {*re.findall(r"\w+", text)}, get_close_matches(text, known, 1, _NEAR)
    for word in [] if found else known:
        theirs = {*re.findall(r"\w+", word)}
        if mine <= theirs or (mine > theirs and not mine & _NOT):
            found.append(word)
    return found[0] if len(found) == 1 else ""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _kind(value: Any) -> str:
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if not isinstance(value, dict):
        return _KINDS.get(type(value), "None")
    if "shape" in value:
        return shown(value)
    name = value.get("name")
    return clean(f"the function {name}" if name else f"a {value.get('type', 'dict')}")
