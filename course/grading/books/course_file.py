"""Read course.toml, in which an instructor says what a course consists of and when work is due."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from course.notebooks.exercise_name import means

_KEYS = ("exercises", "all_or_nothing", "due", "late", "extensions")
_LATE_KEYS = ("grace", "penalty_per_day", "at_most")
_SPAN = re.compile(
    r"(\d{1,6}(?:\.\d{1,6})?)\s*(min|minutes?|h|hours?|d|days?|weeks?)", re.IGNORECASE
)
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_MOST_BYTES = 2**20
_YEARS = range(2000, 2100)


class CourseFileError(ValueError):
    """course.toml cannot be used; each argument is a sentence on something that is wrong."""


@dataclass(frozen=True)
class LateRules:
    """What lateness takes.

    Attributes:
        grace: how long after it is due work still counts as in time; penalties count from its end.
        penalty_per_day: share of the earned points that each started day takes; 0 to 1.
        at_most: the largest share that all days together take; 0 to 1.
    """

    grace: timedelta = timedelta()
    penalty_per_day: float = 0.0
    at_most: float = 1.0


@dataclass(frozen=True)
class CourseFile:
    """What an instructor says of a course.

    Attributes:
        exercises: those that make up its maximum, such as "05_square"; empty for all that were
            ever graded into the report.
        due: by exercise, when it is due; without a zone, the time of this machine is meant.
        late: what lateness takes.
        extensions: by student, as the file writes the name, and exercise, when it is due for them.
        all_or_nothing: whether a task that is right in parts gets no points.
    """

    exercises: tuple[str, ...] = ()
    due: dict[str, datetime] = field(default_factory=dict)
    late: LateRules = LateRules()
    extensions: dict[str, dict[str, datetime]] = field(default_factory=dict)
    all_or_nothing: bool = False


def read_course_file(path: Path, known: Sequence[str]) -> CourseFile:
    """Return what stands in course.toml; where there is none, nothing is due.

    ```
    exercises = ["05", "06_exp"]    # these, and no others, make up the maximum

    all_or_nothing = true           # no points for parts of a task; false if it is not there

    [due]
    05 = 2026-11-20T23:59:00        # a time; with a zone such as +01:00 if you like
    06 = 2026-11-27                 # a date: until the end of that day

    [late]
    grace = "30 min"                # or "2 h", "1 day"
    penalty_per_day = 0.1           # of the earned points, for each started day
    at_most = 0.5                   # of the earned points, for all days

    [extensions."Ada Lovelace"]
    05 = 2026-11-27
    ```

    Args:
        path: of the file.
        known: the exercises that there are. 5, "05" and "05_square" all mean "05_square".

    Raises:
        CourseFileError: it cannot be read, or lines of it do not say what they are to.
    """
    data = _parsed(path)
    reader = _Reader(path.name, known)
    reader.check_keys("", data, _KEYS)
    late = reader.table("late", data)
    reader.check_keys("late.", late, _LATE_KEYS)
    people = reader.table("extensions", data)
    course = CourseFile(
        reader.exercises(data.get("exercises", [])),
        reader.times("due", reader.table("due", data)),
        LateRules(
            reader.span("late.grace", late.get("grace", "0 min")),
            reader.share("late.penalty_per_day", late.get("penalty_per_day", 0.0)),
            reader.share("late.at_most", late.get("at_most", 1.0)),
        ),
        {
            name: reader.times(f'extensions."{name}"', reader.table(name, people, "extensions."))
            for name in people
        },
        reader.truth("all_or_nothing", data.get("all_or_nothing", False)),
    )
    if reader.wrongs:
        raise CourseFileError(*reader.wrongs)
    return course


def _parsed(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise CourseFileError(f"{path.name} is larger than 1 MB: is it the right file?")
        return tomllib.loads(content.decode("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise CourseFileError(f"{path} cannot be read ({error.strerror}).") from None
    except UnicodeDecodeError:
        raise CourseFileError(f"{path.name} is not UTF-8: save it as UTF-8.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise CourseFileError(f"{path.name} is not written as TOML is: {error}.") from None


class _Reader:
    """Reads values, and collects what is wrong; in the place of that stands what is otherwise."""

    def __init__(self, file: str, known: Sequence[str]) -> None:
        self.file, self.known = file, known
        self.wrongs: list[str] = []

    def wrong(self, key: str, say: str) -> None:
        self.wrongs.append(f"{self.file}, {key}: {say}.")

    def check_keys(self, above: str, table: dict[str, Any], keys: Sequence[str]) -> None:
        for key in table:
            if key not in keys:
                self.wrong(above + key, f"there is no such key, but {', '.join(keys)}")

    def table(self, key: str, data: dict[str, Any], above: str = "") -> dict[str, Any]:
        found = data.get(key, {})
        if isinstance(found, dict):
            return found
        self.wrong(above + key, f"make it a table, [{above}{key}]")
        return {}

    def exercises(self, given: object) -> tuple[str, ...]:
        if isinstance(given, list):
            found = (self.exercise("exercises", one) for one in given)
            return tuple(sorted(set(filter(None, found))))
        self.wrong("exercises", 'write a list such as ["05", "06_exp"]')
        return ()

    def exercise(self, key: str, given: object) -> str:
        is_name = isinstance(given, int | str) and not isinstance(given, bool)
        for one in self.known:
            if is_name and means(str(given), one):
                return one
        there = ", ".join(self.known) or "none"
        self.wrong(key, f"there is no exercise {given!r}, but {there}")
        return ""

    def times(self, key: str, table: dict[str, Any]) -> dict[str, datetime]:
        found: dict[str, datetime] = {}
        for given, value in table.items():
            name = self.exercise(f"{key}.{given}", given)
            if name in found:
                self.wrong(f"{key}.{given}", f"{name} stands there twice: delete one")
            due = self.time(f"{key}.{given}", value)
            if name and due:
                found[name] = due
        return found

    def time(self, key: str, value: object) -> datetime | None:
        if isinstance(value, date) and value.year in _YEARS:
            last = datetime.combine(value, time(23, 59, 59))
            return value if isinstance(value, datetime) else last
        self.wrong(key, "write a time such as 2026-11-20T23:59:00, without quotation marks")
        return None

    def span(self, key: str, value: object) -> timedelta:
        match = _SPAN.fullmatch(value.strip()) if isinstance(value, str) else None
        if match:
            return timedelta(**{_UNITS[match[2][0].lower()]: float(match[1])})
        self.wrong(key, 'write a time such as "30 min", "2 h" or "1 day"')
        return timedelta()

    def truth(self, key: str, value: object) -> bool:
        if not isinstance(value, bool):
            self.wrong(key, "write true or false, without quotation marks")
        return value is True

    def share(self, key: str, value: object) -> float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if is_number and 0 <= value <= 1:
            return float(value)
        self.wrong(key, "write a share from 0 to 1, such as 0.1 for a tenth")
        return 0.0
