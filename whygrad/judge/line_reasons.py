"""The line behind a mistake: each sentence is a query on the log."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from whygrad.evidence import Evidence, Trial
from whygrad.judge.precedence import NUMBERS, inputs_of
from whygrad.lines.step import ARRAYS, RETURN, Step, Write
from whygrad.mistakes import table_beside
from whygrad.verdict import Finding, Verdict

Told = Iterator[tuple[str, str]]  # a line, and what is said of it
_FEW = 3  # lines that are named at once
_NUMBER = re.compile(r"\bis (?:nan|-?inf)\b")
_NOT_FINITE = re.compile(rf"{_NUMBER.pattern}|not finite")
_OF_RETURN = ("missing-gradient", "wrong-gradient-count", "wrong-forward")
_TABLE = table_beside(__file__)
_NO_LINE = "Is something divided by 0, or too large, as `exp(1000)` is?"


def located(verdict: Verdict, evidence: Evidence, names: Sequence[str]) -> Verdict:
    """Return a verdict whose findings name the line that is behind them, where the log has it."""

    places = [line.where for line in verdict.properties if line.ok is False]

    def told(findings: Sequence[Finding]) -> tuple[Finding, ...]:
        return tuple(_told(one, evidence, names, places) for one in findings)

    return replace(
        verdict,
        findings=told(verdict.findings),
        others=tuple(map(told, verdict.others)),
        remarks=told(verdict.remarks),
    )


def _told(
    finding: Finding, evidence: Evidence, names: Sequence[str], places: Sequence[str]
) -> Finding:
    query = _QUERIES.get(finding.name, _wrong_number)
    logs = [evidence.base.tracked] if query is _ended else evidence.trials
    ran = [step for log in logs for step in log.lines]
    about = _About(finding, evidence.trials, names, places)
    told: dict[str, str] = {}
    for place, said in query(about, ran):
        told.setdefault(place, said)
    found = replace(finding, where=" ".join([*told.values()][:_FEW]))
    if found.why or not (_NOT_FINITE if told else _NUMBER).search(finding.detail):
        return found
    look = _of_operation(ran, next(iter(told), ""))["look"]
    return found.because("" if told else _NO_LINE, look)


def _of_operation(ran: list[Step], place: str) -> dict[str, Any]:
    """Return what is said of the operation at a place that makes a number that is not finite."""
    made = [s.operation.strip("_") for s in ran if s.not_finite and s.place == place]
    known = (row for row in _TABLE["makes"] if made and made[0] in row["operations"])
    return next(known, _TABLE["other"])


@dataclass(frozen=True)
class _About:
    """What a sentence is about.

    Attributes:
        finding: the mistake.
        trials: what is behind it.
        names: of the inputs.
        places: where numbers are wrong, such as "[0, 1]".
    """

    finding: Finding
    trials: list[Trial]
    names: Sequence[str]
    places: Sequence[str]


def _changed(about: _About, ran: list[Step]) -> Told:
    """Say which line writes into what a finding is about."""
    roles = _roles(about)
    for step in ran:
        if written := [_called(one) for one in step.writes if one.role.startswith(roles)]:
            verb = "are" if len(written) > 1 else "is"
            yield step.place, f"{' and '.join(written)} {verb} changed by {step.place}."
    for step in ran:
        shared = step.operation in ARRAYS and any(root.startswith(roles) for root in step.roots)
        if shared and step.reads:
            memory = f"its memory with `{step.reads[0].name}`"
            yield step.place, f"An array in {step.place} shares {memory}: a write changes both."


def _roles(about: _About) -> tuple[str, ...]:
    finding = about.finding
    if finding.name == "modifies-grad-output":
        return ("incoming",)
    if finding.name == "keeps-state" or finding.about == "the output":
        return ("kept", "outside")
    inputs = inputs_of(finding, about.names)
    named = tuple(f"input {p}" for p, name in enumerate(about.names) if name in inputs)
    return named or ("input",)


def _called(write: Write) -> str:
    """Name a tensor that was written into, with what it is a view of and where it is kept."""
    kind, _, place = write.role.partition(" ")
    what = write.base
    if kind == "kept" and place != write.name:
        what += f"{' and ' if what else ''}stored in `{place}`"
    if not write.name:
        return f"A tensor {what}".strip()
    return f"`{write.name}`" + (f", {what}," if what else "")


def histories_ended(target: str, names: Sequence[str], ran: Sequence[Step]) -> list[Step]:
    """Return the steps that end the history of a target: an input, or an incoming gradient."""
    root = f"input {names.index(target)}" if target in names else "incoming" if target else ""
    ends = [step for step in ran if step.kept or step.ends]
    mine = [step for step in ends if any(one.startswith(root) for one in step.roots)]
    # A number that left PyTorch may be in what is returned, or not.
    return [step for step in mine if step.kept or step.is_used] or mine


def _ended(about: _About, ran: list[Step]) -> Told:
    """Say which line ends the history of what a derivative is taken with respect to."""
    finding = about.finding
    wrong = ", ".join((finding.about, finding.detail.partition("Wrong, too: ")[2].rstrip(".")))
    targets = dict.fromkeys(one.partition(" by ")[2] for one in wrong.split(", ") if one)
    each = [histories_ended(target, about.names, ran) for target in targets]
    steps = [step for one in each for step in one[:1]] + [step for one in each for step in one[1:]]
    for step in steps:
        if step.kept:
            kept = f"The tensor made by {step.place} is kept for backward"
            why = "Nothing is recorded in forward: only the tensors that it returns have a history"
            yield step.place, f"{kept}. {why}."
        elif step.ends:
            here = [one for one in steps if one.place == step.place and one.ends]
            yield step.place, f"The history{_ends(here, f' ends in {step.place}')}."


def _ends(steps: list[Step], first: str) -> str:
    """Say of some steps of one line whose history ends, and by what."""
    said = []
    for how in dict.fromkeys(step.ends for step in steps):
        names = named(steps, how)
        said.append(f"{f' of {names}' if names else ''}{'' if said else first}, by {how}")
    return ", and that".join(said)


def named(steps: Sequence[Step], ends: str) -> str:
    """Name the tensors whose history ended so in some steps; "" if none has a name."""
    first = [next((one.name for one in s.reads if one.name), "") for s in steps if s.ends == ends]
    return " and ".join(f"`{name}`" for name in dict.fromkeys(first) if name)


def _cast(about: _About, ran: list[Step]) -> Told:
    """Say which line makes a tensor of the wrong dtype."""
    found = re.search(r" is (\w+)", about.finding.detail)
    dtype = found[1] if found else ""
    wrong = [t for t in about.trials if all(one.dtype != dtype for one in t.inputs)]
    cast = [s for t in wrong for s in t.lines if dtype and s.cast.endswith(dtype)]
    phase = "backward" if "gradient" in about.finding.about else "forward"
    # What is cast in the other method follows from that, or is the reason.
    for step in [step for step in cast if step.phase == phase] or cast:
        verb = "casts" if " to " in step.cast else "makes a tensor of"
        yield step.place, f"{step.place} {verb} {step.cast}."


def _wrong_number(about: _About, ran: list[Step]) -> Told:
    """Say where a method returned None, where nan or inf begins, or what changes a saved tensor."""
    finding = about.finding
    for step in ran if finding.name in _OF_RETURN else ():
        if step.operation == RETURN:
            reached = "" if re.search(r"\breturn\b", step.code) else ", and reached no `return`"
            yield step.place, f"`{step.method}` ended at {step.place}{reached}."
    phase = "forward" if finding.name == "wrong-forward" else "backward"
    loops = (step for step in _first(ran, phase) if step.times > 1)
    if finding.why.startswith("Here it is off by ") and (step := next(loops, None)):
        yield step.place, f"Does a loop stop too early? It runs {step.place}."
    bad = [step for step in _first(ran, phase) if step.not_finite and step.is_used]
    there = [step for step in bad if _place(step) in about.places] or bad  # others may be masked
    if there and _NOT_FINITE.search(finding.detail):
        nan = next((step for step in there if step.not_finite.startswith("nan")), there[0])
        first = next(step for step in bad if _place(step) == _place(nan))
        line = next(step for step in ran if step.not_finite and step.place == first.place)
        number = f"The first number that is not finite is {line.not_finite}"
        yield line.place, f"{number}, by {_of_operation(ran, line.place)['what']}{line.place}."
        if nan.place != line.place:
            yield nan.place, f"The first nan is made by {nan.place}: {nan.not_finite}."
    for step in ran:
        for write in step.writes:
            if finding.name in NUMBERS and write.role == "saved before":
                changed = f"{_called(write)} is changed by {step.place}"
                yield step.place, f"{changed}, after it was saved for backward."


def _place(step: Step) -> str:
    found = re.search(r" at (\[.*?\])", step.not_finite)
    return found[1] if found else ""


def _first(ran: list[Step], phase: str) -> list[Step]:
    return sorted(ran, key=lambda step: step.phase != phase)


def _size(about: _About, ran: list[Step]) -> Told:
    """Say which line has a size of the first inputs as a number."""
    base, detail = about.trials[0], about.finding.detail
    other = next((t for t in about.trials if f"With {t.name}:" in detail), base)
    if about.finding.raised and about.finding.raised.line:
        return
    for name, *both in zip(about.names, base.inputs, other.inputs, strict=False):
        shapes = [one.shape or () for one in both]
        changed = {old for old, new in zip(*shapes, strict=False) if old != new and old > 1}
        for step in (one for one in ran if one.operation in _TABLE["takes_size"]):
            for old in changed.intersection(step.sizes):
                yield step.place, f"The number {old} is a size of {name}: {step.place}."


_QUERIES = {
    "modifies-input": _changed,
    "modifies-grad-output": _changed,
    "keeps-state": _changed,
    "wrong-dtype": _cast,
    "fixed-size": _size,
    "second-order-lost": _ended,
    "second-order-term-left-out": _ended,
}
