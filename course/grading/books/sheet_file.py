"""Read tables as spreadsheets and learning platforms save them."""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

MOST_BYTES = 20 * 2**20
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # as .xlsx and .xls begin


class SheetFileError(ValueError):
    """A table cannot be read; the message is one sentence that says what to do."""


def read_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, with the numbers of their lines.

    The file is UTF-8, or UTF-16 with a byte order mark. Commas, semicolons or tabs separate cells.

    Raises:
        SheetFileError: the file cannot be read, is too large, or is not such a table.
    """
    text = re.sub(r"\Asep=.\r?\n", "\n", _text(path))  # some spreadsheets name the delimiter
    top = next((line for line in text.splitlines() if line.strip(' ,;\t"')), "")
    delimiter = max(",;\t", key=top.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, cells
    except csv.Error as error:
        raise SheetFileError(
            f"{path.name}, line {reader.line_num}: fix its quotation marks ({error})."
        ) from None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise SheetFileError(f"{path} cannot be read ({error.strerror}).") from None
    if len(content) > MOST_BYTES:
        raise SheetFileError(
            f"{path.name} is larger than {MOST_BYTES // 2**20} MB: is it the right file?"
        )
    if content.startswith(_WORKBOOKS):
        raise SheetFileError(f"{path.name} is a workbook: save it as “CSV UTF-8”.")
    try:
        return content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        raise SheetFileError(f"{path.name} is not UTF-8: save it as “CSV UTF-8”.") from None
