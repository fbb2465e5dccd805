"""Say on the terminal how a run went, and what needs somebody."""

import sys
from collections.abc import Sequence
from pathlib import Path

from course.grading.books.questions import Question
from course.grading.books.tally import is_any_open, is_handed_in, points_so_far
from course.grading.results import Result
from course.grading.terminal import printable, say

_MOST_NAMED = 20
_LONGEST_NAME = 100
_FAULT = "not graded, which is no student's fault; each says what to do"
_DOUBT = "for a person to see to; index.html says what to do"


def announce(report: Path, anew: int, results: Sequence[Result], needs: Sequence[Question]) -> int:
    """Say how many submissions there are, and what needs somebody; return the exit status.

    Args:
        report: the folder.
        anew: how many submissions the run graded; the others had their results.
        results, needs: of the whole report.
    """
    tasks = [task for result in results for task in result.tasks]
    points = points_so_far(results)
    most = sum(task.max_points for task in tasks)
    so_far = " so far" if is_any_open(results) else ""
    total = sum(map(is_handed_in, results))
    count = f"{anew} graded anew, {total} {'submission' if total == 1 else 'submissions'} in all"
    say(f"{count}, {points:g} of {most:g} points{so_far}: {report}/index.html", sys.stdout)
    for is_fault, words in ((True, _FAULT), (False, _DOUBT)):
        _list([need for need in needs if (need.kind == "fault") is is_fault], words)
    return 1 if needs else 0


def _list(needs: Sequence[Question], words: str) -> None:
    if needs:
        say(f"{len(needs)} {words}:")
    for need in needs[:_MOST_NAMED]:
        who = need.student and repr(need.student)
        about = ", ".join(filter(None, (who, need.exercise, need.which)))
        say(f"  {printable(about, _LONGEST_NAME)}: {need.text}" if about else f"  {need.text}")
    if len(needs) > _MOST_NAMED:
        say(f"  … and {len(needs) - _MOST_NAMED} more, all on index.html.")
