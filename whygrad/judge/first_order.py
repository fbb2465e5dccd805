"""Judge the first backward: it runs, and each gradient is right."""

from dataclasses import replace

import numpy as np

from whygrad.evidence.value import Alone
from whygrad.judge.absent import returned_nothing
from whygrad.judge.arrays import Array, close, difference, read_array, read_gradient
from whygrad.judge.examined import has_history
from whygrad.judge.expectation import rows_of
from whygrad.judge.gradient_case import GradientCase, is_right
from whygrad.judge.gradient_laws import explain
from whygrad.judge.gradient_words import refine
from whygrad.judge.gradient_writes import written_over
from whygrad.judge.inquiry import (
    Inquiry,
    compared,
    in_place,
    invalid_shape,
    not_started,
    see,
    writes_to_shared,
    wrong_count,
)
from whygrad.judge.meant import looks_intended
from whygrad.judge.missing_ways import first_hidden, why_missing
from whygrad.judge.named_product import of_other_factors
from whygrad.judge.off_by_little import off_by_little
from whygrad.judge.precedence import inputs_of
from whygrad.judge.relation import Known
from whygrad.judge.repeated_rows import of_repeated_rows
from whygrad.judge.returned_shapes import SHAPE_OF, wrong_shapes
from whygrad.judge.second_functions import beside
from whygrad.judge.whole_rows import of_slopes, of_whole_rows
from whygrad.mistakes import MISTAKES
from whygrad.verdict import Finding, Property

_SUMMED = "PyTorch sums it to the right shape without a word, so what arrives is right."
_LITTLE = 1e-4
_CONSTANT = "If {name} is a constant here, say `constant=({name!r},)`."
_UNKNOWN = "forward jumps here, or gives numbers that are not finite"
_FOR_SOME = {
    "small": "with a small incoming gradient",
    "zeros": "with an incoming gradient of zeros",
    "large": "with a large incoming gradient",
    "negative": "with the negative of an incoming gradient",
}
_ASKED = (
    "It is right when all inputs require a gradient, and missing when only {name} does: what "
    "decides whether it is worked out asks about another input.",
    "Look at the question that stands before it, such as `if ctx.needs_input_grad[…]`. The number "
    "there is the place of {name} among the arguments of `forward` after `ctx`, counted from 0.",
)


def raises(inquiry: Inquiry) -> list[Finding]:
    """Find what backward raised, and why."""
    raised = inquiry.base.raised
    if not raised:
        return []
    inquiry.note_raised("backward", raised)
    if not_started(raised):
        return [see(inquiry, raised)]
    if count := wrong_count(raised):
        return [count]
    if invalid_shape(raised):
        return wrong_shapes(inquiry) or [see(inquiry, raised)]
    if writes_to_shared(raised):
        return [Finding("modifies-grad-output")]
    if inquiry.base.changed:
        return [Finding("modifies-input", inquiry.named(inquiry.base.changed))]
    found = see(inquiry, raised)
    hidden = first_hidden(inquiry) if "different than None" in raised.message else None
    return [found.because(*hidden) if hidden else found]


def gradients(inquiry: Inquiry) -> list[Finding]:
    """Find the gradients that are wrong, and explain the first; or each, if every one is wanted."""
    base, expected = inquiry.base, inquiry.expected
    shapes = wrong_shapes(inquiry)
    if expected is None or (inquiry.every and not has_history(inquiry)):
        return _of_shapes(inquiry, shapes)  # without any right numbers, only these can be judged
    if found := _raises_for_some(inquiry):
        return found
    cases = inquiry.cases()
    lines = {
        place: line
        for place in range(len(base.wanted))
        if (line := _wrong_line(inquiry, place, cases))
    }
    if not lines:
        return _of_shapes(inquiry, shapes)
    if inquiry.every and shapes and not _is_about(shapes[0], lines, inquiry):
        inquiry.further.append(_of_shapes(inquiry, shapes))
        shapes = []
    explained = [_explained(inquiry, place, line, cases) for place, line in lines.items()]
    found, *rest = explained if inquiry.every else explained[:1]
    inquiry.further += rest
    if len(base.wanted) > 1 and len(found) == 1 and found[0].name == "wrong-gradient":
        found = [found[0] if inquiry.every else _beside_others(inquiry, found[0])]
    if inquiry.base.grad_output_changed:
        if written := written_over(found[0], cases, inquiry.incoming[0]):
            return [written]
        if MISTAKES[found[0].name].may_be_overwritten:
            # Written numbers are numbers of the gradient, too, if it is what was written into.
            found = [Finding("modifies-grad-output")]
    return _first(shapes, found)


def _raises_for_some(inquiry: Inquiry) -> list[Finding]:
    """Find an exception that only some incoming gradients bring, such as one of zeros."""
    probes = inquiry.base.probes
    for name, words in _FOR_SOME.items():
        raised = name in probes and probes[name].raised
        if raised and not probes["second"].raised:
            inquiry.note_raised(f"backward {words}", raised)
            if count := wrong_count(raised):
                return [count]
            found = see(inquiry, raised)
            return [replace(found, raised=replace(raised, phase=f"{raised.phase} {words}"))]
    return []


def _of_shapes(inquiry: Inquiry, shapes: list[Finding]) -> list[Finding]:
    """Judge wrong shapes where the right numbers arrive all the same."""
    if inquiry.expected is None or not shapes:
        return shapes
    if not inquiry.strict:
        inquiry.properties = [
            replace(line, ok=None, said="remark") if line.name.startswith(SHAPE_OF) else line
            for line in inquiry.properties
        ]
    summed = [replace(one, detail=f"{one.detail} {_SUMMED}") for one in shapes]
    return inquiry.unless_lenient(summed)


def _is_about(finding: Finding, lines: dict[int, Property], inquiry: Inquiry) -> bool:
    wrong = {inquiry.names[inquiry.base.wanted[place]] for place in lines}
    return bool(inputs_of(finding, inquiry.names) & wrong)


def _wrong_line(inquiry: Inquiry, place: int, cases: list[GradientCase]) -> Property | None:
    """Compare a gradient with the right one, and note it; return the line if it is wrong."""
    base, expected = inquiry.base, inquiry.expected
    where, case = base.wanted[place], cases[place] if cases else None
    grads = base.grads or [None] * len(base.wanted)
    mine = read_gradient(grads[place], base.inputs[where])
    due = expected.grads[place]
    title = f"gradient of {inquiry.names[where]}"
    line = compared(inquiry, base, title, mine, due, expected.exact(place), gradient=True)
    if is_right(case) if case else line.ok:
        note = case and off_by_little(inquiry, case)
        if not note:
            _note_right(inquiry, title, due)
            return None
        line = Property(title, False, note=note)
    elif line.ok:
        line = _for_another(inquiry, title, case)
    inquiry.properties.append(line)
    return line


def _for_another(inquiry: Inquiry, title: str, case: GradientCase) -> Property:
    """Return the line of a gradient that is right for one incoming gradient, not for another."""
    note = "right for one incoming gradient, wrong for another"
    for name, incoming in case.incoming.items():
        mine, due = case.laid(name), case.laid(name, due=True)
        if mine is None or close(mine, due, max(case.relative, _LITTLE)):
            continue
        is_alike = case.out_shape == case.shape and incoming.size == due.size
        given = {inquiry.incoming[0]: incoming.reshape(case.shape)} if is_alike else {}
        line = difference(title, Array(mine, ""), Array(due, ""), case.relative, given)
        return replace(line, note=note)
    return Property(title, False, note=note)


def _explained(
    inquiry: Inquiry, place: int, line: Property, cases: list[GradientCase]
) -> list[Finding]:
    """Name the mistakes that a wrong gradient fits."""
    where = inquiry.base.wanted[place]
    why = [Finding("wrong-gradient", inquiry.names[where])]
    if cases:
        why = _named(inquiry, cases[place], [other for other in cases if other.place != place])
    why = [_with_reason(inquiry, one, where) for one in why]
    second = _second_function(inquiry, place)
    return [beside(inquiry, in_place(one, line), second) for one in why]


def _note_right(inquiry: Inquiry, title: str, due: Array) -> None:
    """Add the line of a gradient that agrees as far as it can be told."""
    unknown, reason = int(np.isnan(due.values).sum()), inquiry.expected.reason
    if inquiry.every and not reason and unknown == due.values.size:
        note = _UNKNOWN if unknown else "it holds no numbers"
        inquiry.note(title, None, said="cannot be told", note=note)
        return
    if not reason or not unknown:
        note = f"as exactly as can be told, since {reason}" if reason else ""
        inquiry.note(title, True, note=note)
        return
    words = f"cannot be told, since {reason}"
    if unknown < due.values.size:
        inquiry.note(title, True, note=f"{unknown} of {due.values.size} numbers {words}")
        return
    inquiry.note(title, None, said="cannot be told", note=f"since {reason}")
    inquiry.left_out["first order"] = f"the finite differences say nothing, since {reason}"


def _named(inquiry: Inquiry, case: GradientCase, others: list[GradientCase]) -> list[Finding]:
    """Name the mistakes that give a wrong gradient, or what it can be meant to be."""
    nobody_said = inquiry.reference is None and inquiry.intended is None
    if nobody_said and (meant := looks_intended(inquiry, case)):
        return [meant]
    if nobody_said and (words := is_right(case) and off_by_little(inquiry, case)):
        return [Finding("wrong-gradient", case.about, f"It is {words}.")]
    values, incoming = inquiry.values(), inquiry.incoming[0]
    named = [refine(one, case, values, incoming) for one in explain(case, others)]
    if inquiry.every:
        named = [_of_no_law(one, case, values, incoming) for one in named]
    return [of_repeated_rows(inquiry, one) for one in named]


def _of_no_law(finding: Finding, case: GradientCase, values: Known, incoming: str) -> Finding:
    """Return a finding that no law explains with what its numbers are, where that is simple."""
    for law in (of_other_factors, of_whole_rows, of_slopes):
        if finding.name == "wrong-gradient" and not finding.why:
            finding = law(finding, case, values, incoming)
    return finding


def _beside_others(inquiry: Inquiry, finding: Finding) -> Finding:
    """Say of the other gradients whether they are wrong as well: what they share is so, too."""
    lines = {f"gradient of {inquiry.names[where]}": where for where in inquiry.base.wanted}
    for name in inquiry.evidence.right_parts:  # these numbers are not the answer's own
        lines.pop(name, None)
    places: dict[bool | None, list[int]] = {}
    for line in inquiry.properties:
        if line.name in lines and inquiry.names[lines[line.name]] != finding.about:
            places.setdefault(line.ok, []).append(lines[line.name])
    said = [finding.detail]
    for ok, words in ((False, "wrong, too"), (True, "right")):
        if some := places.get(ok):
            that = f"That of {inquiry.named(some)} is"
            those = f"Those of {inquiry.named(some)} are"
            said.append(f"{those if len(some) > 1 else that} {words}.")
    return replace(finding, detail=" ".join(filter(None, said)))


def _second_function(inquiry: Inquiry, place: int) -> str:
    """Return the name of a Function that backward applied to make a gradient, or ""."""
    ways = inquiry.base.tracked.ways
    return next(iter(ways[place].own), "") if place < len(ways) else ""


def _with_reason(inquiry: Inquiry, finding: Finding, place: int) -> Finding:
    if finding.name != "missing-gradient":
        return finding
    found = returned_nothing(finding, inquiry, place)
    if not found.why:
        found = finding.because(*why_missing(inquiry, place))
    if inquiry.reference is None and len(inquiry.base.wanted) > 1:
        look = found.look or MISTAKES[found.name].look
        found = replace(found, look=f"{look} {_CONSTANT.format(name=finding.about)}")
    return found


def _first(shapes: list[Finding], found: list[Finding]) -> list[Finding]:
    """A shape that says which mistake it is comes before numbers that only differ."""
    if not shapes or not found:
        return shapes or found
    vague = MISTAKES[found[0].name].vague or not MISTAKES[shapes[0].name].vague
    return shapes if vague else found


def outputs_alone(inquiry: Inquiry) -> list[Finding]:
    """Find a gradient that is right only while all outputs are used."""
    if inquiry.expected is None or inquiry.expected.jacobians is None:
        return []
    if not all(case.linear for case in inquiry.cases()):
        return []  # then what is due for one output alone is no part of what is due for all
    rows = rows_of(inquiry.base.grad_outputs)
    for run in inquiry.base.outputs_alone:
        number = run.output
        title = f"gradients when only output {number} is used"
        if run.raised:
            inquiry.note_raised(title, run.raised)
            return [see(inquiry, run.raised)]
        incoming = read_array(inquiry.base.grad_outputs[number]).values.reshape(-1)
        for place, where in enumerate(inquiry.base.wanted):
            if inquiry.names[where] in inquiry.wrong:
                continue
            right = inquiry.expected.jacobians[place][rows[number]].T @ incoming
            mine = read_gradient(run.grads[place], inquiry.base.inputs[where])
            if not close(mine.values.reshape(-1), right, inquiry.expected.exact(place), 1.0):
                inquiry.note(title, False)
                detail = f"It is so when only output {number} is used."
                return [Finding("wrong-gradient", inquiry.names[where], detail)]
    return []


def alone(inquiry: Inquiry) -> list[Finding]:
    """Find a gradient that is right only while the other inputs require one too."""
    if inquiry.expected is None:
        return []
    for place, run in enumerate(inquiry.base.alone):
        name = inquiry.names[run.input]
        if name in inquiry.wrong:
            continue
        title = f"gradient of {name} when only {name} requires one"
        if run.raised:
            if found := _alone_raises(inquiry, title, run):
                return found
            continue
        right, exact = inquiry.expected.grads[place], inquiry.expected.exact(place)
        mine = read_gradient(run.grad, inquiry.base.inputs[run.input])
        line = compared(inquiry, inquiry.base, title, mine, right, exact, gradient=True)
        if line.ok:
            continue
        detail = f"Only {name} requires a gradient here."
        if not mine.values.any():
            inquiry.note(title, False, yours="zeros" if run.grad else "None")
            why, look = (text.format(name=name) for text in _ASKED)
            return [Finding("missing-gradient", name, detail, why, look)]
        inquiry.properties.append(line)
        # So little is not the doing of who requires one.
        detail = "" if close(mine.values, right.values, _LITTLE) else detail
        return [Finding("wrong-gradient", name, detail)]
    return []


def _alone_raises(inquiry: Inquiry, title: str, run: Alone) -> list[Finding]:
    """What fails aloud where other inputs are frozen is an error to a strict judge only."""
    raised = run.raised
    found = wrong_count(raised) or see(inquiry, raised)
    lenient = found.name not in ("wrong-gradient-count", "not-started")
    inquiry.note_raised(title, raised, lenient=lenient)
    if not lenient:
        return [found]
    if not inquiry.strict:
        when = f"{raised.phase} when only {inquiry.names[run.input]} requires a gradient"
        found = replace(found, raised=replace(raised, phase=when))
    return inquiry.unless_lenient([found])
