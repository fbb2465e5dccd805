"""Remember in a report what Moodle's grading worksheets say of work: when it came, and drafts.

A worksheet is of one assignment. That of the next week must not make the times of this one
forgotten. A participant's number is of one assignment too, so that one table holds all of them.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from course.grading.books.roster import RosterFile
from course.grading.report_folder import ReportError, ReportFolder

_FILE = "moodle_times.json"


@dataclass(frozen=True)
class MoodleTime:
    """What a worksheet says of a participant's work.

    Attributes:
        handed_in: when, as "2026-11-20T23:59:00"; "" if it says no time that can be read.
        written: the same as the worksheet writes it.
        is_draft: whether it was begun, and not submitted.
    """

    handed_in: str = ""
    written: str = ""
    is_draft: bool = False


MoodleTimes = Mapping[str, MoodleTime]  # by the participant's number
NO_TIMES: MoodleTimes = MappingProxyType({})


def remembered_times(folder: ReportFolder, roster: RosterFile) -> dict[str, MoodleTime]:
    """Return what all worksheets that were ever given say, by number; the newest counts.

    Raises:
        ReportError: they cannot be read or written.
    """
    known = _known(folder)
    if roster.platform != "moodle" or roster.is_remembered:
        return known
    own = {e.number: MoodleTime(e.handed_in, e.written, e.is_draft) for e in roster.entries}
    now = {**known, **own}
    if now != known:
        data = {number: asdict(one) for number, one in sorted(now.items())}
        folder.write(_FILE, json.dumps(data, indent=1) + "\n")
    return now


def _known(folder: ReportFolder) -> dict[str, MoodleTime]:
    try:
        data = json.loads((folder.path / _FILE).read_text(encoding="utf-8"))
        return {number: _read(one) for number, one in data.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass
    # Without the times, late work would count as in time.
    raise ReportError(
        f"{_FILE} in {folder.path} is damaged: delete it, and give the grading worksheets of "
        "Moodle once more with --roster."
    )


def _read(data: Any) -> MoodleTime:
    if isinstance(data, str):  # as older reports have it
        return MoodleTime(data, data)
    return MoodleTime(str(data["handed_in"]), str(data["written"]), bool(data["is_draft"]))
