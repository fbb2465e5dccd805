"""Judge what a task's cells showed: the only place where evidence turns into a status."""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from course.grading.earned_parts import earned_parts
from course.grading.evidence_check import read_usable, what_lacks
from course.grading.results import EarnedPart, Judged
from course.grading.right_answers import Pair
from course.notebooks.nbval_run import Outcome
from course.notebooks.roles import is_check
from course.notebooks.student_notebook import evidence
from helpers.checks.advice import message
from helpers.checks.deadline import TooLongError, at_most
from helpers.checks.judge_answer import judge, without_numbers
from helpers.checks.task_evidence import Measured
from helpers.checks.tasks import find
from whygrad.evidence import EvidenceError
from whygrad.report import difference
from whygrad.verdict import Verdict

_SECONDS = 20.0  # to judge one piece of evidence, which takes a hundredth of one
_LONGEST = 2000  # characters of what an answer says
_MOST_RAISED = 300  # of them in an exception
_CONTRADICTS = "What was measured of its parts contradicts itself: a person has to look at it."
_EARLY = {
    "not-started": "Nothing has been written yet.",
    "not-a-function": "What is handed over is not a custom Function.",
    "raises": "What is handed over cannot be called, or a loop in it does not end.",
}
_SLOW = (
    "timeout",
    "took longer than it may: look for a loop that does not end, or does far more than it has to",
)
_TROUBLE = {
    "slow": _SLOW,
    "stuck": _SLOW,
    "died": ("died", "ended Python"),
}


def judge_task(outcomes: list[Outcome], expected: Pair, seed: int, task: str) -> Judged:
    """Return what became of a task, from its own cells that ran; the last is its check."""
    for outcome in outcomes:
        if outcome.trouble:
            status, did = _TROUBLE[outcome.trouble]
            return Judged(status, message=f"The cell {outcome.cell.id} {did}.")
    if not outcomes or not is_check(outcomes[-1].cell.id):
        return Judged("")
    pieces = evidence(outcomes[-1].outputs, task)
    shown = {one.get("hidden") is True: one for one in pieces if one.get("seed") == seed}
    if False not in shown or outcomes[-1].error:
        return _without_evidence(outcomes)
    if len(pieces) > len(shown):
        return Judged("not-gradable", message="Its check showed evidence more than once.")
    try:
        with at_most(_SECONDS):
            judged = _of_evidence(shown, expected, task)
    except (Exception, TooLongError) as error:  # forged evidence could hold anything
        kind = type(error).__name__
        return Judged("not-gradable", message=f"The evidence cannot be judged ({kind}).")
    return replace(judged, raised=_raised(shown[False]))


def _without_evidence(outcomes: list[Outcome]) -> Judged:
    first = next((one for one in outcomes if one.error), None)
    if first is None:
        return Judged("error", message="Its check showed no evidence.")
    said = first.error if len(first.error) <= _MOST_RAISED else f"{first.error[:_MOST_RAISED]} …"
    message = f"{first.cell.id} raised {said}."
    return Judged("error", message=message, raised=first.error[:_LONGEST])


def _raised(evidence: Any) -> str:
    """Return kind and words of the first exception that a piece of evidence holds; or ""."""
    found = next((one for one in _dicts(evidence) if "message" in one), None)
    return f"{found.get('type')}: {found['message']}"[:_LONGEST] if found else ""


def _dicts(value: Any) -> Iterator[dict[str, Any]]:
    """Yield each dictionary in data that came as JSON, those on the outside first."""
    level = deque([value])
    while level:
        item = level.popleft()
        if isinstance(item, dict):
            yield item
            level.extend(item.values())
        elif isinstance(item, list):
            level.extend(item)


def _of_evidence(shown: dict[bool, dict[str, Any]], expected: Pair, task: str) -> Judged:
    judged = visible = _verdict(shown[False], expected[0], task)
    if visible.status == "passed":
        if True not in shown:
            return Judged("error", message="A hidden check did not end.", passed=visible.passed)
        hidden = _verdict(shown[True], expected[1], task)
        if hidden.status == "passed":
            return visible
        names = without_numbers(hidden.failed)
        said = hidden.message if hidden.status == "not-gradable" else ""
        judged = Judged(hidden.status, hidden.diagnosis, said, visible.passed, (), names)
    if judged.status != "failed" or True not in shown:
        return judged
    pairs = [(shown[hidden].get("measured"), expected[hidden]) for hidden in (False, True)]
    return _with_parts(judged, earned_parts(find(task), pairs, judged.diagnosis))


def _with_parts(judged: Judged, parts: tuple[EarnedPart, ...] | None) -> Judged:
    """Add what the parts of a task earn that did not pass."""
    if parts is None:
        message = f"{judged.message} {_CONTRADICTS}".strip()
        return replace(judged, status="not-gradable", message=message)
    lost = {part.name for part in parts if not part.earned}
    passed = tuple(name for name in judged.passed if name not in lost)
    status = "partly" if len(lost) < len(parts) else "failed"
    return replace(judged, status=status, parts=parts, passed=passed)


def _verdict(shown: dict[str, Any], expected: Measured, task: str) -> Judged:
    measured = shown.get("measured")
    if measured is None:
        early = shown.get("early")
        name = early[0] if isinstance(early, list) and early else ""
        name = name if name in _EARLY else "raises"
        return Judged("failed", name, _EARLY[name])
    try:
        usable = read_usable(measured, expected)
    except EvidenceError as reason:
        return Judged("not-gradable", message=f"The evidence cannot be used: {reason}.")
    verdict = judge(usable, expected)
    lines = _lines(verdict)
    if not verdict.ok:
        first, said = verdict.findings[0], message(verdict, task)
        more = {key: getattr(first, key)[:_LONGEST] for key in ("why", "look", "where")}
        table = (verdict.table,) if verdict.table else ()
        return Judged("failed", verdict.names[0], said, *lines, **more, table=table)
    if lack := what_lacks(usable, expected):
        return Judged("not-gradable", message=f"The evidence lacks a part: {lack}.")
    return Judged("passed", "ok", "", *lines)


def _lines(verdict: Verdict) -> tuple[tuple[str, ...], tuple[str, ...]]:
    passed = tuple(line.name for line in verdict.properties if line.ok)
    failed = [line for line in verdict.properties if line.ok is False]
    said = (f"{line.name}: {difference(line)[:_LONGEST]}".removesuffix(": ") for line in failed)
    return passed, tuple(said)
