"""Print what the graders made of a class as plain tables."""

from dataclasses import dataclass

from table import show_columns

from grade_tools.graded import Graded
from grade_tools.tricks import Trick


@dataclass(frozen=True)
class Timed:
    """A measured grader.

    Attributes:
        name: what was run.
        graded: what it made of the class.
    """

    name: str
    graded: Graded


def show_times(lines: list[Timed], ours: Timed) -> None:
    """Print the seconds of each submission, and their ratio to `course grade`.

    Args:
        lines: all that was measured.
        ours: `course grade`, which the others are held against.
    """
    heads = ("seconds per submission", "of", "whole run", "ratio", "steady", "ratio", "same points")
    rows = [(line.name, *_numbers(line.graded, ours.graded)) for line in lines]
    show_columns([heads, *rows])
    print()
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
    show_columns([heads, *rows])
    print()


def _numbers(one: Graded, ours: Graded) -> tuple[str, ...]:
    whole = (f"{one.whole:.3f}", f"{one.whole / ours.whole:.2f}")
    steady = (f"{one.steady:.3f}", f"{one.steady / ours.steady:.2f}")
    return str(one.count), *whole, *steady, _same(one, ours)


def _same(one: Graded, ours: Graded) -> str:
    if not one.scores:
        return "–"
    same = sum(ours.scores.get(student) == score for student, score in one.scores.items())
    return f"{same} of {len(one.scores)}"
