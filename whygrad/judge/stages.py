"""Judge a custom Function: one stage after the other; each may find a mistake."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from whygrad.evidence import Evidence, Trial
from whygrad.judge import (
    demands,
    dtypes,
    effects,
    first_order,
    forward,
    second_order,
    surroundings,
    tangents,
    vmap_rule,
)
from whygrad.judge.arrays import exact_in, read_array
from whygrad.judge.examined import note_examined, without_a_gradient
from whygrad.judge.inquiry import Inquiry, not_started
from whygrad.judge.line_reasons import located
from whygrad.judge.precedence import hides
from whygrad.lines.table import LineTable, few, line_table
from whygrad.mistakes import MISTAKES
from whygrad.verdict import EXAMINED, Finding, Property, Verdict

Stage = Callable[[Inquiry], list[Finding]]

# In the order in which what they find harms: wrong numbers come before layouts.
STAGES: tuple[Stage, ...] = (
    forward.raises,
    forward.changes_inputs,
    forward.is_a_function,
    forward.cuts_the_history,
    effects.changes_outputs,
    forward.gives_the_value,
    first_order.raises,
    effects.changes_inputs,
    effects.gives_the_same_twice,
    first_order.gradients,
    effects.forgets_the_call_before,
    effects.changes_grad_output,
    first_order.outputs_alone,
    first_order.alone,
    dtypes.of_the_input,
    demands.keeps_what_can_be_counted,
    demands.works_inside,
    surroundings.other_inputs,
    second_order.derivatives,
    second_order.elsewhere,
    tangents.jvp,
    vmap_rule.vmap,
    demands.is_worked_out,
    demands.evaluates_once,
    demands.keeps_what_is_asked_for,
    demands.keeps_few_bytes,
    demands.computes_in_numpy,
)
# Where one of these finds something, there is nothing that the stages behind it could look at.
LAST: frozenset[Stage] = frozenset((forward.raises, forward.is_a_function, first_order.raises))
_NOT_FINITE = (
    "Finite differences need numbers that can be moved by a small step.",
    "Pass ordinary numbers. If it is a constant, name it in `constant=…`.",
)


def judge_function(
    evidence: Evidence,
    expected: Evidence | None,
    *,
    intended: Evidence | None = None,
    strict: bool = True,
    every: bool = False,
) -> Verdict:
    """Return the verdict on a Function.

    Args:
        evidence: what was measured.
        expected: that of a right one on the same inputs, or None without a reference.
        intended: that of what backward is meant to be, or None if it is forward's gradient.
        strict: whether what is right as it arrives, or fails in other surroundings only and does
            so aloud, is an error too; otherwise it is a remark.
        every: whether to look for all mistakes; otherwise those of the first stage that finds any
            are the verdict.
    """
    inquiry = _inquiry(evidence, expected, intended, strict=strict, every=every)
    verdict = located(_judged(inquiry), evidence, inquiry.names)
    return replace(verdict, table=_table(inquiry, verdict))


def _table(inquiry: Inquiry, verdict: Verdict) -> LineTable | None:
    """Return what each line ran, where numbers, histories or writes are wrong."""
    base, expected = inquiry.base, inquiry.expected
    kind = "" if verdict.ok else MISTAKES[verdict.names[0]].kind
    if not kind:
        return None
    is_second, is_value = kind == "second-order", kind == "value"
    ran = base.tracked if is_second else base
    found: Iterable = ()
    wrong = [line.name for line in verdict.properties if line.ok is False]
    if kind in ("gradient", "linearity") and not any("gradient of " in name for name in wrong):
        return None  # with these numbers it is right
    if expected is not None and not (is_second or inquiry.evidence.sampled):
        names = [f"gradient of {inquiry.names[place]}" for place in base.wanted]
        found = zip(names, base.grads or (), expected.grads, strict=False)
        if is_value:
            count = len(base.outputs)
            names = [f"output {place}" if count > 1 else "output" for place in range(1, count + 1)]
            found = zip(names, base.outputs, expected.outputs or (), strict=False)
    results = [(name, few(read_array(mine)), few(due)) for name, mine, due in found]
    results = [one for one in results if one[1] != one[2]]
    return line_table(ran.lines, of_forward=is_value, results=results)


def _judged(inquiry: Inquiry) -> Verdict:
    every = inquiry.every
    if every and (why := inquiry.evidence.not_finite):
        inquiry.left_out = dict.fromkeys(EXAMINED, why)
        return _verdict(inquiry, [[Finding("not-examined", "", f"{why}.", *_NOT_FINITE)]])
    # It says nothing of the numbers, so it explains nothing of what follows.
    groups = [found] if (found := forward.returned_arrays(inquiry)) else []
    stopped = False
    for stage in STAGES:
        new = _groups(inquiry, stage)
        if new and not every:
            return Verdict(tuple(_with_rest(inquiry)), tuple(new[0]), inquiry.raised)
        groups += _unexplained(inquiry, new)
        if stopped := bool(new) and (stage in LAST or _is_beyond_comparison(inquiry, stage)):
            break
    if not every:
        return Verdict(tuple(inquiry.properties))
    note_examined(inquiry, stopped=stopped)
    if stopped:
        inquiry.properties = _with_rest(inquiry)
    return _verdict(inquiry, groups or [without_a_gradient(inquiry)])


def _is_beyond_comparison(inquiry: Inquiry, stage: Stage) -> bool:
    """Tell whether the outputs have other shapes than the right ones: gradients cannot be held."""
    return stage is forward.gives_the_value and forward.has_another_shape(inquiry)


def _inquiry(
    evidence: Evidence,
    expected: Evidence | None,
    intended: Evidence | None,
    **how: bool,
) -> Inquiry:
    base = evidence.base
    inquiry = Inquiry(
        *(evidence, base, None, _by_name(expected), _names(evidence), _incoming(evidence)),
        intended=_by_name(intended),
        **how,
    )
    inquiry.expected = inquiry.expectation(base)
    if inquiry.expected is not None:
        # Incoming gradients of a lower dtype are known to a few digits only.
        relative = exact_in((out.dtype for out in base.outputs), inquiry.expected.relative)
        inquiry.expected = replace(inquiry.expected, relative=relative)
    return inquiry


def _groups(inquiry: Inquiry, stage: Stage) -> list[list[Finding]]:
    """Return what a stage finds: for each mistake, those that fit it."""
    inquiry.raised, inquiry.further = None, []
    findings = stage(inquiry)
    if findings and inquiry.raised is not None and not_started(inquiry.raised):
        findings = [Finding("not-started")]
    return [group for group in (findings, *inquiry.further) if group]


def _unexplained(inquiry: Inquiry, new: list[list[Finding]]) -> list[list[Finding]]:
    """Return the new groups that nothing found before explains; all are noted as found."""
    kept = []
    for group in new:
        told = [replace(one, raised=one.raised or inquiry.raised) for one in group]
        if not any(hides(one, told[0], inquiry.names) for one in inquiry.found):
            kept.append(told)
        inquiry.found += told
    return kept


def _verdict(inquiry: Inquiry, groups: list[list[Finding]]) -> Verdict:
    first, *others = groups
    return Verdict(
        properties=tuple(inquiry.properties),
        findings=tuple(first),
        raised=first[0].raised if first else None,
        others=tuple(map(tuple, others)),
        remarks=tuple(inquiry.remarks),
        examined=tuple(inquiry.examined),
        left_out=inquiry.left_out,
    )


def _by_name(evidence: Evidence | None) -> dict[str, Trial] | None:
    return {trial.name: trial for trial in evidence.trials} if evidence else None


def _names(evidence: Evidence) -> list[str]:
    given, count = evidence.names, len(evidence.base.inputs)
    return (given + [f"input {place}" for place in range(len(given), count)])[:count]


def _incoming(evidence: Evidence) -> list[str]:
    given = evidence.incoming
    return given + given[-1:] * (len(evidence.base.outputs) - len(given))


def _with_rest(inquiry: Inquiry) -> list[Property]:
    """Add what was not looked at, since something before it went wrong."""
    seen = {line.name for line in inquiry.properties}
    wanted = [f"gradient of {inquiry.names[place]}" for place in inquiry.base.wanted]
    rest = ["forward", *wanted, *(["second order"] if inquiry.evidence.order == 2 else [])]
    second = any(name.startswith("second") for name in seen)
    left = [n for n in rest if n not in seen and not (n == "second order" and second)]
    return [*inquiry.properties, *(Property(name, None) for name in left)]
