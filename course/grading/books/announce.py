"""Say on the terminal how a run went, and what needs somebody."""

import sys
from collections.abc import Sequence
from pathlib import Path

from course.grading.books.needs import Need
from course.grading.books.tally import is_handed_in, is_open, points_so_far
from course.grading.reading.submissions import Found
from course.grading.results import Result
from course.grading.terminal import printable, say

_MOST_NAMED = 20
_LONGEST_NAME = 100
_FAULT = "not graded, which is the grader's fault; run the same command again"
_DOUBT = "for a person to see to; index.html says what to do"


def announce(report: Path, found: Found, results: Sequence[Result], needs: Sequence[Need]) -> int:
    """Say how many submissions there are, and what needs somebody; return the exit status."""
    tasks = [task for result in results for task in result.tasks]
    points = points_so_far(results)
    most = sum(task.max_points for task in tasks)
    so_far = " so far" if any(map(is_open, results)) else ""
    graded = len(found.submissions)
    count = f"{graded} {'submission' if graded == 1 else 'submissions'} graded"
    total = sum(map(is_handed_in, results))
    if total != graded:
        count += f", {total} in the report"
    say(f"{count}, {points:g} of {most:g} points{so_far}: {report}/index.html", sys.stdout)
    for is_fault, words in ((True, _FAULT), (False, _DOUBT)):
        _list([need for need in needs if need.is_fault is is_fault], words)
    return 1 if needs else 0


def _list(needs: Sequence[Need], words: str) -> None:
    by_reason: dict[str, list[str]] = {}
    for need in needs:
        place = ", ".join(filter(None, (repr(need.student), need.which or need.exercise)))
        by_reason.setdefault(need.reason, []).append(place if need.student else "")
    if needs:
        say(f"{len(needs)} {words}:")
    for reason, places in list(by_reason.items())[:_MOST_NAMED]:
        more = f" and {len(places) - 3} more" if len(places) > 3 else ""
        where = "; ".join(printable(place, _LONGEST_NAME) for place in places[:3] if place)
        say(f"  {where}{more}: {reason}" if where else f"  {reason}")
    if len(by_reason) > _MOST_NAMED:
        say(f"  … and {len(by_reason) - _MOST_NAMED} more reasons, all on index.html.")
