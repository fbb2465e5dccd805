"""The steps of a log, read with care.

They may come from a process that ran somebody's code: what is read here is only ever shown.
"""

import ast
import re
from dataclasses import dataclass, fields
from typing import Any

ARRAYS = ("numpy", "__array__")
_MOST = 200
_SIZES = re.compile(r"[(,/] *(\d+)(?= *[,)]| *$)")  # an argument, or what is divided by


@dataclass(frozen=True)
class Step:
    """One operation that one line of the author's ran, as `LineLog` has it.

    Attributes:
        phase: the method that PyTorch called: forward, setup_context, backward or jvp.
        method: the innermost function of the author's, such as "Square.backward".
        file, line, code, operation: where it is, and what.
        caller, caller_line: the line of PyTorch's method that called it; caller is "" if it is
            this one.
        times: how often this place of the code has run by now.
        is_used: whether numbers of its results are in what the method returned.
        is_last: whether more ran behind it than the log holds.
        reads: what it read: name, size, dtype and first numbers of each.
        made: the same of its results.
        writes: what it wrote into: name, base (what else it is, in words) and role of each.
        roots: what the result depends on: "input 0", "incoming 0" and such.
        cast, ends, kept: dtypes; what ended a history; where on `ctx` it is kept without one.
        not_finite: the first number that is not finite.
    """

    phase: str
    method: str
    file: str
    line: int
    code: str
    caller: str
    caller_line: int
    times: int
    is_used: bool
    is_last: bool
    operation: str
    reads: list[dict[str, str]]
    made: list[dict[str, str]]
    writes: list[dict[str, str]]
    roots: list[str]
    cast: str
    ends: str
    kept: str
    not_finite: str

    @property
    def sizes(self) -> list[int]:
        """The whole numbers in the code where a size can be."""
        return [int(number[:9]) for number in _SIZES.findall(self.code)]

    @property
    def notes(self) -> tuple[str, ...]:
        """What else it does than to make a result, each in a few words."""
        ends = f"the history ends, by {self.ends}" if self.ends else ""
        kept = "kept for backward, without a history" if self.kept else ""
        cast = self.cast if " to " in self.cast else self.cast and f"makes {self.cast}"
        wrong = f"the first number that is not finite: {self.not_finite}" if self.not_finite else ""
        names = (f"`{w['name']}`" if w["name"] else w["base"] for w in self.writes if w["role"])
        writes = (f"changes {name or 'a tensor'} in place" for name in names)
        return tuple(filter(None, (*writes, cast, wrong, ends, kept)))

    @property
    def place(self) -> str:
        """Where it is, in words, and who called it there."""
        code = f"{_quoted(self.code)} on line" if self.code else "line"
        place = f"{code} {self.line} of {self.file or 'your code'}"
        by = f", called by {_quoted(self.caller)} on line {self.caller_line}"
        return place + (by if self.caller else "")


def results_of(code: str) -> list[str]:
    """Return the names that a statement gives its results; "" for one that it returns."""
    try:
        (statement,) = ast.parse(code).body
    except (SyntaxError, ValueError):  # cut, or the head of a block
        return [""]
    is_named = isinstance(statement, ast.Assign)
    made = statement.targets[0] if is_named else getattr(statement, "value", None)
    several = made.elts if isinstance(made, ast.Tuple) else [made]
    return [ast.unparse(one) if is_named else "" for one in several]


def _quoted(code: str) -> str:
    code = code.removeprefix("return ").replace("`", "'")
    return f"`{code}`"


def steps(lines: Any) -> list[Step]:
    """Read the steps of a log; what is no step is left out."""
    return [
        Step(**{field.name: _READ[field.type](one.get(field.name)) for field in fields(Step)})
        for one in _list(lines)
        if isinstance(one, dict)
    ]


def _list(value: Any) -> list[Any]:
    return value[:_MOST] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value[:_MOST] if isinstance(value, str) else ""


def _texts(value: Any) -> dict[str, str]:
    given = value if isinstance(value, dict) else {}
    names = ("name", "size", "dtype", "numbers", "base", "role")
    return {name: _text(given.get(name)) for name in names}


_READ = {
    str: _text,
    int: lambda value: value if type(value) is int else 0,
    bool: lambda value: value is True,
    list[str]: lambda value: [*map(_text, _list(value))],
    dict[str, str]: _texts,
    list[dict[str, str]]: lambda value: [*map(_texts, _list(value))],
}
