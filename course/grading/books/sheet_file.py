"""Read tables as spreadsheets and learning platforms save them."""

import codecs
import csv
import io
import re
from pathlib import Path

MOST_BYTES = 20 * 2**20
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # as .xlsx and .xls begin


def read_rows(path: Path, error: type[ValueError]) -> list[tuple[int, list[str]]]:
    """Return the rows that are not blank, with the numbers of their lines.

    The file is UTF-8, or UTF-16 with a byte order mark. Commas, semicolons or tabs separate cells.

    Args:
        path: of the file.
        error: what to raise, with a sentence that says what to do, if the file cannot be read, is
            too large, or is not such a table.
    """
    text = re.sub(r"\Asep=.\r?\n", "\n", _text(path, error))  # some spreadsheets name it
    top = next((line for line in text.splitlines() if line.strip(' ,;\t"')), "")
    delimiter = max(",;\t", key=top.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        rows = [(reader.line_num, cells) for cells in reader]
    except csv.Error as why:
        where = f"{path.name}, line {reader.line_num}"
        raise error(f"{where}: fix its quotation marks ({why}).") from None
    return [(line, cells) for line, cells in rows if any(cell.strip() for cell in cells)]


def _text(path: Path, error: type[ValueError]) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as why:
        raise error(f"{path} cannot be read ({why.strerror}).") from None
    if len(content) > MOST_BYTES:
        raise error(f"{path.name} is larger than {MOST_BYTES // 2**20} MB: is it the right file?")
    if content.startswith(_WORKBOOKS):
        raise error(f"{path.name} is a workbook: save it as “CSV UTF-8”.")
    try:
        return content.decode("utf-16" if content.startswith(_UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        raise error(f"{path.name} is not UTF-8: save it as “CSV UTF-8”.") from None
