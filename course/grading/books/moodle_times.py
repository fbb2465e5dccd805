"""Remember in a report when Moodle's participants handed in, as its grading worksheets say.

A worksheet is of one assignment. That of the next week must not make the times of this one
forgotten. A participant's number is of one assignment too, so that one table holds all of them.
"""

import json

from course.grading.books.roster import RosterFile
from course.grading.report_folder import ReportError, ReportFolder

_FILE = "moodle_times.json"


def remembered_times(folder: ReportFolder, roster: RosterFile) -> dict[str, str]:
    """Return the times of all worksheets that were ever given, by number; the newest counts.

    Raises:
        ReportError: they cannot be read or written.
    """
    known = _known(folder)
    if roster.platform != "moodle" or roster.is_remembered:
        return known
    now = dict(known)
    for entry in roster.entries:
        now.pop(entry.number, None)
        if entry.handed_in:
            now[entry.number] = entry.handed_in
    if now != known:
        folder.write(_FILE, json.dumps(dict(sorted(now.items())), indent=1) + "\n")
    return now


def _known(folder: ReportFolder) -> dict[str, str]:
    try:
        data = json.loads((folder.path / _FILE).read_text(encoding="utf-8"))
        if isinstance(data, dict) and all(isinstance(time, str) for time in data.values()):
            return data
    except FileNotFoundError:
        return {}
    except (OSError, ValueError):
        pass
    # Without the times, late work would count as in time.
    raise ReportError(
        f"{_FILE} in {folder.path} is damaged: delete it, and give the grading worksheets of "
        "Moodle once more with --roster."
    )
