"""The steps of a log, read with care.

They may come from a process that ran somebody's code: what is read here is only ever shown.
"""

from dataclasses import dataclass
from typing import Any

ARRAYS = ("numpy", "__array__")


@dataclass(frozen=True)
class Step:
    """One operation that one line of the author's ran, as `LineLog` has it, read with care.

    Attributes:
        phase: the method that PyTorch called: forward, setup_context, backward or jvp.
        method: the innermost function of the author's, such as "Square.backward".
        file, line, code, operation: where it is, and what.
        reads: what it read: name, size, dtype and first numbers of each.
        made: the same of its result, with what the statement assigns to as its name.
        writes: what it wrote into: name, base (of a view) and role of each.
        roots: what the result depends on: "input 0", "incoming 0" and such.
        literals: whole numbers in the code, where a size can be.
        cast, ends, kept: dtypes; what ended a history; where on `ctx` it is kept without one.
        not_finite: the first number that is not finite.
    """

    phase: str
    method: str
    file: str
    line: int
    code: str
    operation: str
    reads: tuple[dict[str, str], ...]
    made: dict[str, str]
    writes: tuple[dict[str, str], ...]
    roots: tuple[str, ...]
    literals: tuple[int, ...]
    cast: str
    ends: str
    kept: str
    not_finite: str

    @property
    def notes(self) -> tuple[str, ...]:
        """What else it does than to make a result, each in a few words."""
        ends = f"the history ends, by {self.ends}" if self.ends else ""
        kept = f"kept in `{self.kept}`, without a history" if self.kept else ""
        wrong = f"the first number that is not finite: {self.not_finite}" if self.not_finite else ""
        names = (write["name"] or write["base"] for write in self.writes if write["role"])
        writes = (f"changes `{name}` in place" for name in names)
        return tuple(filter(None, (*writes, self.cast, wrong, ends, kept)))

    @property
    def place(self) -> str:
        """Where it is, in words."""
        code = self.code.removeprefix("return ").replace("`", "'")
        return f"`{code}` on line {self.line} of {self.file or 'your code'}"


def steps(lines: Any) -> list[Step]:
    """Read the steps of a log; what is no step is left out."""
    return [_step(one) for one in _list(lines) if isinstance(one, dict)]


def _step(one: dict[str, Any]) -> Step:
    text = {key: _text(one.get(key)) for key in ("phase", "method", "file", "code", "operation")}
    line, literals = one.get("line"), [n for n in _list(one.get("literals")) if type(n) is int]
    return Step(
        **text,
        line=line if type(line) is int else 0,
        reads=tuple(map(_texts, _list(one.get("reads")))),
        made=_texts(one.get("made")) | {"name": ", ".join(map(_text, _list(one.get("targets"))))},
        writes=tuple(map(_texts, _list(one.get("writes")))),
        roots=tuple(map(_text, _list(one.get("roots")))),
        literals=tuple(literals),
        **{key: _text(one.get(key)) for key in ("cast", "ends", "kept")},
        not_finite=_text(one.get("not finite")),
    )


def _list(value: Any) -> list[Any]:
    return value[:200] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value[:200] if isinstance(value, str) else ""


def _texts(value: Any) -> dict[str, str]:
    given = value if isinstance(value, dict) else {}
    return {
        key: _text(given.get(key)) for key in ("name", "size", "dtype", "numbers", "base", "role")
    }
