"""Write the tables of the course: its lessons, part by part, and the ways through it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from course.building.chapters import Chapter, in_order
from course.building.texts import TEXTS

_LEAST_RUN = 3  # lessons in a row that are written as "0 to 2"
_ASIDE = 0  # the part of what names none


def lessons_table(
    chapters: Sequence[Chapter],
    row: Mapping[str, str],
    exercises: Sequence[str] | None = None,
) -> str:
    """Return a table of the chapters for each part, below a heading if any names its part.

    Args:
        chapters: all lessons and exercises of the course.
        row: the texts of its rows, TEXTS["readme"] or TEXTS["map"].
        exercises: those that are not among these names stay out of it; none, if left out.
    """
    parts = sorted(in_order(chapters), key=lambda here: part(here) or len(TEXTS["parts"]))
    blocks = []
    for number, those in groupby(parts, key=part):
        rows = [_row(here, row, chapters, exercises) for here in those]
        heading = [] if number == _ASIDE and not blocks else [f"### {part_title(number)}\n"]
        blocks.append("\n".join([*heading, row["head"], *rows]))
    return "\n\n".join(blocks) + "\n"


def part(here: Chapter) -> int:
    """Return the number of the part that a chapter belongs to; 0 if it names none."""
    return here.front.get("part", _ASIDE)


def basis(here: Chapter) -> list[int]:
    """Return the numbers of the lessons that a chapter builds on."""
    return here.front.get("builds_on", [])


def ways(chapters: Sequence[Chapter]) -> Iterator[tuple[str, list[Chapter]]]:
    """Give each way through the course, with its chapters; each has those of the shorter ones."""
    on_it: list[Chapter] = []
    for way, title in TEXTS["ways"].items():
        on_it = [here for here in in_order(chapters) if here in on_it or _way(here) == way]
        yield title, on_it


def ways_table(chapters: Sequence[Chapter], exercises: Sequence[str] | None = None) -> str:
    """Return the table of the ways: lessons, hours of reading, hours with exercises."""
    lines = ["| | lessons | to read | with exercises and reviews |", "|---|---|---|---|"]
    for title, on_it in ways(chapters):
        lessons = [here for here in on_it if here.lesson.exists()]
        names = _numbers([here.number for here in lessons], _links(lessons))
        reading, both = _hours(on_it, exercises)
        lines.append(f"| {title} | {names} | {reading} | {both} |")
    return "\n".join(lines)


def in_all(chapters: Sequence[Chapter]) -> str:
    """Say how many hours the whole course takes and its shortest way, as the table of the ways."""
    reading, both = _hours(chapters)
    said = f"The whole course takes {reading} to read, {both} with exercises and reviews."
    _, shortest = next(ways(chapters))
    if not shortest or len(shortest) == len(chapters):
        return said
    names = _numbers([here.number for here in shortest], {})
    reading, both = _hours(shortest)
    return f"{said}\nIts core, lessons {names}, takes {reading} to read, {both} with exercises."


def _hours(chapters: Sequence[Chapter], exercises: Sequence[str] | None = None) -> tuple[str, str]:
    """Return the hours of reading, and those with exercises."""
    reading = sum(here.front["minutes"] for here in chapters if here.lesson.exists())
    solving = sum(here.exercise_minutes for here in chapters if _offered(here, exercises))
    return hours(reading), hours(reading + solving)


def hours(minutes: int) -> str:
    """Write minutes as hours, to the next half.

    >>> [hours(30), hours(65), hours(205)]
    ['½ hour', '1 hour', '3½ hours']
    """
    whole, half = divmod(round(minutes / 30), 2)
    number = f"{whole or ''}{'½' * half}" or "0"
    return f"{number} hour" if number in ("½", "1") else f"{number} hours"


def part_title(number: int) -> str:
    """Return the title of a part, such as "Part I: first derivatives"."""
    return TEXTS["parts"].get(str(number), f"Part {number}")


def _way(here: Chapter) -> str:
    return here.front.get("way", list(TEXTS["ways"])[-1])


def _offered(here: Chapter, exercises: Sequence[str] | None) -> bool:
    return here.exercise.exists() and (exercises is None or here.name in exercises)


def _row(
    here: Chapter,
    row: Mapping[str, str],
    chapters: Sequence[Chapter],
    exercises: Sequence[str] | None,
) -> str:
    alone = "review" if here.is_review and _offered(here, exercises) else "no lesson"
    first = row["lesson" if here.lesson.exists() else alone]
    second = row["exercise" if _offered(here, exercises) else "no exercise"]
    below = _numbers(basis(here), _links(chapters))
    question = here.front.get("question", "")
    filled = (first + second).format(here=here, basis=below, question=question)
    return re.sub(" {2,}", " ", filled)


def _links(chapters: Sequence[Chapter]) -> dict[int, str]:
    lessons = [here for here in chapters if here.lesson.exists()]
    return {here.number: f"[{here.number}]({here.name}.ipynb)" for here in lessons}


def _numbers(numbers: Sequence[int], shown: Mapping[int, str]) -> str:
    """Write numbers in order, those that follow each other as "0 to 4"."""
    ordered = sorted(numbers)
    # Numbers in a row have the same distance from their places.
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(ordered), key=lambda pair: pair[1] - pair[0])
    ]
    parts = []
    for run in runs:
        words = [shown.get(number, str(number)) for number in run]
        parts += words if len(run) < _LEAST_RUN else [f"{words[0]} to {words[-1]}"]
    return ", ".join(parts)
