"""Find the fenced blocks of a Markdown file, and the ones that are never closed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

CELL = "{code-cell}"
_FENCE = re.compile(r" {0,3}(?P<marker>`{3,}|~{3,})(?P<info>.*)$")


class BuildError(Exception):
    """A lesson cannot be built; the message names its file and line."""


@dataclass(frozen=True)
class Fence:
    """A fenced block: the lines of its two fences, from 1, and what the first one says."""

    first: int
    last: int
    info: str


def fences(file: str, text: str) -> Iterator[Fence]:
    """Yield the fenced blocks of `text`, a file that messages call `file`, from top to bottom.

    Raises:
        BuildError: a block is never closed, is a directive that the course does not know, or
            is a code cell that Markdown would take for text.
    """
    opened: tuple[int, str, str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        match = _FENCE.match(line)
        marker, info = (match["marker"], match["info"].strip()) if match else ("", "")
        if opened is None:
            if match:
                opened = (number, marker, info)
                _check_directive(file, number, info)
            elif CELL in line and line.lstrip().startswith(("```", "~~~")):
                raise BuildError(f"{file}:{number}: a {CELL} must start at the left margin")
        elif match and not info and marker.startswith(opened[1]):
            yield Fence(opened[0], number, opened[2])
            opened = None
        elif info.startswith(CELL) and opened[2].startswith(CELL):
            break
    if opened:
        what = CELL if opened[2].startswith(CELL) else "block of code"
        raise BuildError(f"{file}:{opened[0]}: this {what} is never closed: add {opened[1]}")


def _check_directive(file: str, number: int, info: str) -> None:
    if info.startswith("{") and info.split()[0] != CELL:
        raise BuildError(f"{file}:{number}: {info} is not known here: only {CELL} is")
