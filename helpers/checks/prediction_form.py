"""Say what a prediction is if it has not the form that is asked for: a text for a number, a set."""

import re
from difflib import get_close_matches
from typing import Any

from helpers.checks.task_evidence import Form
from helpers.checks.values import shown
from whygrad.report import clean

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
    names = form.items if is_whole else form.parts
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


def listed(names: Any) -> str:
    """Put names into a sentence.

    >>> listed(["x", "W", "b"])
    'x, W and b'
    """
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last


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
