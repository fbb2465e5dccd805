"""Find the fenced blocks of a lesson, and cut solutions and hidden tests out of a cell's code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

CELL = "{code-cell}"
SOLUTION = "SOLUTION"
HIDDEN_TESTS = "HIDDEN TESTS"
_STUB = "raise NotImplementedError"
_FENCE = re.compile(r" {0,3}(?P<marker>`{3,}|~{3,})(?P<info>.*)$")
_EXACT = re.compile(rf"( *)### (BEGIN|END) ({SOLUTION}|{HIDDEN_TESTS})")
# Whoever writes one of these means a marker, and nbgrader might take it for one.
_MEANT = re.compile(r"#\s*(BEGIN|END)[\s_-]*(SOLUTION|HIDDEN)", re.IGNORECASE)


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


@dataclass(frozen=True)
class Region:
    """The lines of a region's two markers, from 1, what it holds, and how far it is indented."""

    first: int
    last: int
    kind: str
    indent: int


@dataclass(frozen=True)
class Marker:
    """One line that begins or ends a region."""

    number: int
    begins: bool
    kind: str
    indent: int

    def __str__(self) -> str:
        return f"### {'BEGIN' if self.begins else 'END'} {self.kind}"


def regions(code: str, file: str, first_line: int) -> list[Region]:
    """Return the regions of a cell, from top to bottom.

    Args:
        code: the cell's code.
        file: how messages name the file.
        first_line: the line of the file that the code starts on.

    Raises:
        BuildError: a region is not closed, not opened, nested, empty or not marked exactly.
    """
    found: list[Region] = []
    opened: Marker | None = None
    for marker in _markers(code, file, first_line):
        where = f"{file}:{first_line + marker.number - 1}: `{marker}`"
        if marker.begins:
            if opened:
                inside = f"`{opened}` of line {first_line + opened.number - 1}"
                raise BuildError(f"{where} stands inside the region that {inside} begins: end it")
            opened = marker
            continue
        if opened is None or opened.kind != marker.kind:
            raise BuildError(f"{where} ends what was never begun: write the line that begins it")
        if opened.indent != marker.indent:
            raise BuildError(f"{where} must be indented as the line that begins its region")
        _check_content(code, opened, marker, f"{file}:{first_line + opened.number - 1}")
        found.append(Region(opened.number, marker.number, marker.kind, marker.indent))
        opened = None
    if opened:
        line = first_line + opened.number - 1
        end = str(opened).replace("BEGIN", "END")
        raise BuildError(f"{file}:{line}: `{opened}` is never ended: add a line `{end}`")
    return found


def cut(code: str, found: list[Region]) -> tuple[str, list[int]]:
    """Return the code without these regions: what a student gets.

    An indented solution becomes `raise NotImplementedError`, at its place; whatever stands at
    the left margin goes.

    Returns:
        The code that is left, and for each of its lines the number it had.
    """
    lines = list(enumerate(code.splitlines(), 1))
    for region in reversed(found):
        stub = [(region.first, " " * region.indent + _STUB)]
        before, after = lines[: region.first - 1], lines[region.last :]
        if region.kind == SOLUTION and region.indent:
            lines = before + stub + after
        else:
            lines = _close_up(before, after)
    return "\n".join(line for _, line in lines), [number for number, _ in lines]


def _markers(code: str, file: str, first_line: int) -> Iterator[Marker]:
    for number, line in enumerate(code.splitlines(), 1):
        exact = _EXACT.fullmatch(line)
        if exact:
            yield Marker(number, exact[2] == "BEGIN", exact[3], len(exact[1]))
        elif meant := _MEANT.search(line):
            kind = SOLUTION if meant[2].upper() == SOLUTION else HIDDEN_TESTS
            raise BuildError(
                f"{file}:{first_line + number - 1}: write this mark as "
                f"`### {meant[1].upper()} {kind}`, in capitals and on a line of its own"
            )


def _check_content(code: str, begin: Marker, end: Marker, where: str) -> None:
    content = [line for line in code.splitlines()[begin.number : end.number - 1] if line.strip()]
    if not content:
        raise BuildError(f"{where}: nothing stands between `{begin}` and `{end}`: fill the region")
    if len(content[0]) - len(content[0].lstrip()) != begin.indent:
        raise BuildError(f"{where}: `{begin}` must be indented as the line of code below it")
    if begin.kind == HIDDEN_TESTS and begin.indent:
        raise BuildError(f"{where}: `{begin}` must start at the left margin")


def _close_up(before: list[tuple[int, str]], after: list[tuple[int, str]]) -> list[tuple[int, str]]:
    # The blank lines of one side are enough, the side that has more, and none at either end.
    above = next((n for n, line in enumerate(reversed(before)) if line[1].strip()), len(before))
    below = next((n for n, line in enumerate(after) if line[1].strip()), len(after))
    kept, rest = before[: len(before) - above], after[below:]
    if not kept or not rest:
        return kept + rest
    blanks = before[len(before) - above :] if above >= below else after[:below]
    return kept + blanks + rest
