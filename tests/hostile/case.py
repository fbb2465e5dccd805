"""What a submission of the hostile class is, as data, and what it must get."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Statuses = str | frozenset[str]
Want = Mapping[str, tuple[Statuses, float]]  # by task: the allowed statuses, and the points

# What an answer may be called that earns nothing, where it is not certain how it ends.
ZERO = frozenset({"failed", "error", "not-gradable", "died", "timeout"})


@dataclass(frozen=True)
class Case:
    """A submission of one student.

    Attributes:
        title: what it does.
        want: what each task must get; {} if the report must not know of the submission.
        given: what stands in answer cells, by cell id; the others are answered right. Words in
            double angle brackets, such as <<tag>>, are replaced by what `World` holds.
        change: changes the notebook, and returns it, or the bytes of the file.
        place: writes the file some other way, given its path and what would be in it.
        exercise: such as "05_square".
        student: the folder's name, if it matters.
    """

    title: str
    want: Want
    given: Mapping[str, str] = field(default_factory=dict)
    change: Callable[[dict[str, Any]], dict[str, Any] | bytes] | None = None
    place: Callable[[Path, bytes], None] | None = None
    exercise: str = "05_square"
    student: str = ""

    def __str__(self) -> str:
        return self.title
