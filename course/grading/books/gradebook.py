"""Write the grades as tables; write and read tables as spreadsheets and platforms do."""

import codecs
import csv
import io
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from course.grading.books.tally import class_table, has_page, is_open, points_of
from course.grading.results import Result, TaskResult
from course.notebooks.write import write_whole

Value = str | int | float

# The columns of grades.csv: the heading, and what stands below it for a task.
GRADES: tuple[tuple[str, Callable[[Result, TaskResult], Value]], ...] = (
    ("student", lambda result, task: result.student),
    ("exercise", lambda result, task: result.exercise),
    ("task", lambda result, task: task.task),
    ("points", lambda result, task: "" if is_open(result) else number(task.points)),
    ("max_points", lambda result, task: number(task.max_points)),
    ("open", lambda result, task: "yes" if is_open(result) else ""),
    ("status", lambda result, task: task.status),
    ("diagnosis", lambda result, task: task.diagnosis),
    ("by_hand", lambda result, task: "yes" if task.by_hand else ""),
    ("reason", lambda result, task: task.reason),
    ("handed_in", lambda result, task: result.handed_in),
    ("late", lambda result, task: number(task.lost) if task.lost else ""),
    ("file", lambda result, task: result.file),
)
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_KEPT = "\t\r\n"
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class TableError(ValueError):
    """A table that somebody gave cannot be used; the message says in a sentence what to do."""


def write_gradebook(folder: Path, results: list[Result], worth: Mapping[str, float]) -> None:
    """Write grades.csv, a row a task, and summary.csv, a row a student.

    What is still open, since a person or the next run has to see to it, is not 0: these cells stay
    empty, and so do those of exercises that a student was not asked for.

    Args:
        folder: of the report.
        results: of everybody, in the order of the tables.
        worth: the exercises that count, and the points that each is worth. Others have a column,
            and are no part of the total.

    Raises:
        OSError: they cannot be written; what was there before still is.
    """
    for name, rows in {"grades": _grades(results), "summary": _summary(results, worth)}.items():
        shown = ([cell(one) if isinstance(one, str) else one for one in row] for row in rows)
        write_whole(folder / f"{name}.csv", table(shown))


def _grades(results: list[Result]) -> Iterable[Iterable[Value]]:
    yield [heading for heading, _ in GRADES]
    for result in results:
        for task in result.tasks:
            yield [value(result, task) for _, value in GRADES]


def _summary(results: list[Result], worth: Mapping[str, float]) -> Iterable[Iterable[Value]]:
    exercises = sorted({result.exercise for result in results})
    yield "student", *exercises, "total", "max"
    for student, known in class_table(results).items():
        points = {name: points_of(one) for name, one in known.items()}
        counted = [points[name] for name in points if name in worth]
        total = None if None in counted else sum(counted)
        cells = [*(points.get(name) for name in exercises), total]
        yield (
            student,
            *("" if one is None else number(one) for one in cells),
            number(sum(worth.values())),
        )


def table(rows: Iterable[Iterable[Value]], mark: bool = True) -> bytes:
    """Return a table of cells as they are, with the mark by which spreadsheets know UTF-8.

    Text is quoted, so that a sheet that splits at semicolons does not cut a name in two.
    """
    text = csv_text(rows, csv.QUOTE_NONNUMERIC)
    return text.encode("utf-8-sig" if mark else "utf-8", "replace")


def csv_text(rows: Iterable[Iterable[Value]], quoting: int = csv.QUOTE_MINIMAL) -> str:
    """Return rows as lines, with commas between their cells."""
    file = io.StringIO(newline="")
    csv.writer(file, quoting=quoting, lineterminator="\n").writerows(rows)
    return file.getvalue()


def number(value: float) -> int | float:
    """Return points as a sheet shows them.

    >>> number(3.0), number(2.5), number(0.1 + 0.2)
    (3, 2.5, 0.3)
    """
    rounded = round(float(value), 6)
    return int(rounded) if rounded.is_integer() else rounded


def grade_of(result: Result) -> str:
    """Return the points as platforms read them; "" if there are none to give.

    That is so if nothing was handed in, and if a person has to look at it.
    """
    points = points_of(result) if has_page(result) else None
    return "" if points is None else str(number(points))


def worth_of(result: Result) -> str:
    """Return the points that an exercise is worth, as platforms read them."""
    return str(number(sum(task.max_points for task in result.tasks)))


def cell(text: str) -> str:
    """Return text as a cell: shown as it is, never calculated, and writable as UTF-8.

    >>> cell("=cmd()"), cell("Ada"), cell("'=cmd()")
    ("'=cmd()", 'Ada', "''=cmd()")
    """
    shown = "".join("\ufffd" if _is_unwritable(letter) else letter for letter in text)
    # Apostrophes that are there already are counted too, so that two names stay two.
    return f"'{shown}" if shown.lstrip("'").startswith(_FORMULA) else shown


def guarded(text: str) -> str:
    """Return a cell as it is, unless a spreadsheet would calculate it; a dash alone is none.

    Some split at semicolons, and heed quotation marks in the first column alone.

    >>> guarded("-"), guarded("-1+1"), guarded("Ada"), guarded("x;=1")
    ('-', "'-1+1", 'Ada', "x;'=1")
    """
    return text if text == "-" else ";".join(map(cell, text.split(";")))


def uncell(text: str) -> str:
    """Return the text of a cell that `cell` wrote."""
    if text.startswith("'") and text.lstrip("'").startswith(_FORMULA):
        return text[1:]
    return text


def _is_unwritable(letter: str) -> bool:
    return letter not in _KEPT and unicodedata.category(letter) in ("Cc", "Cs")


def read_rows(path: Path) -> list[tuple[int, list[str]]]:
    """Return the rows of a table that are not blank, with the numbers of their lines.

    The file is UTF-8, or UTF-16 with a byte order mark. Commas, semicolons or tabs separate cells.

    Raises:
        TableError: it cannot be read, or is not such a table.
    """
    text = re.sub(r"\Asep=.\r?\n", "\n", _text(path))  # some spreadsheets name it
    top = next((line for line in text.splitlines() if line.strip(' ,;\t"')), "")
    delimiter = max(",;\t", key=top.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [(reader.line_num, cells) for cells in reader]
    except csv.Error as why:
        where = f"{path.name}, line {reader.line_num}"
        raise TableError(f"{where}: fix its quotation marks ({why}).") from None
    return [(line, cells) for line, cells in rows if any(cell.strip() for cell in cells)]


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
        return content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig")
    except OSError as why:
        raise TableError(f"{path} cannot be read ({why.strerror}).") from None
    except UnicodeDecodeError:
        said = f"{path.name} is not text in UTF-8: save it as “CSV UTF-8”."
        raise TableError(said) from None
