"""Read tables as spreadsheets and learning platforms save them."""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

MOST_BYTES = 20 * 2**20
MOST_ROWS = 20_000
MOST_COLUMNS = 2_000
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}


class SheetFileError(ValueError):
    """A table cannot be read; the message is one sentence that says what to do."""


def read_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, with the numbers of their lines.

    Read are UTF-8 and UTF-16, with and without a mark, and cells that commas, semicolons or tabs
    stand between.

    Raises:
        SheetFileError: it cannot be read, is too large, or is no such table.
    """
    text = re.sub(r"\Asep=.\r?\n", "\n", _text(path))  # some spreadsheets name the delimiter
    top = next((line for line in text.splitlines() if line.strip(' ,;\t"')), "")
    delimiter = max(",;\t", key=top.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    count = 0
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            count += 1
            if count > MOST_ROWS or len(cells) > MOST_COLUMNS:
                most = f"{MOST_ROWS} rows or {MOST_COLUMNS} columns"
                raise SheetFileError(f"{path.name} has more than {most}: is it the right file?")
            yield reader.line_num, cells
    except csv.Error as error:
        where = f"{path.name}, line {reader.line_num}"
        raise SheetFileError(f"{where}: mend its quotation marks ({error}).") from None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise SheetFileError(f"{path} cannot be read ({error.strerror}).") from None
    if len(content) > MOST_BYTES:
        most = MOST_BYTES // 2**20
        raise SheetFileError(f"{path.name} is larger than {most} MB: is it the right file?")
    if content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise SheetFileError(f"{path.name} is a workbook: save it as “CSV UTF-8”.")
    try:
        return content.decode(_encoding(content))
    except UnicodeDecodeError:
        raise SheetFileError(f"{path.name} is not UTF-8: save it as “CSV UTF-8”.") from None


def _encoding(content: bytes) -> str:
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            return encoding
    # Headings are mostly Latin letters, whose other byte is 0.
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(content) > 3 and not any(content[start:20:2]):
            return encoding
    return "utf-8"
