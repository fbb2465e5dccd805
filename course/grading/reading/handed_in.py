"""Tell when work was handed in: by the learning platform, or else by the time of a file."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

from course.grading.reading.moments import iso, moment_of
from course.grading.reading.students import Work
from course.grading.reading.untrusted_files import UnreadableError

# Their downloads say when work was handed in. File times are often those of the download.
TELLS_TIMES = ("nbgrader", "blackboard", "gradescope")
_STAMP = "timestamp.txt"
_NO_TIME = (
    "Its timestamp.txt says no time that can be: it counts as in time, unless you set the points "
    "in overrides.csv."
)
_OF_ASSIGNMENT = 3  # student, assignment, file
_MOMENT = re.compile(r"\s*(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d{1,9})?\s*(UTC|GMT)?")


class HandedIn:
    """When the files of a heap were handed in."""

    def __init__(self, read: Callable[[Work], bytes]) -> None:
        """Args: how to read a file."""
        self._read = read
        self._stamps: dict[tuple[str, ...], str] = {}

    def note(self, works: list[Work]) -> "HandedIn":
        """Read nbgrader's `timestamp.txt`, which stands beside the notebooks of an assignment."""
        for work in works:
            parts = work.item.parts
            is_nbgraders = work.item.is_nbgraders and not work.item.packed_in
            if is_nbgraders and len(parts) == _OF_ASSIGNMENT and parts[-1] == _STAMP:
                self._stamps[parts[:-1]] = self._moment(work)
        return self

    def by_platform(self, work: Work) -> str:
        """Return when a file was handed in, if the platform says so, as ISO text; or ""."""
        parts = work.item.parts
        stamps = (self._stamps.get(parts[:depth], "") for depth in range(len(parts) - 1, 0, -1))
        return work.handed_in or next(filter(None, stamps), "")

    def by_file(self, work: Work) -> str:
        """Return the time of the file, or of the archive that came; or "".

        It counts for nothing, and so it never stands where the time of a platform would.
        """
        if work.person.platform in TELLS_TIMES:
            return ""
        try:
            return iso(datetime(*work.item.arrived[:6]))
        except (ValueError, TypeError):  # an archive may say anything
            return ""

    def doubts(self, work: Work) -> tuple[str, ...]:
        """Return a sentence on a file whose `timestamp.txt` cannot be believed."""
        depths = range(len(work.item.parts))
        stamps = [self._stamps.get(work.item.parts[:depth]) for depth in depths]
        return (_NO_TIME,) if "" in stamps else ()

    def _moment(self, work: Work) -> str:
        try:
            match = _MOMENT.match(self._read(work)[:200].decode("utf-8", "replace"))
        except UnreadableError:
            return ""
        moment = moment_of(f"{match[1]}T{match[2]}") if match else None
        return iso(moment.replace(tzinfo=UTC) if match[3] else moment) if moment else ""
