"""Say who sent each file of a download, by the layout that its platform gives it.

To add a platform, add a row to `LAYOUTS`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from course.grading.reading.archives import is_archive
from course.grading.reading.commits import last_commit
from course.grading.reading.files import File

_STAMP = "timestamp.txt"  # that nbgrader lays beside a notebook
# What stands beside submissions and is nobody's work: lists, and what programs lay there.
_BESIDE = re.compile(
    r"(?:readme|license)(?:\.(?:md|rst|txt))?|makefile|course\.toml|index\.html|gradebook\.db"
    r"|nbgrader_config\.py|thumbs\.db|desktop\.ini|.+\.(?:csv|tsv|xlsx?|ods|yml)"
    r"|.+_assignfeedback_[a-z]+(?:_.*)?|feedback",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True)
class Person:
    """What a download says of a student, kept so that grades and feedback find their way back.

    Attributes:
        name: as grades.csv calls them; no two students of a report share one.
        platform: "moodle", "canvas", "github", "blackboard", "nbgrader", or "" for a folder.
        number: that the platform gives them; "" where there is none.
        folder: of theirs in the download, or what their files' names begin with, as it is written
            there; "" where there is none.
        ids: by which lists of the class know them, such as an e-mail address.
        called: as the download calls them, where that is another name; else "".
        commit: when and by whom the last commit in their folder was made, as it claims; or "".
    """

    name: str = ""
    platform: str = ""
    number: str = ""
    folder: str = ""
    ids: tuple[str, ...] = ()
    called: str = ""
    commit: str = field(default="", compare=False)

    @property
    def own_name(self) -> str:
        """The name without the number or the id that tells two of one name apart."""
        for mark in filter(None, (self.number, *self.ids)):
            if self.name.endswith(f" ({mark})"):
                return self.name.removesuffix(f" ({mark})")
        return self.name


@dataclass(frozen=True)
class Layout:
    """How a platform calls what lies at the top of its download.

    Attributes:
        platform: its name.
        pattern: of a name at the top. Its groups say what the parts mean: `name`, `number` of the
            person, `late` if it is there, `rank` (the larger came later), `time`, and `own`, what
            the student called the file. {assignment} stands for what GitHub Classroom calls it.
        is_file: whether it is of files, and not of folders.
    """

    platform: str
    pattern: str
    is_file: bool = False


_HIDDEN = r"(?P<name>Participant_(?P<number>\d+))"  # where Moodle does not show names
_SHOWN = r"(?P<name>[^_]+)(?:_(?P<number>\d+))?"  # it writes spaces for underscores in names
_PLUGIN = r"_assignsubmission_[a-z]+"
_CANVAS = r"_(?:(?P<rank>\d{1,18})_(?P<own>.+)|(?:text|link)\.html)"
# The first row that fits says whose it is.
LAYOUTS = (
    Layout("moodle", rf"{_HIDDEN}{_PLUGIN}_?"),
    Layout("moodle", rf"{_SHOWN}{_PLUGIN}_?"),
    Layout("moodle", rf"{_HIDDEN}{_PLUGIN}_(?P<own>.+)", is_file=True),
    Layout("moodle", rf"{_SHOWN}{_PLUGIN}_(?P<own>.+)", is_file=True),
    Layout(
        "canvas",
        rf"(?P<late>LATE_)?(?P<name>(?P<number>anon_[A-Za-z0-9]+))(?P<late2>_LATE)?{_CANVAS}",
        is_file=True,
    ),
    Layout("canvas", rf"(?P<name>.+?)_(?P<late>LATE_)?(?P<number>\d+){_CANVAS}", is_file=True),
    Layout(
        "blackboard",
        r"(?P<number>.+?_(?P<name>[^_]+))_attempt_(?P<time>20\d\d(?:-\d\d){5})(?:_(?P<own>.+)|\.txt)",
        is_file=True,
    ),
    Layout("github", r"{assignment}-(?P<name>.+)"),
)
# Where most of a download is named by no platform.
_PLAIN = (Layout("", r"(?P<name>.+)"), Layout("", r"(?P<name>.+)", is_file=True))


@dataclass(frozen=True)
class Sent:
    """A file, and what the download says of who sent it.

    Attributes:
        file: the file or folder.
        person: of whom it is, by the download; `name` is what it calls them.
        is_chosen: whether a student can have chosen that name: that of a file which lies loose.
        is_late: whether the platform marks it as late.
        handed_in: when, by the platform, as "2026-11-20T23:59:00"; "" if it does not say.
        rank: which of several files came later by the platform's own number, the larger; or 0.
    """

    file: File
    person: Person
    is_chosen: bool
    is_late: bool
    handed_in: str
    rank: int


def sent(download: str, files: Sequence[File], exercises: Iterable[str]) -> list[Sent]:
    """Return who sent each file.

    A download is read as that of the platform which more than half of its names fit; a name that
    does not fit is a student's folder, or a loose file. What lies beside submissions is left out.

    Args:
        download: its name.
        files: all that lies in it.
        exercises: the names of exercises, by which GitHub Classroom may call repositories.
    """
    rows = _rows(download, exercises)
    folders = {one.parts[0] for one in files if one.is_folder or len(one.parts) > 1}
    tops = {one.parts[0]: one.parts[0] not in folders or is_archive(one.parts[0]) for one in files}
    fitting = {}
    for top, is_file in tops.items():
        several = {
            row: match
            for row, pattern in rows.items()
            if row.is_file == is_file and (match := pattern.fullmatch(top))
        }
        if next(iter(several)).platform or not _BESIDE.fullmatch(top):
            fitting[top] = several
    counts = Counter(
        platform for several in fitting.values() for platform in {row.platform for row in several}
    )
    platform = max((row.platform for row in LAYOUTS), key=lambda one: counts[one])
    if 2 * counts[platform] <= len(fitting):
        platform = ""
    found = {
        top: next(one for one in several.items() if one[0].platform in ("", platform))
        for top, several in fitting.items()
    }
    return [
        _sent(one, *found[one.parts[0]])
        for one in files
        if one.parts[0] in found and one.name != _STAMP
    ]


def _rows(download: str, exercises: Iterable[str]) -> dict[Layout, re.Pattern[str]]:
    """Return the rows of layouts that this download may have, in order, the plain ones last."""
    called = [download.removesuffix("-submissions"), *(one.replace("_", "-") for one in exercises)]
    assignment = f"(?:{'|'.join(map(re.escape, filter(None, called)))})"
    return {
        row: re.compile(row.pattern.replace("{assignment}", assignment), re.DOTALL)
        for row in (*LAYOUTS, *_PLAIN)
    }


def _sent(file: File, layout: Layout, match: re.Match[str]) -> Sent:
    said = {key: text for key, text in match.groupdict().items() if text}
    name = said["name"].replace("_", " ") if layout.platform == "moodle" else said["name"]
    folder = file.parts[0].removesuffix(said.get("own", ""))
    top = Path(*file.path.parts[: 1 - len(file.parts) or None])
    commit = "" if file.member else last_commit(top)
    person = Person(name, layout.platform, said.get("number", ""), folder, commit=commit)
    is_late = "late" in said or "late2" in said
    is_chosen = layout is _PLAIN[1]
    return Sent(file, person, is_chosen, is_late, _iso(said), int(said.get("rank", 0)))


def _iso(said: dict[str, str]) -> str:
    try:
        return datetime.strptime(said["time"], "%Y-%m-%d-%H-%M-%S").isoformat()
    except (KeyError, ValueError):
        return ""
