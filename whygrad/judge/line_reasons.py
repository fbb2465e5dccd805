"""The line behind a mistake: each sentence is a query on the log."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from whygrad.judge.precedence import inputs_of
from whygrad.lines.step import ARRAYS, Step, steps
from whygrad.verdict import Finding, Verdict

Told = Iterator[tuple[str, str]]  # a line, and what is said of it
_FEW = 2  # lines that are named at once
_NOT_FINITE = re.compile(r"\b(?:nan|inf|not finite)\b")


def located(verdict: Verdict, measured: dict[str, Any], names: Sequence[str]) -> Verdict:
    """Return a verdict whose findings name the line that is behind them, where the log has it."""

    def told(findings: Sequence[Finding]) -> tuple[Finding, ...]:
        return tuple(replace(one, where=_where(one, measured, names)) for one in findings)

    return replace(
        verdict,
        findings=told(verdict.findings),
        others=tuple(map(told, verdict.others)),
        remarks=told(verdict.remarks),
    )


def _where(finding: Finding, measured: dict[str, Any], names: Sequence[str]) -> str:
    query = _QUERIES.get(finding.name)
    if query is None and _NOT_FINITE.search(finding.detail):
        query = _first_not_finite
    if query is None:
        return ""
    tracked = (measured["trials"][0].get("second") or {}).get("tracked") or {}
    logs = [tracked] if query is _ended else measured["trials"]
    ran = [step for log in logs for step in steps(log.get("lines"))]
    about = _About(finding, measured["trials"], names)
    told: dict[str, str] = {}
    for place, said in query(about, ran):
        told.setdefault(place, said)
    return " ".join([*told.values()][:_FEW])


@dataclass(frozen=True)
class _About:
    """What a sentence is about: a finding, the trials behind it, the names of the inputs."""

    finding: Finding
    trials: list[dict[str, Any]]
    names: Sequence[str]


def _changed(about: _About, ran: list[Step]) -> Told:
    """Say which line writes into what a finding is about."""
    roles = _roles(about)
    for step in ran:
        for write in step.writes:
            if write["role"].startswith(roles):
                yield step.place, f"{_called(write)} is changed by {step.place}."
    for step in ran:
        shared = step.operation in ARRAYS and any(root.startswith(roles) for root in step.roots)
        if shared and step.reads:
            memory = f"the memory of `{step.reads[0]['name']}`"
            yield step.place, f"The array of {step.place} is {memory}: a write changes both."


def _roles(about: _About) -> tuple[str, ...]:
    finding = about.finding
    if finding.name == "modifies-grad-output":
        return ("incoming",)
    if finding.name == "keeps-state" or finding.about == "the output":
        return ("kept", "outside")
    inputs = inputs_of(finding, about.names)
    named = tuple(f"input {p}" for p, name in enumerate(about.names) if name in inputs)
    return named or ("input",)


def _called(write: dict[str, str]) -> str:
    """Name a tensor that was written into, with what it is a view of and where it is kept."""
    kind, _, place = write["role"].partition(" ")
    what = f"a view of `{write['base']}`" if write["base"] else ""
    if kind == "kept" and place != write["name"]:
        what += f"{' and ' if what else ''}stored in `{place}`"
    if not write["name"]:
        return what[:1].upper() + what[1:] or "A tensor"
    return f"`{write['name']}`" + (f", {what}," if what else "")


def _ended(about: _About, ran: list[Step]) -> Told:
    """Say which line ends the history of what a derivative is taken with respect to."""
    target, names = about.finding.about.partition(" by ")[2], about.names
    root = f"input {names.index(target)}" if target in names else "incoming" if target else ""
    for step in ran:
        if not any(one.startswith(root) for one in step.roots):
            continue
        if step.kept:
            how = ", by NumPy" if step.operation in ARRAYS else ""
            made = f"`{step.target or step.kept}` is made in forward{how}, by {step.place}"
            yield step.place, f"{made}: there it gets no history."
        elif step.ends:
            read = next((f" of `{one['name']}`" for one in step.reads if one["name"]), "")
            yield step.place, f"The history{read} ends in {step.place}, by {step.ends}."


def _cast(about: _About, ran: list[Step]) -> Told:
    """Say which line makes a tensor of the wrong dtype."""
    dtype = re.search(r" is (\w+)", about.finding.detail)
    for step in _first(ran, "backward" if "gradient" in about.finding.about else "forward"):
        if dtype and step.cast.endswith(dtype[1]):
            verb = "casts" if " to " in step.cast else "makes a tensor of"
            yield step.place, f"{step.place} {verb} {step.cast}."


def _first_not_finite(about: _About, ran: list[Step]) -> Told:
    """Say which line makes the first number that is not finite, of what."""
    phase = "forward" if about.finding.name == "wrong-forward" else "backward"
    for step in _first(ran, phase):
        if step.not_finite:
            number = f"The first number that is not finite is {step.not_finite}"
            yield "", f"{number}, by {step.place}."


def _first(ran: list[Step], phase: str) -> list[Step]:
    return sorted(ran, key=lambda step: step.phase != phase)


def _size(about: _About, ran: list[Step]) -> Told:
    """Say which line has a size of the first inputs as a number."""
    base, detail = about.trials[0], about.finding.detail
    other = next((t for t in about.trials if f"With {t['name']}:" in detail), base)
    if about.finding.raised and about.finding.raised.line:
        return
    for name, *both in zip(about.names, base["inputs"], other["inputs"], strict=False):
        shapes = [one.get("shape") or () for one in both]
        changed = {old for old, new in zip(*shapes, strict=False) if old != new and old > 1}
        for step in ran:
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
