"""What the course's reports say of each mistake: only what the reader of a task has learnt."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from helpers.checks.task import Task
from helpers.checks.tasks import find
from whygrad import report
from whygrad.mistakes import MISTAKES, Mistake
from whygrad.verdict import Verdict

_TEXTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_GROUPS: dict[str, list[str]] = _TEXTS.pop("groups")
PREDICTION = Mistake(**_TEXTS.pop("prediction"))
_MOST_CAUSES = 2


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One thing that can be said of a mistake, and to whom.

    Attributes:
        says: the words.
        section: in place of words, the section of lesson `since` where to read on.
        since: the lesson that teaches what it speaks of; of a section, the lesson it stands in.
        kinds: the kinds of task that it can be meant in; empty for all.
        tasks: the tasks that it can be meant in; empty for all.
        otherwise: whether it is said only if nothing that stands before it can be.
        seen: words of what was seen, without which it is not meant; "" for none.
    """

    says: str = ""
    section: str = ""
    since: int = 0
    kinds: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    otherwise: bool = False
    seen: str = ""

    def fits(self, task: Task, seen: str) -> bool:
        """Tell whether it can be said in a report on this task, of what was seen."""
        return (
            self.since <= int(task.id.partition(".")[0])
            and self.seen in seen
            and (not self.kinds or task.kind in self.kinds)
            and (not self.tasks or task.id in self.tasks)
        )


def _read(entry: dict) -> Sentence:
    since, named = entry.pop("from", 0), entry.pop("tasks", [])
    tasks = tuple(one for name in named for one in _GROUPS.get(name, [name]))
    return Sentence(since=since, tasks=tasks, kinds=tuple(entry.pop("kinds", ())), **entry)


# By mistake and by part ("sentence", "cause", "look", "see"): what can be said, fittest first.
SENTENCES: dict[str, dict[str, list[Sentence]]] = {
    name: {part: [_read(entry) for entry in entries] for part, entries in parts.items()}
    for name, parts in _TEXTS.items()
}


def causes(name: str, task: Task, seen: str = "") -> list[str]:
    """Return the usual causes of a mistake that can be meant in a task, two at most."""
    return [one.says for one in _fitting(name, "cause", task, seen)][:_MOST_CAUSES]


@cache
def advice(task_id: str) -> Mapping[str, Mistake]:
    """Return what the course says of each mistake, in a report on this task."""
    task = find(task_id)
    if task.kind == "prediction":
        missing = ("not-started", "unfinished-prediction")
        return {
            **dict.fromkeys(MISTAKES, PREDICTION),
            **{name: _said(name, task) for name in missing},
        }
    return {name: _said(name, task) for name in MISTAKES}


def advice_on(verdict: Verdict, task_id: str) -> Mapping[str, Mistake]:
    """Return the same for one verdict: what is said is about what was seen."""
    said, task = advice(task_id), find(task_id)
    if task.kind == "prediction":
        return said
    fitter = {
        finding.name: _said(finding.name, task, finding.detail)
        for finding in (*sum(verdict.others, ()), *verdict.findings[::-1])
        if any(one.seen for part in SENTENCES.get(finding.name, {}).values() for one in part)
    }
    # Where the line is named, where to learn how to look for it is a detour.
    named = {one.name for one in verdict.findings if one.why and one.look} & {"wrong-gradient"}
    every = {**said, **fitter}
    return every | {name: replace(every[name], read_on="") for name in named}


def message(verdict: Verdict, task_id: str) -> str:
    """Return the diagnosis in a sentence or two, without the usual cause and the advice."""
    return report.message(verdict, advice(task_id))


def _said(name: str, task: Task, seen: str = "") -> Mistake:
    """Put together what is said; a part that no sentence fits is whygrad's own."""
    mistake = MISTAKES[name]
    sentence, look, section = (
        next(_fitting(name, part, task, seen), None) for part in ("sentence", "look", "see")
    )
    return replace(
        mistake,
        sentence=sentence.says if sentence else mistake.sentence,
        cause=" ".join(causes(name, task, seen)) or mistake.cause,
        look=look.says if look else mistake.look,
        read_on=f"See lesson {section.since}, “{section.section}”." if section else "",
    )


def _fitting(name: str, part: str, task: Task, seen: str) -> Iterator[Sentence]:
    found = False
    for one in SENTENCES.get(name, {}).get(part, []):
        if one.fits(task, seen) and not (one.otherwise and found):
            found = True
            yield one
