"""Tell the columns of Moodle's grading worksheets, in any language, and which work is a draft."""

import re
from collections.abc import Sequence

_ENGLISH = {
    "identifier": "identifier",
    "full name": "name",
    "grade": "grade",
    "maximum grade": "maximum",
    "last modified (submission)": "handed in",
    "last modified (grade)": "modified",
}
_PARTICIPANT = re.compile(r"[^\W\d][^\d]*\d+")
_POINTS = re.compile(r"\d+[.,]\d{2}")
_CLOCK = re.compile(r"\d:\d\d")
_DRAFT = re.compile(
    r"(?:draft|entwurf|brouillon|borrador|bozza|kladwerk|rascunho) \(", re.IGNORECASE
)
_NO_DATE = "-"


def worksheet_columns(headings: Sequence[str], table: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return what stands in which column of a grading worksheet; nothing, if it is none.

    In another language than English the columns are known by what stands in them: the first has a
    number for each participant; one has the same maximum for all, and stands beside the grade.
    """
    places = [heading.strip().casefold() for heading in headings]
    found = {role: places.index(text) for text, role in _ENGLISH.items() if text in places}
    if "identifier" in found and "grade" in found:
        return {"modified": len(headings) - 1, **found}
    if not table or not all(_PARTICIPANT.fullmatch(cells[0].strip()) for cells in table):
        return {}
    columns = list(zip(*table, strict=True))
    for place in range(2, len(columns)):
        most, grades = set(columns[place]), columns[place - 1]
        has_one = len(most) == 1 and _POINTS.fullmatch(min(most).strip())
        if has_one and all(not text.strip() or _POINTS.fullmatch(text.strip()) for text in grades):
            name = {"name": 1} if place > 3 else {}  # else the names are hidden
            last = {"modified": len(headings) - 1}  # before it stands nothing that is read back
            dates = _first_of_dates(columns, place + 1)
            return {"identifier": 0, "grade": place - 1, "maximum": place, **name, **dates, **last}
    return {}


def _first_of_dates(columns: Sequence[Sequence[str]], start: int) -> dict[str, int]:
    """Return where the first column of dates stands, which says when work was handed in."""
    for place in range(start, len(columns)):
        if all(text == _NO_DATE or _CLOCK.search(text) for text in map(str.strip, columns[place])):
            return {"handed in": place}
    return {}


def is_draft(cells: Sequence[str]) -> bool:
    """Tell whether a row of a worksheet says that the work is a draft, and was not submitted."""
    return any(_DRAFT.match(text.strip()) for text in cells[1:])
