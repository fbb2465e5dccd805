"""Tell from the names of folders and files whose work they hold, and which exercise it is."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from course.grading.reading.moments import iso
from course.notebooks.exercise_name import named_after

# A group without a name has no number; the plugin is "file", "onlinetext", or another.
_MOODLE = re.compile(r"(.+?)(?:_(\d+))?_assignsubmission_[a-z]+(?:_(.*))?", re.DOTALL)
# What Moodle calls those whose names it hides, in some languages; their numbers tell them apart.
_HIDDEN = {"participant", "participante", "partecipante", "teilnehmerin", "deelnemer", "uczestnik"}
_CANVAS = re.compile(r"(.+?)_(LATE_)?(\d+)_(?:(\d+)_(.+)|((?:text|link)\.html))", re.DOTALL)
_ANONYMOUS = re.compile(
    r"(LATE_)?(anon_[A-Za-z0-9]+)_(LATE_)?(?:(\d+)_(.+)|((?:text|link)\.html))", re.DOTALL
)
# What a second person's number in such a name looks like: students' own names have a 5_1 in them.
_MOODLE_FOLDER = re.compile(r"(.+)_(\d+)_assignsubmission_[a-z]+_?", re.DOTALL)
_AGAIN = re.compile(r"_(?:LATE_)?(\d+)_\d{4,18}_", re.DOTALL)
_BLACKBOARD = re.compile(r"(.+?_.+?)_attempt_(\d{4}(?:-\d\d){5})(?:_(.+)|\.txt)", re.DOTALL)
_HIDDEN_FILES = re.compile(r"\..*|__MACOSX", re.DOTALL | re.IGNORECASE)
_FEEDBACK = re.compile(r"feedback|.+?_assignfeedback_[a-z]+(?:_.*)?", re.DOTALL | re.IGNORECASE)
_NOTEBOOK = re.compile(r"\.ipynb(?:\.txt|\.json)?$", re.IGNORECASE)  # browsers add these

RECEIPT = "receipt.txt"  # of Blackboard: what it writes beside each attempt
_MOST_DIGITS = 18  # of a number
_MOST = 255  # characters of a name, more than disks take; to compose long ones takes for ever
_UNSEEN, _JOINERS = ("Cc", "Cf", "Zl", "Zp"), "\u200c\u200d"

# Whether it is the exercise's own name, and the number of the copy, as in `05_square (2).ipynb`.
Fit = tuple[bool, int]


@dataclass(frozen=True)
class Owner:
    """Whose work it is, and what else the learning platform wrote into the name.

    Attributes:
        name: of the person.
        number: that the learning platform gives them; "" where there is none.
        lasting: whether the number is the same in all downloads.
        platform, folder: as in `Person`.
        rank: which of several files of a person came later, the larger; () if nothing says so.
        late: whether it is marked as late.
        handed_in: when, as "2026-11-20T23:59:00"; "" if nothing says so.
        is_by_name: whether a list of the class has the name that the student gave the file.
        others: who else may be meant, by a name that students can forge; "" if that is nobody.
    """

    name: str
    number: str = ""
    lasting: bool = False
    platform: str = ""
    folder: str = ""
    rank: tuple[int, ...] = ()
    late: bool = False
    handed_in: str = ""
    is_by_name: bool = False
    others: str = ""


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


def is_hidden(name: str) -> bool:
    """Return whether programs give such a name to what they do not show."""
    return _HIDDEN_FILES.fullmatch(name) is not None


def is_ignored(name: str) -> bool:
    """Return whether what has this name, at the top of a download, is nobody's work.

    Deeper a name is the student's own choice, and says nothing of the kind.
    """
    return is_hidden(name) or bool(_FEEDBACK.fullmatch(name) and not owner_of_file(name))


def owner_of_folder(name: str, exercises: Sequence[str] = ()) -> Owner:
    """Return whose folder it is; GitHub Classroom puts the exercise before the username.

    Moodle puts nothing of the student's own behind the person's number, so that the last is it.
    """
    if match := _MOODLE_FOLDER.fullmatch(name) or _MOODLE.fullmatch(name):
        return _of_moodle(match, name)
    for exercise in exercises:
        before = f"{exercise.replace('_', '-')}-"
        if name.casefold().startswith(before) and len(name) > len(before):
            return Owner(name[len(before) :], folder=name)
    return Owner(name, folder=name)


def owner_of_file(name: str) -> tuple[Owner, str] | None:
    """Return whose file it is, and how they called it, if a learning platform named it.

    What a student called it stands last, and may look like another platform's name. So the first
    that a name can be is meant. But a person may have called themselves so, too: where a name tells
    of two people, the owner says so.
    """
    found = _first_owner(name)
    if not found:
        return None
    owner, own = found
    return replace(owner, others=_others(owner, own)), own


def _others(owner: Owner, own: str) -> str:
    """Return by which number or name somebody else may be meant, where one is in the own name."""
    if owner.number.startswith("anon_"):
        return ""  # nobody's name is in it
    if match := _MOODLE.fullmatch(f"_{own}"):
        return match[2] or match[1].lstrip("_")
    if match := _BLACKBOARD.fullmatch(f"_{own}"):
        user = match[1].rpartition("_")[2]
        return "" if user.casefold() == owner.number.casefold() else user
    numbers = (match[1] for match in _AGAIN.finditer(f"_{own}"))
    return next((number for number in numbers if number != owner.number), "")


def _first_owner(name: str) -> tuple[Owner, str] | None:
    patterns = (_MOODLE, _BLACKBOARD, _CANVAS)
    matches = [match for pattern in patterns if (match := pattern.fullmatch(name))]
    match = min(matches, key=lambda match: match.end(1), default=None)
    if match and match.re is _MOODLE:
        own = match[3] or ""
        return _of_moodle(match, name.removesuffix(own)), own
    if match and match.re is _BLACKBOARD:
        return _of_blackboard(match), match[3] or RECEIPT
    return _of_canvas(name)


def _of_canvas(name: str) -> tuple[Owner, str] | None:
    if match := _ANONYMOUS.fullmatch(name):
        late, number, also_late, file, own, text = match.groups()
    elif match := _CANVAS.fullmatch(name):
        _, late, number, file, own, text = match.groups()
        also_late = None
    else:
        return None
    own = own or text
    person = number if number.startswith("anon_") else match[1]
    rank = (int(file[:_MOST_DIGITS]),) if file else ()
    is_late = bool(late or also_late)
    return Owner(person, number, True, "canvas", name.removesuffix(own), rank, is_late), own


def _of_moodle(match: re.Match[str], folder: str) -> Owner:
    name, number = match[1], match[2] or ""
    if number and name.casefold() in _HIDDEN:
        name = f"{name} {number}"
    return Owner(name, number, platform="moodle", folder=folder)


def _of_blackboard(match: re.Match[str]) -> Owner:
    """Return whose attempt it is: the username stands after the assignment's name."""
    user = match[1].rpartition("_")[2]
    time = [int(part) for part in match[2].split("-")]
    try:
        handed_in = iso(datetime(*time))
    except ValueError:
        handed_in = ""
    folder = f"{match[1]}_attempt_{match[2]}"
    return Owner(user, user, True, "blackboard", folder, tuple(time), handed_in=handed_in)


def before_attempt(owner: Owner) -> str:
    """Return the assignment and the username, as Blackboard joins them in the names of files."""
    return owner.folder[: -len("_attempt_2026-11-20-23-59-00")]


def is_platforms(name: str) -> bool:
    """Tell whether a learning platform named a file or a folder after a person."""
    return owner_of_file(name) is not None


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
