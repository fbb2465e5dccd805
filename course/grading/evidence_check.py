"""Make sure that evidence is what the grader's own check measures, before it is believed.

Evidence comes from a process that ran somebody's code. A forged piece could leave out what would
show a mistake, or be of other inputs. That its types and shapes fit, its reader sees to.
"""

from dataclasses import fields, is_dataclass
from typing import Any

from helpers.checks.task_evidence import Measured
from whygrad.codec import decoded
from whygrad.evidence import EvidenceError, Slot, Value

_LONGEST = 100  # characters of names that an answer may have made up
# Known before the answer has run.
_GIVEN = (
    *("kind", "order", "names", "incoming", "views", "demands"),
    *("untouched", "by_hand", "any_dtype"),
)
_FIXED = ("name", "law", "inputs", "given", "wanted", "grad_outputs")  # whatever the answer is
_ONLY_RIGHT = ("slips", "form", "intended")  # what the right answer's has alone
_OWN_WAY = ("ways", "hidden_outputs", "called")  # of how it was made: another right answer's differ


def read_usable(data: Any, expected: Measured) -> Measured:
    """Return the evidence that came out of the walls as JSON data.

    Raises:
        EvidenceError: it cannot be judged; the message says why.
    """
    if changed := isinstance(data, dict) and data.get("replaced"):
        names = ", ".join(map(str, changed)) if isinstance(changed, list) else "something"
        raise EvidenceError(
            f"while it was made, {names[:_LONGEST]} was another than before; a person has to look"
        )
    measured = decoded(type(expected), data)
    if any(getattr(measured, key, None) != getattr(expected, key, None) for key in _GIVEN):
        raise EvidenceError("it is of another task")
    due = {trial.name: (trial.law, trial.inputs) for trial in getattr(expected, "trials", ())}
    for trial in getattr(measured, "trials", ()):
        if due.get(trial.name) != (trial.law, trial.inputs):
            raise EvidenceError("it is of other inputs")
    return measured


def what_lacks(measured: Measured, expected: Measured) -> str:
    """Name a part that evidence judged right must have, and this has not; "" if all is there."""
    return _lacks(measured, expected, "")


def _lacks(mine: Any, due: Any, name: str) -> str:
    if due is None or isinstance(due, Value):
        return ""  # a gradient of zeros may be None
    if mine is None:
        return name
    if isinstance(due, list):
        if not any(isinstance(item, list | dict) or is_dataclass(item) for item in due):
            return ""
        if isinstance(due[0], Slot):  # one for each input of each Function at work
            return "" if mine else name
        if not isinstance(mine, list) or len(mine) != len(due):
            return name
        parts = [(name, *pair) for pair in zip(mine, due, strict=True)]
    elif isinstance(due, dict):
        parts = [(key, mine.get(key), one) for key, one in due.items()]
    elif is_dataclass(due):
        keys = (field.name for field in fields(due))
        parts = [(key, getattr(mine, key), getattr(due, key)) for key in keys]
    else:
        return ""
    for key, one, other in parts:
        if key in _FIXED and one != other:
            return key
        if key not in _ONLY_RIGHT + _OWN_WAY and (lack := _lacks(one, other, key)):
            return lack
    return ""
