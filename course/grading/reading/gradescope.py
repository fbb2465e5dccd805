"""Read who is behind each folder of a Gradescope export, from its submission_metadata.yml."""

import re
from dataclasses import dataclass
from datetime import datetime

import yaml

from course.grading.reading.moments import iso

METADATA = "submission_metadata.yml"
_MOST = 20_000  # characters of what is read of one submission, and how many submissions
_SECTION = re.compile(r"^(submission_\d{1,18}):[ \t]*$", re.MULTILINE)
_PERSONS = re.compile(r"^  :submitters:\n((?:  (?:-|  ).*\n)+)", re.MULTILINE)
_CREATED = re.compile(
    r"^  :created_at: ([-0-9]{10} [0-9:]{8})(?:\.\d{1,9})? ([-+0-9:]{5,6}|Z)$", re.M
)


@dataclass(frozen=True)
class Submitters:
    """Who handed in together, and when.

    Attributes:
        people: the name of each, and their number or else their address.
        handed_in: as "2026-11-20T23:59:00", by the clock of this machine; "" if it is not told.
    """

    people: tuple[tuple[str, str], ...]
    handed_in: str = ""


def read_metadata(content: bytes) -> dict[str, Submitters]:
    """Return who is behind each folder, such as "submission_456"; what cannot be read is left out.

    What programs and students wrote into the file stands deeper in it than what is looked at.
    """
    text = content.decode("utf-8", "replace").replace("\r\n", "\n")
    starts = list(_SECTION.finditer(text))[:_MOST]
    ends = [match.start() for match in starts[1:]] + [len(text)]
    found = {}
    for match, end in zip(starts, ends, strict=False):
        section = text[match.end() + 1 : min(end, match.end() + _MOST)]
        people = _people(section)
        if people:
            found[match[1]] = Submitters(people, _handed_in(section))
    return found


def _people(section: str) -> tuple[tuple[str, str], ...]:
    listed = _PERSONS.search(f"{section}\n")
    if not listed:
        return ()
    try:
        entries = yaml.load(listed[1], yaml.BaseLoader)  # texts only, and nothing is made of tags
    except (yaml.YAMLError, RecursionError, ValueError):
        return ()
    people = [_person(entry) for entry in entries if isinstance(entry, dict)]
    return tuple(person for person in people if person)


def _person(entry: dict) -> tuple[str, str] | None:
    known = {key: " ".join(value.split()) for key, value in entry.items() if isinstance(value, str)}
    number = known.get(":sid") or known.get(":email") or ""
    name = known.get(":name") or number
    return (name, number) if name else None


def _handed_in(section: str) -> str:
    match = _CREATED.search(section)
    try:
        moment = datetime.fromisoformat(f"{match[1]} {match[2]}".replace(" Z", "+00:00"))
        return iso(moment)
    except (TypeError, ValueError, OverflowError):
        return ""
