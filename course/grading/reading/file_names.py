"""Tell from the names of folders and files whose work they hold, and which exercise it is."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from course.notebooks.exercise_name import named_after

_MOODLE = re.compile(r"(.+?)_(\d+)_assignsubmission_(?:file|onlinetext)_?(.*)", re.DOTALL)
_CANVAS = re.compile(r"(.+?)_(?:LATE_)?(\d+)_\d+_(.+)", re.DOTALL)
_IGNORED = re.compile(r"\..*|__MACOSX|feedback|.+_assignfeedback_.*", re.DOTALL | re.IGNORECASE)
_NOTEBOOK = re.compile(r"\.ipynb(?:\.txt|\.json)?$", re.IGNORECASE)  # browsers add these

_MOST = 255  # characters of a name, more than disks take; to compose long ones takes for ever
_UNSEEN, _JOINERS = ("Cc", "Cf", "Zl", "Zp"), "\u200c\u200d"

# Whether it is the exercise's own name, and the number of the copy, as in `05_square (2).ipynb`.
Fit = tuple[bool, int]


@dataclass(frozen=True)
class Owner:
    """Whose work it is.

    Attributes:
        name: of the person.
        number: that the learning platform gives them; "" where there is none.
        lasting: whether the number is the same in all downloads.
    """

    name: str
    number: str = ""
    lasting: bool = False


def clean(name: str) -> str:
    """Return a name in the form that compares, and that can be written anywhere; cut if long."""
    name = name if len(name) <= _MOST else f"{name[:_MOST]}…"
    if any(unicodedata.category(character) == "Cs" for character in name):
        # Its bytes are no UTF-8, as an old archive leaves them once it is unpacked.
        try:
            name = name.encode("utf-8", "surrogateescape").decode("latin-1")
        except UnicodeEncodeError:
            name = name.encode(errors="replace").decode()
    name = unicodedata.normalize("NFC", name)
    return "".join("\ufffd" if _is_control(character) else character for character in name)


def _is_control(character: str) -> bool:
    """Tell whether a character is not seen; but what joins letters belongs to some scripts."""
    return unicodedata.category(character) in _UNSEEN and character not in _JOINERS


def is_ignored(name: str) -> bool:
    """Return whether a file or folder of this name is none of a student's work."""
    return _IGNORED.fullmatch(name) is not None


def owner_of_folder(name: str) -> Owner:
    """Return whose folder it is."""
    match = _MOODLE.fullmatch(name)
    return Owner(match[1], match[2]) if match else Owner(name)


def owner_of_file(name: str) -> tuple[Owner, str] | None:
    """Return whose file it is, and how they called it, if a learning platform named it."""
    if match := _MOODLE.fullmatch(name):
        return Owner(match[1], match[2]), match[3]
    if match := _CANVAS.fullmatch(name):
        return Owner(match[1], match[2], lasting=True), match[3]
    return None


def is_notebook(name: str) -> bool:
    """Return whether a file is meant to be a notebook."""
    return _NOTEBOOK.search(name) is not None


def exercise_of(name: str, exercises: Sequence[str]) -> tuple[str, Fit] | None:
    """Return which exercise a file is named after, and how well that fits, the largest best."""
    ending = _NOTEBOOK.search(name)
    if not ending:
        return None
    stem = name[: ending.start()]
    if stem in exercises and ending[0] == ".ipynb":
        return stem, (True, 0)
    found: dict[tuple[int, int], tuple[str, Fit]] = {}
    for exercise in exercises:
        match = named_after(exercise).search(stem.casefold())
        if match:
            numbers = re.findall(r"[0-9]{1,18}", match[2])
            found[match.span(1)] = exercise, (False, int([0, *numbers][-1]))
    start, end = max(found, key=lambda span: span[1] - span[0], default=(0, 0))
    if not all(start <= first and last <= end for first, last in found):
        return None  # two exercises
    return found.get((start, end))
