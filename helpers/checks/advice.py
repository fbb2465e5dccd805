"""What the course's reports say of each mistake: only what the reader of a task has learnt."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from helpers.checks.task import Task
from helpers.checks.tasks import find
from whygrad import report
from whygrad.mistakes import MISTAKES, ROWS, Mistake, Row, table_beside, told
from whygrad.verdict import Verdict

# By mistake and by part, as in whygrad's own table: what can be said, fittest first.
SENTENCES: dict[str, Row] = table_beside(__file__)
_GROUPS: dict[str, list[str]] = SENTENCES.pop("groups")
_UNANSWERED = ("not-started", "unfinished-prediction")


@cache
def advice(task_id: str) -> Mapping[str, Mistake]:
    """Return what the course says of each mistake, in a report on this task."""
    task = find(task_id)
    own = _UNANSWERED if task.kind == "prediction" else MISTAKES
    return {name: _said(name if name in own else "wrong-prediction", task) for name in MISTAKES}


def advice_on(verdict: Verdict, task_id: str) -> Mapping[str, Mistake]:
    """Return the same for one verdict: what is said is about what was seen."""
    said, task = dict(advice(task_id)), find(task_id)
    if task.kind == "prediction":
        return said
    for one in (*sum(verdict.others, ()), *verdict.findings[::-1]):
        said[one.name] = _said(one.name, task, one.detail)
        # If the line is named, where to learn how to look for it is a detour.
        if one.why and one.look and one.name == "wrong-gradient":
            said[one.name] = replace(said[one.name], read_on="")
    return said


def message(verdict: Verdict, task_id: str) -> str:
    """Return the diagnosis in a sentence or two, without the usual cause and the advice."""
    return report.message(verdict, advice(task_id))


def tasks_of(sentence: Row) -> list[str]:
    """Return the tasks that a sentence names, by themselves or in groups."""
    return [task for name in sentence.get("tasks", ()) for task in _GROUPS.get(name, [name])]


def _said(name: str, task: Task, seen: str = "") -> Mistake:
    """Return what is said in a report on this task, of what was seen."""

    def fits(sentence: Row) -> bool:
        return (
            sentence.get("from", 0) <= task.number
            and sentence.get("seen", "") in seen
            and task.kind in sentence.get("kinds", [task.kind])
            and task.id in (tasks_of(sentence) or [task.id])
        )

    return told(SENTENCES.get(name, {}), ROWS[name], fits=fits)
