"""Name the files and links of a report after people, on every disk."""

import hashlib
import re
import unicodedata
from urllib.parse import quote

_MOST = 100  # bytes of UTF-8; some encrypted disks take no more than 143 with an ending
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\..*)?", re.I | re.DOTALL
)
_FORBIDDEN = re.compile(r'[/\\:*?"<>|]')
_MARKED = re.compile(r".*-[0-9a-f]{8}", re.I | re.DOTALL)


def slug(name: str) -> str:
    """Return a file name for a name: the name itself where every disk takes it.

    Any other name gets a mark made of all of it, so that two names never share a file. A name
    that looks as if it had such a mark gets one too.

    >>> slug("Ольга Zoë"), slug("../etc")
    ('Ольга Zoë', '_etc-f7f9121f')
    """
    if _is_plain(name):
        return name
    mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{_cleaned(name, _MOST - len(mark) - 1)}-{mark}"


def feedback_link(student: str, exercise: str) -> str:
    """Return the address of a feedback page, as seen from the index page."""
    return f"feedback/{quote(slug(student))}/{quote(slug(exercise))}.html"


def _is_plain(name: str) -> bool:
    return bool(
        name
        and unicodedata.is_normalized("NFC", name)
        and name.isprintable()
        and not _FORBIDDEN.search(name)
        and not name.startswith((".", " "))
        and not name.endswith((".", " "))
        and len(name.encode()) <= _MOST
        and not _RESERVED.fullmatch(name)
        and not _MARKED.fullmatch(name)
    )


def _cleaned(name: str, most: int) -> str:
    letters = (letter if letter.isprintable() else "_" for letter in name)
    text = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", "".join(letters))).strip(". ")
    if _RESERVED.fullmatch(text):
        text = "_" + text
    cut = text.encode()[:most].decode(errors="ignore").rstrip(". ")
    return cut or "unnamed"
