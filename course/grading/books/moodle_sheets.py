"""Read Moodle's grading worksheets: their columns in any language, their dates in English."""

import re
from collections.abc import Sequence
from datetime import datetime

_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
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
_DATE = re.compile(
    r"(?:[a-z]+, )?(\d{1,2}) ([a-z]+) (\d{4}), (\d{1,2}):(\d{2})(?:\s(am|pm))?", re.IGNORECASE
)


def moodle_time(text: str) -> str:
    """Return a time as ISO writes it; "" for what is none, or is in another language.

    >>> moodle_time("Friday, 20 November 2026, 11:59 PM"), moodle_time("-")
    ('2026-11-20T23:59:00', '')
    """
    match = _DATE.fullmatch(" ".join(text.split()))
    if not match or match[2].casefold() not in _MONTHS:
        return ""
    hour = int(match[4])
    if match[6]:
        hour = hour % 12 + (12 if match[6].casefold() == "pm" else 0)
    month = _MONTHS.index(match[2].casefold()) + 1
    try:
        return datetime(int(match[3]), month, int(match[1]), hour, int(match[5])).isoformat()
    except ValueError:
        return ""


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
            return {"identifier": 0, "grade": place - 1, "maximum": place, **name, **last}
    return {}
