"""Write cells that no spreadsheet takes for a formula, and read them back."""

import unicodedata

_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_KEPT = "\t\r\n"


def cell(text: str) -> str:
    """Return text as a cell: shown as it is, never calculated, and writable as UTF-8.

    >>> cell("=cmd()"), cell("Ada"), cell("'=cmd()")
    ("'=cmd()", 'Ada', "''=cmd()")
    """
    shown = "".join("\ufffd" if _is_unwritable(letter) else letter for letter in text)
    # Apostrophes that are there already are counted too, so that two names stay two.
    return f"'{shown}" if shown.lstrip("'").startswith(_FORMULA) else shown


def uncell(text: str) -> str:
    """Return the text of a cell that `cell` wrote."""
    if text.startswith("'") and text.lstrip("'").startswith(_FORMULA):
        return text[1:]
    return text


def number(value: float) -> int | float:
    """Return points as a sheet shows them.

    >>> number(3.0), number(2.5), number(0.1 + 0.2)
    (3, 2.5, 0.3)
    """
    rounded = round(float(value), 6)
    return int(rounded) if rounded.is_integer() else rounded


def _is_unwritable(letter: str) -> bool:
    return letter not in _KEPT and unicodedata.category(letter) in ("Cc", "Cs")
