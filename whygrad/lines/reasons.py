"""The line behind a mistake: each sentence is a query on the log."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from whygrad.lines.step import ARRAYS, steps
from whygrad.verdict import Finding, Verdict

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
    trials = measured["trials"]
    query = _QUERIES.get(finding.name)
    query = _second_order if finding.name.startswith("second-order") else query
    if query is None and _NOT_FINITE.search(finding.detail):
        query = _first_not_finite
    found = query(finding, trials, names) if query else ()
    return " ".join([*dict.fromkeys(found)][:_FEW])


def _changed(finding: Finding, trials: list[dict[str, Any]], names: Sequence[str]) -> Iterator[str]:
    """Say which line writes into what a finding is about."""
    roles = _roles(finding, names)
    every, told = [step for trial in trials for step in steps(trial.get("lines"))], {}
    for step in every:
        for write in step.writes:
            if write["role"].startswith(roles):
                told.setdefault(step.place, f"{_called(write)} is changed by {step.place}.")
    for step in every:
        shared = step.operation in ARRAYS and any(root.startswith(roles) for root in step.roots)
        if shared and step.reads and (name := step.reads[0]["name"]):
            words = f"The array of {step.place} is the memory of `{name}`: a write changes both."
            told.setdefault(step.place, words)
    return iter(told.values())


def _roles(finding: Finding, names: Sequence[str]) -> tuple[str, ...]:
    if finding.name == "modifies-grad-output":
        return ("incoming",)
    if finding.name == "keeps-state" or finding.about == "the output":
        return ("kept", "outside")
    about = re.findall(r"[\w.\[\]']+", finding.about)
    named = tuple(f"input {place}" for place, name in enumerate(names) if name in about)
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


def _second_order(
    finding: Finding, trials: list[dict[str, Any]], names: Sequence[str]
) -> Iterator[str]:
    """Say which line ends the history of what a derivative is taken with respect to."""
    second = (trials[0].get("second") or {}).get("tracked") or {}
    target = finding.about.partition(" by ")[2]
    root = f"input {names.index(target)}" if target in names else "incoming" if target else ""
    known = set()
    for step in steps(second.get("lines")):
        if step.place in known or not any(one.startswith(root) for one in step.roots):
            continue
        if step.kept or step.ends:
            known.add(step.place)
        if step.kept:
            name = step.target or step.kept
            how = ", by NumPy" if step.operation in ARRAYS else ""
            yield f"`{name}` is made in forward{how}, by {step.place}: there it gets no history."
        elif step.ends:
            read = next((one["name"] for one in step.reads if one["name"]), "")
            what = f"the history of `{read}`" if read else "the history"
            yield f"{step.place}, ends {what}, by {step.ends}."


def _cast(finding: Finding, trials: list[dict[str, Any]], names: Sequence[str]) -> Iterator[str]:
    """Say which line makes a tensor of the wrong dtype."""
    dtype = re.search(r" is (\w+)", finding.detail)
    every = [step for trial in trials for step in steps(trial.get("lines"))]
    phase = "backward" if "gradient" in finding.about else "forward"
    for step in sorted(every, key=lambda step: step.phase != phase):
        if dtype and step.cast.endswith(dtype[1]):
            verb = "casts" if " to " in step.cast else "makes a tensor of"
            yield f"{step.place} {verb} {step.cast}."


def _first_not_finite(
    finding: Finding, trials: list[dict[str, Any]], names: Sequence[str]
) -> Iterator[str]:
    """Say which line makes the first number that is not finite, of what."""
    phase = "forward" if finding.name == "wrong-forward" else "backward"
    every = [step for trial in trials for step in steps(trial.get("lines"))]
    for step in sorted(every, key=lambda step: step.phase != phase):
        if step.not_finite:
            yield f"The first number that is not finite is {step.not_finite}, by {step.place}."
            return


def _size(finding: Finding, trials: list[dict[str, Any]], names: Sequence[str]) -> Iterator[str]:
    """Say which line has a size of the first inputs as a number."""
    base = trials[0]
    other = next((t for t in trials if t["name"] and f"With {t['name']}:" in finding.detail), None)
    if finding.raised and finding.raised.line:
        return
    for name, before, now in zip(names, base["inputs"], (other or base)["inputs"], strict=False):
        pairs = zip(before.get("shape") or (), now.get("shape") or (), strict=False)
        for old in (old for old, new in pairs if old != new and old > 1):
            for step in steps(base.get("lines")):
                if old in step.sizes:
                    yield f"The number {old} is a size of {name}: {step.place}."


_QUERIES = {
    "modifies-input": _changed,
    "modifies-grad-output": _changed,
    "keeps-state": _changed,
    "wrong-dtype": _cast,
    "fixed-size": _size,
}
