"""Say what a prediction is in place of what is asked for: a text for a number, a set for a list."""

import ast
import re
from difflib import get_close_matches
from typing import Any

from helpers.checks.values import shown
from whygrad.report import clean

_RAISES = re.compile(r"error|rais|exception|fail|crash|throw", re.IGNORECASE)
_NO_NUMBER = ("nan", "inf", "-inf")
_LONGEST = 200  # characters of a text that is read as a value
_KINDS = {str: "a text", bool: "a truth value", int: "one number", float: "one number"}
_COMMA = "If you mean one number, write a point and not a comma in it: a comma makes two values."
_NEAR = 0.8  # of a misspelt word and the one that is meant
_NOT = {"no", "not", "never", "without"}  # beside the word of an answer they turn it round
_LARGE = 10**6  # from here on, whole numbers are shortened


def odd(mine: Any, due: Any, words: list[str], items: list[str] | None = None) -> str:
    """Say what is written instead of a number, a text or a list; "" if it is what is due.

    Args:
        mine, due: what was predicted, and what is right.
        words: the possible texts, where texts are asked for.
        items: what the values of a list are called.
    """
    if isinstance(due, list):
        return _odd_list(mine, len(due), items or [])
    if isinstance(due, str):
        return _odd_text(mine, words)
    return _odd_number(mine)


def odd_shape(mine: Any) -> str:
    """Say what is written instead of a shape; "" if it is a list of numbers, of any length."""
    if isinstance(mine, list):
        whole = all(isinstance(one, int | float) for one in mine)
        return "" if whole else "A shape is a list of whole numbers."
    return f"This is {_kind(mine)}. A shape is a list of whole numbers in square brackets."


def is_impossible(mine: Any, due: Any) -> bool:
    """Tell whether it says of a number that none comes out: that is no mistake of form."""
    if isinstance(due, str | list):
        return False
    return mine is None or (isinstance(mine, str) and _said_instead(mine) != "")


def called(value: Any) -> str:
    """Write a predicted value for a report, also one that is no number, text or list."""
    if isinstance(value, dict) and "type" in value:
        return _kind(value)
    is_whole = type(value) in (int, float) and abs(value) < _LARGE and value == int(value)
    return str(int(value)) if is_whole else shown(value)


def listed(names: Any) -> str:
    """Put names into a sentence.

    >>> listed(["x", "W", "b"])
    'x, W and b'
    """
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def _odd_list(mine: Any, count: int, items: list[str]) -> str:
    many = f"{count} are asked for" + (f": {listed(items)}." if items else ".")
    if isinstance(mine, list):
        has = f"{len(mine)} value" + ("" if len(mine) == 1 else "s")
        return "" if len(mine) == count else f"This has {has}, and {many}"
    if isinstance(mine, dict) and mine.get("type") in ("set", "frozenset"):
        return (
            "Curly brackets make a set, and a set has no order. Write a list, in square brackets."
        )
    said = f"This is {_kind(mine)}, where {many}"
    if isinstance(mine, str) and isinstance(_read(mine), list | tuple):
        return f"{said} Write a list, in square brackets and without quotes."
    if isinstance(mine, str) and mine.count(",") == count - 1:
        return f'{said} Write a list of {count} texts, each in quotes: ["…", "…"].'
    return said


def _odd_text(mine: Any, words: list[str]) -> str:
    known = [word.lower() for word in words]
    if isinstance(mine, str) and (mine.strip().lower() in known or not known):
        return ""
    name = str(mine.get("name", "")) if isinstance(mine, dict) else str(mine)
    if isinstance(mine, str) and (meant := _meant(name.lower(), known)):
        word = words[known.index(meant)]
        return f'{called(mine)} is none of the possible answers. Did you mean "{word}"?'
    possible = ", ".join(f'"{word}"' for word in words)
    if isinstance(mine, list):
        return f"This is {_kind(mine)}. Write one word, and no list: {possible}."
    if not isinstance(mine, str) and name.lower() in known:
        return f"This is {_kind(mine)} itself, and no text. Write the word in quotes."
    if mine is None:
        return f"This is None, and a text is due: {possible}."
    return f"{called(mine)} is none of the possible answers: {possible}."


def _meant(text: str, known: list[str]) -> str:
    """Return the one answer that is misspelt here, cut short or put among other words; or ""."""
    if near := get_close_matches(text, known, 1, _NEAR):
        return near[0]
    mine = {*re.findall(r"\w+", text)}
    within = [word for word in known if mine and mine <= {*re.findall(r"\w+", word)}]
    around = [word for word in known if mine > {*re.findall(r"\w+", word)} and not mine & _NOT]
    return within[0] if len(within) == 1 else around[0] if len(around) == 1 else ""


def _odd_number(mine: Any) -> str:
    if isinstance(mine, int | float) and not isinstance(mine, bool):
        return ""
    if mine is None:
        return "This is None, and a number comes out here."
    if not isinstance(mine, str):
        said = f"This is {_kind(mine)}, where a number is due."
        return f"{said} {_COMMA}" if _is_of_numbers(mine) else said
    if said := _said_instead(mine):
        return said
    quoted = isinstance(_read(mine), int | float)
    said = "This is a text, where a number is due."
    return f"{said} Write it without quotes." if quoted else said


def _is_of_numbers(mine: Any) -> bool:
    return isinstance(mine, list) and all(isinstance(one, int | float) for one in mine)


def _said_instead(mine: str) -> str:
    """Answer a text that says that no number comes out."""
    if mine.strip().lower() in _NO_NUMBER:
        return f"This is {mine.strip()}, and an ordinary number comes out here."
    if mine.strip().lower() == "none":
        return "This is None, and a number comes out here."
    return "Nothing is raised here: a number comes out." if _RAISES.search(mine) else ""


def _kind(value: Any) -> str:
    if type(value) in _KINDS:
        return _KINDS[type(value)]
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if value is None:
        return "None"
    if isinstance(value, dict) and "shape" in value:
        return "a tensor"
    if not isinstance(value, dict) or "type" not in value:
        return "a dict"
    if value["type"] in ("set", "frozenset"):
        return "a set"
    name = clean(value.get("name", ""))
    return f"the function {name}" if name else f"of type {value['type']}"


def _read(text: str) -> Any:
    """Return the value that a text would be without its quotes; None if it is none."""
    try:
        return ast.literal_eval(text.strip()) if len(text) <= _LONGEST else None
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
