"""Print what was measured as plain tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from grade_tools.graded import Graded
from grade_tools.tricks import Trick


@dataclass(frozen=True)
class Line:
    """A measured grader.

    Attributes:
        name: what was run.
        graded: what it made of the class.
    """

    name: str
    graded: Graded


def show_times(lines: list[Line], ours: Line) -> None:
    """Print the seconds of each submission, and their ratio to `course grade`.

    Args:
        lines: all that was measured.
        ours: `course grade`, which the others are held against.
    """
    heads = ("seconds per submission", "of", "whole run", "ratio", "steady", "ratio", "same points")
    rows = [(line.name, *_numbers(line.graded, ours.graded)) for line in lines]
    _print([heads, *rows])
    print("whole run: from the command to the prompt, over the submissions. steady: from one that")
    print("  is finished to the next, the mean; the start is left out, but for otter, which starts")
    print(f"  again for each. Ratios are to {ours.name}.\n")


def show_tricks(tricks: list[Trick], scores: dict[str, dict[str, str]]) -> None:
    """Print the points that each grader gives to each trick."""
    heads = ("trick (points out of 10)", "fair", *scores)
    rows = [
        (one.title, f"{one.fair:g}", *(of[one.submission.student] for of in scores.values()))
        for one in tricks
    ]
    _print([heads, *rows])


def _numbers(one: Graded, ours: Graded) -> tuple[str, ...]:
    whole = (f"{one.whole:.3f}", f"{one.whole / ours.whole:.2f}")
    steady = (f"{one.steady:.3f}", f"{one.steady / ours.steady:.2f}")
    return str(one.count), *whole, *steady, _same(one, ours)


def _same(one: Graded, ours: Graded) -> str:
    if not one.scores:
        return "–"
    same = sum(ours.scores.get(student) == score for student, score in one.scores.items())
    return f"{same} of {len(one.scores)}"


def _print(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for first, *others in rows:
        padded = [f"{text:>{width}}" for text, width in zip(others, widths[1:], strict=True)]
        print("  ".join([f"{first:<{widths[0]}}", *padded]).rstrip())
    print()
