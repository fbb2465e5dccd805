"""A Function line by line: what each line read and made, and the gradient that is expected."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from whygrad.lines.step import Seen, Step, results_of
from whygrad.rounding import short

_FEW, _MOST_ROWS = 3, 40


@dataclass(frozen=True)
class Row:
    """One line of the author's code.

    Attributes:
        line, code: its number, for a function that it calls with the name of that; its statement.
        reads: the tensors that it reads, each in words.
        makes: the tensors that it makes last, in words: those that it names or returns.
        notes: what else it does, such as a write.
    """

    line: str
    code: str
    reads: tuple[str, ...]
    makes: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class LineTable:
    """What ran, line by line.

    Attributes:
        title: what the rows are.
        rows: the lines in the order in which they ran first.
        results: for each gradient, or output, its name, what came, and what is expected.
    """

    title: str
    rows: tuple[Row, ...]
    results: tuple[tuple[str, str, str], ...] = ()

    def lines(self) -> Iterator[str]:
        """Write it as lines of a plain text."""
        yield f"{self.title}:"
        for row in self.rows:
            yield f"{row.line:>4}  {row.code}"
            yield from (f"      reads {one}" for one in row.reads)
            yield from (f"      makes {one}" for one in row.makes)
            yield from (f"      {one}" for one in row.notes)
        for name, yours, expected in self.results:
            yield f"{name}: yours {yours}; expected {expected}"


def line_table(
    steps: Sequence[Step], *, of_forward: bool, results: Sequence[tuple[str, str, str]] = ()
) -> LineTable | None:
    """Return the table of a backward, with forward if a fact is in it; or that of forward alone."""
    forward = [step for step in steps if step.phase != "backward"]
    is_noted = any(step.notes for step in forward)
    if not of_forward:
        forward = [step for step in steps if is_noted or step.phase == "backward"]
    lines: dict[tuple[str, int, int, str, str], list[Step]] = {}
    for step in forward:
        caller = step.phase, step.caller_line
        if step.caller:  # what a function makes is what the line makes that calls it
            lines.setdefault((*caller, step.caller_line, step.caller, ""), []).append(step)
        helper = step.method if step.caller else ""
        lines.setdefault((*caller, step.line, step.code, helper), []).append(step)
    rows = [_row(*where, ran) for (_, _, *where), ran in [*lines.items()][:_MOST_ROWS]]
    is_plain = any(step.phase == "call" for step in forward)
    is_code = is_plain or (is_noted and not of_forward)
    what = "code" if is_code else "forward" if of_forward else "backward"
    title = f"Your {what}, line by line" + ": its beginning" * any(step.is_last for step in forward)
    return LineTable(title, tuple(rows), tuple(results)) if rows else None


def _row(line: int, code: str, helper: str, ran: list[Step]) -> Row:
    own = [step for step in ran if bool(step.caller) == bool(helper)]
    seen = [one for step in own for one in step.reads if one.name]
    # What a line reads is what it reads first; of a loop, in the last round.
    reads = {o.name: o for o in (seen if any(s.times > 1 for s in own) else seen[::-1])}
    ordered = sorted(reads, key=lambda name: _place_in(code, name))
    return Row(
        f"{line} in {helper}" if helper else str(line),
        code,
        tuple(_tensor(reads[name]) for name in ordered),
        tuple(_made(code, ran, own)),
        tuple(dict.fromkeys([*(note for step in ran for note in step.notes), *_count(ran, own)])),
    )


def _place_in(code: str, name: str) -> int:
    found = re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", code)
    return found.start() if found else len(code)


def _count(ran: list[Step], own: list[Step]) -> Iterator[str]:
    if any(step.is_last for step in ran):
        yield "more ran here than is noted"
    elif (times := max((step.times for step in own), default=1)) > 1:
        yield f"ran {times} times, shown is the last"


def _made(code: str, ran: list[Step], own: list[Step]) -> Iterator[str]:
    """Describe what a line has made in the end, with its names."""
    if any(step.is_last for step in ran):
        return
    names = results_of(code)
    if names == [""] and ran[-1] in own and ran[-1].writes:
        names = [ran[-1].writes[0].name]
    pairs = ((one, ran[place:]) for place, step in enumerate(ran, 1) for one in step.made)
    last = [one for one, later in pairs if _is_last(one, later)]
    if len(last) < len(names):  # some are no tensors
        names = [""] * len(last)
    for name, made in zip(names, last[-len(names) :], strict=False):
        yield _tensor(replace(made, name=name))


def _is_last(made: Seen, later: Sequence[Step]) -> bool:
    """Return whether something was made that no later step of its line reads."""
    return made not in [replace(one, name="") for step in later for one in step.reads]


def _tensor(one: Seen) -> str:
    words = " ".join(filter(None, (one.name and f"`{one.name}`", one.size)))
    return ": ".join(part for part in (words, one.numbers) if part)


def few(array: Any) -> str:
    """Write shape and first numbers of a gradient, an `Array`; None is what nothing came of."""
    if array is None:
        return "None"
    numbers = [short(float(value), zero=1e-12) for value in array.values.reshape(-1)[:_FEW]]
    more = ["…"] if array.values.size > _FEW else []
    return f"{[*array.shape]}: {', '.join([*numbers, *more])}"
