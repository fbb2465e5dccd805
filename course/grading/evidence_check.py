"""Make sure that evidence is what the grader's own check measures, before it is believed.

Evidence comes from a process that ran somebody's code. A forged piece could leave out what would
show a mistake, or be made to break the judge.
"""

import math
from collections import deque
from collections.abc import Iterator
from typing import Any

_LARGEST = 1_000_000  # numbers in one tensor
_MOST_DIMENSIONS = 20
_LONGEST = 100  # characters of names that an answer may have made up
# Known before the answer has run.
_GIVEN = (
    "kind",
    "order",
    "names",
    "incoming",
    "views",
    "demands",
    "untouched",
    "by hand",
    "any dtype",
)
_FIXED = ("name", "law", "inputs", "given", "wanted", "grad_outputs")  # whatever the answer is
_ONLY_RIGHT = ("slips", "form", "intended")  # what the right answer's has alone
_OWN_WAY = ("ways", "hidden outputs", "called")  # of how it was made: another right answer's differ
_ANY_LENGTH = ("returned",)  # one for each input of each Function at work


def why_unusable(measured: Any, expected: dict[str, Any]) -> str:
    """Say why what came out of the walls cannot be judged, or return an empty string."""
    if not isinstance(measured, dict):
        return "it is no evidence"
    if changed := measured.get("replaced"):
        names = ", ".join(map(str, changed)) if isinstance(changed, list) else "something"
        return (
            f"while it was made, {names[:_LONGEST]} was another than before; a person has to look"
        )
    if any(measured.get(key) != expected.get(key) for key in _GIVEN):
        return "it is of another task"
    # A tensor that has no history has None for a shape.
    if not all(_is_sane(one.get("shape") or []) for one in dicts(measured)):
        return "its numbers have no shape"
    due = {trial["name"]: trial for trial in expected.get("trials", [])}
    for trial in measured.get("trials", []):
        right = due.get(trial.get("name")) if isinstance(trial, dict) else None
        if right is None or any(trial.get(k) != right[k] for k in ("law", "inputs")):
            return "it is of other inputs"
    return ""


def what_lacks(measured: dict[str, Any], expected: dict[str, Any]) -> str:
    """Name a part that evidence judged right must have, and this has not; "" if all is there."""
    return _lacks(measured, expected, "")


def _lacks(mine: Any, due: Any, name: str) -> str:
    if isinstance(due, dict) and "data" not in due:
        if not isinstance(mine, dict):
            return name
        for key, value in due.items():
            if key in _ONLY_RIGHT + _OWN_WAY:
                continue
            if key not in mine or (key in _FIXED and mine[key] != value):
                return key
            if lack := _lacks(mine[key], value, key):
                return lack
    if name in _ANY_LENGTH and due:
        return "" if isinstance(mine, list) and mine else name
    if isinstance(due, list) and any(isinstance(item, dict | list) for item in due):
        if not isinstance(mine, list) or len(mine) != len(due):
            return name
        for one, other in zip(mine, due, strict=True):
            if lack := _lacks(one, other, name):
                return lack
    return ""


def dicts(value: Any) -> Iterator[dict[str, Any]]:
    """Yield each dictionary in data that came as JSON, those on the outside first."""
    level = deque([value])
    while level:
        item = level.popleft()
        if isinstance(item, dict):
            yield item
            level.extend(item.values())
        elif isinstance(item, list):
            level.extend(item)


def _is_sane(shape: Any) -> bool:
    if not isinstance(shape, list) or len(shape) > _MOST_DIMENSIONS:
        return False
    are_sizes = all(type(n) is int and 0 <= n <= _LARGEST for n in shape)
    return are_sizes and math.prod(shape) <= _LARGEST
