"""Known mistakes, read from exNN.toml: an edit of a right answer, a wrong value, or a text.

No edit is in a release or in the sandbox, since it holds lines of the answer.
"""

import inspect
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.checks.judge_prediction import WRONG


@dataclass(frozen=True, kw_only=True)
class Slip:
    """A wrong answer that has a reason; it is told by one of `edit`, `value` and `seen`.

    Attributes:
        name: of the mistake.
        why: what is behind it, a sentence or two for the student; it does not tell the answer.
        look: what to do, if there is something better than the mistake's own advice.
        edit: an old text of the right answer, the new one, and so on in pairs.
        of: the names of what is edited in exNN.py, if that is more than the task's answer, or
            another right one; what is handed over comes first.
        value: a wrong prediction. A row of a prediction without one is a hint: it is said of every
            wrong value of its item that has no row.
        seen: part of the text that stands in place of the first wrong value, or of what was raised.
        item: the value that `value` or `seen` stands for, as the task calls it; in a prediction
            "… (second)" is that of any of its items, "" the whole.
    """

    name: str = WRONG
    why: str
    look: str = ""
    edit: Sequence[str] = ()
    of: str = ""
    value: Any = None
    seen: str = ""
    item: str = ""


def read_slips(file: Path, task_id: str) -> list[Slip]:
    """Return the known mistakes of a task; a row about several items is one for each of them.

    Raises:
        TypeError: a row has a key that a slip has not, or lacks one.
    """
    rows = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return [
        Slip(**{**row, "item": item})
        for row in rows.get(task_id, ())
        for item in _items(row.get("item", ""))
    ]


def edited(answers: Sequence[Any], slip: Slip) -> tuple:
    """Return right answers with the edits of a slip carried out in their source.

    Raises:
        ValueError: an old text stands nowhere in it, or more than once.
    """
    source = "\n\n".join(inspect.getsource(answer) for answer in answers)
    for old, new in zip(slip.edit[::2], slip.edit[1::2], strict=True):
        if source.count(old) != 1:
            raise ValueError(f"edit: {old!r} stands {source.count(old)} times in the right answer")
        source = source.replace(old, new)
    names = dict(vars(inspect.getmodule(answers[0])))
    # Named as code of ours, it is never quoted by a report.
    exec(compile(source, __file__, "exec"), names)
    return tuple(names[answer.__name__] for answer in answers)


def _items(item: str | list[str]) -> list[str]:
    return [item] if isinstance(item, str) else item
