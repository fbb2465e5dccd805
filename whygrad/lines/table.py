"""A Function line by line: what each line read and made, and the gradient that is expected."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from whygrad.lines.step import Seen, Step
from whygrad.rounding import short

_FEW, _MOST_ROWS = 3, 40


@dataclass(frozen=True)
class Row:
    """One line of the author's code.

    Attributes:
        line, code: its number, and its statement.
        reads: the tensors that it reads, each in words.
        makes: the last tensor that it makes, in words, or "".
        notes: what else it does, such as a write.
    """

    line: int
    code: str
    reads: tuple[str, ...]
    makes: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class LineTable:
    """What ran, line by line.

    Attributes:
        title: what the rows are.
        rows: the lines in the order in which they ran first.
        gradients: per input its name, what came of backward, and what is expected.
    """

    title: str
    rows: tuple[Row, ...]
    gradients: tuple[tuple[str, str, str], ...] = ()

    def lines(self) -> Iterator[str]:
        """Write it as lines of a plain text."""
        yield f"{self.title}:"
        for row in self.rows:
            said = [f"reads {one}" for one in row.reads]
            said += [f"makes {row.makes}"] if row.makes else []
            yield f"{row.line:>4}  {row.code}"
            yield from (f"      {one}" for one in (*said, *row.notes))
        for name, yours, expected in self.gradients:
            yield f"The gradient of {name}: yours {yours}; expected {expected}"


def line_table(
    steps: Sequence[Step], *, forward: bool, gradients: Sequence[tuple[str, str, str]] = ()
) -> LineTable | None:
    """Return the table of a backward; also of forward, where that matters or a fact is in it."""
    forward = forward or any(step.phase == "forward" and step.notes for step in steps)
    shown = [step for step in steps if forward or step.phase == "backward"]
    lines: dict[tuple[str, str], list[Step]] = {}
    for step in shown:
        lines.setdefault((step.method, step.code), []).append(step)
    rows = [_row(ran) for ran in [*lines.values()][:_MOST_ROWS]]
    title = "Your code, line by line" if forward else "Your backward, line by line"
    return LineTable(title, tuple(rows), tuple(gradients)) if rows else None


def _row(ran: list[Step]) -> Row:
    first, last = ran[0], ran[-1]
    reads = {one.name: _tensor(one) for step in ran[::-1] for one in step.reads if one.name}
    notes = dict.fromkeys(note for step in ran for note in step.notes)
    made = next((step.made for step in ran[::-1] if step.made.size), None)
    makes = _tensor(replace(made, name=last.target)) if made else ""
    return Row(first.line, first.code, tuple(reads.values()), makes, tuple(notes))


def _tensor(one: Seen) -> str:
    size = one.size if one.size != "[]" else ""
    words = " ".join(part for part in (one.name and f"`{one.name}`", size) if part)
    return ": ".join(part for part in (words, one.numbers) if part)


def few(array: Any) -> str:
    """Write shape and first numbers of a gradient, an `Array`; None is what nothing came of."""
    if array is None:
        return "None"
    numbers = [short(float(value), zero=1e-12) for value in array.values.reshape(-1)[:_FEW]]
    more = ["…"] if array.values.size > _FEW else []
    return f"{[*array.shape]}: {', '.join([*numbers, *more])}"
