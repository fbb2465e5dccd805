"""Time things in turn, and print them as one table."""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

Item = TypeVar("Item")
at_most: int | None = None  # how many rounds, exercises, lessons and so on to take; None: all


@dataclass(frozen=True)
class Row:
    """A measured line of the table; `ratio` and `bound` are None where none is promised."""

    what: str
    ours: str
    theirs: str
    ratio: float | None = None
    bound: float | None = None

    def cells(self) -> tuple[str, ...]:
        ratio = "–" if self.ratio is None else f"{self.ratio:.2f}"
        if self.ratio is None or self.bound is None:
            return self.what, self.ours, self.theirs, ratio, "–", ""
        mark = "✓" if self.ratio <= self.bound else "✗"
        return self.what, self.ours, self.theirs, ratio, f"≤ {self.bound:g}", mark


def some(items: Sequence[Item]) -> Sequence[Item]:
    """Return as many of the items as are to be taken."""
    return items[:at_most]


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def alternate(*actions: Callable[[], object], runs: int) -> tuple[list[float], list[float]]:
    """Give each action's median seconds, and the median of its ratio to the last action.

    They run in turn, so that a busy moment of the machine hits all alike.
    """
    rounds = [[seconds(action) for action in actions] for _ in some(range(1 + runs))]
    rounds = rounds[1:] or rounds  # the first is to be warm
    ratios = [[each / times[-1] for each in times] for times in rounds]
    return _medians(rounds), _medians(ratios)


def _medians(rounds: list[list[float]]) -> list[float]:
    return [statistics.median(column) for column in zip(*rounds, strict=True)]


def show(rows: list[Row]) -> None:
    """Print the table."""
    show_columns([("what", "ours", "theirs", "ratio", "expected", ""), *map(Row.cells, rows)])


def show_columns(lines: Sequence[Sequence[str]]) -> None:
    """Print lines of cells in columns; the first line has the heads."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for what, *numbers in lines:
        padded = [f"{cell:>{width}}" for cell, width in zip(numbers, widths[1:], strict=True)]
        print("  ".join([f"{what:<{widths[0]}}", *padded]).rstrip())
