"""Read course.toml: what a course consists of, when work is due, and how a run grades."""

import math
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from course.grading.settings import Limits
from course.notebooks.exercise_name import meant, unknown
from course.notebooks.nearest import nearest

KEYS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


class CourseFileError(ValueError):
    """course.toml cannot be used; each argument is a sentence on something that is wrong."""


@dataclass(frozen=True)
class CourseFile:
    """What an instructor says of a course.

    Attributes:
        exercises: those that make up its maximum, such as "05_square"; empty for all that were
            ever graded into the report.
        due: when each exercise is due; a time without a zone is in the zone of this machine.
        points_per_day: that each started day takes from a late exercise.
        at_most: the most points that all days together take.
        jobs: how many submissions are graded at a time; None for one for each processor.
        seed: of the inputs; None for a new one in each run.
        scheduler: address of the Dask cluster that grades; "" for this machine.
        tls_ca, tls_cert, tls_key: files for that cluster; "" for Dask's own settings.
        limits: what a notebook may use.
    """

    exercises: tuple[str, ...] = ()
    due: dict[str, datetime] = field(default_factory=dict)
    points_per_day: float = 0
    at_most: float = math.inf
    jobs: int | None = None
    seed: int | None = None
    scheduler: str = ""
    tls_ca: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    limits: Limits = field(default_factory=Limits)


def read_course_file(path: Path, known: Sequence[str]) -> CourseFile:
    """Return what course.toml says; without the file, nothing is due.

    ```
    exercises = ["05", "06_exp"]    # these, and no others, make up the maximum

    [due]
    05 = 2026-11-20T23:59:00        # a time; with a zone such as +01:00 if you like
    06 = 2026-11-27                 # a date: until the end of that day

    [late]
    points_per_day = 1              # taken from an exercise for each started day
    at_most = 5                     # for all days; if left out, all that was earned

    [run]
    jobs = 2                        # course_file.toml has the other keys
    ```

    Args:
        path: of the file.
        known: the exercises that there are. 5, "05" and "05_square" all mean "05_square".

    Raises:
        CourseFileError: it cannot be read, or some of its lines cannot be used.
    """
    found: dict[str, Any] = {}
    due: dict[str, datetime] = {}
    wrong = []
    for key, value in _lines(_parsed(path)):
        table, _, name = key.rpartition(".")
        try:
            _check(key, table, value)
            if key == "exercises":
                found[key] = tuple(sorted({_exercise(one, known) for one in value}))
            elif table != "due":
                found[name] = value
            elif (exercise := _exercise(name, known)) not in due:
                due[exercise] = until(value)
            else:
                raise ValueError(f"{exercise} is there twice: delete one line.")
        except ValueError as error:
            wrong.append(f"{path.name}, {key}: {error}")
    if wrong:
        raise CourseFileError(*wrong)
    limits = Limits(**{name: found.pop(name) for name in vars(Limits()) if name in found})
    return CourseFile(due=due, limits=limits, **found)


def until(day: date) -> datetime:
    """Return a time as it is; for a date, the end of that day."""
    return day if isinstance(day, datetime) else datetime.combine(day, time(23, 59, 59))


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:  # of the disk, UTF-8 and TOML
        raise CourseFileError(f"{path.name} cannot be read as TOML in UTF-8: {error}.") from None


def _lines(data: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each key with its value, and those of a table as "late.at_most"."""
    for key, value in data.items():
        if isinstance(value, dict):
            yield from ((f"{key}.{name}", one) for name, one in value.items())
        else:
            yield key, value


def _check(key: str, table: str, value: Any) -> None:
    row = KEYS.get(key) or KEYS.get(f"{table}.*")
    if not row:
        there = {name: name for name, row in KEYS.items() if row["types"]}
        raise ValueError(f"there is no such key{nearest(key, there)}")
    is_right = type(value).__name__ in row["types"]
    if not is_right or ("least" in row and not row["least"] <= value < 2**31):
        raise ValueError(row["write"])


def _exercise(given: object, known: Sequence[str]) -> str:
    if name := meant(str(given), known):
        return name
    raise ValueError(f"no exercise is called {given}{unknown(str(given), known)}")
