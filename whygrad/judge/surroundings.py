"""Judge what must hold in other surroundings: other sizes, layouts in memory, no bias."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from whygrad.evidence import Raised, Trial
from whygrad.judge.absent import absent, without
from whygrad.judge.arrays import FLOAT32, Array, close, exact_in, read_array
from whygrad.judge.examined import counts
from whygrad.judge.expectation import Expectation
from whygrad.judge.inquiry import (
    ALONE,
    OTHER_DEFAULT,
    OUTPUT,
    Inquiry,
    compared,
    dtype_clash,
    ended,
    not_started,
    see,
)
from whygrad.judge.returned_shapes import has_wrong_shape
from whygrad.judge.some_values import at_some_values
from whygrad.mistakes import ELSEWHERE, MISTAKES
from whygrad.raised import explained
from whygrad.verdict import Finding, Property

_EQUAL = (
    "Two lengths of your inputs are equal, and backward takes one for the other: what is right for "
    "these inputs is so by chance."
)
_DIFFER = (
    "Pass inputs whose lengths all differ. Then look for the length in `backward`: a `shape[…]`, a "
    "`len`, or a sum or mean with a `dim`."
)

_SIMPLE = {0: "zero", -1: "the negative of the right one"}  # by its factor, what a gradient is


def other_inputs(inquiry: Inquiry) -> list[Finding]:
    """Find inputs of another size, layout or dtype that the answer cannot take.

    What fails aloud, with an exception, is an error only if the judge is strict.
    """
    failed = []
    for trial in inquiry.evidence.trials[1:]:
        complaint, lenient = _complaint(inquiry, trial)
        if complaint:
            inquiry.note(trial.name, False, lenient=lenient, note=complaint)
            kept = inquiry.strict or not lenient
            failed.append((_finding(inquiry, trial, complaint), trial, kept))
        elif _is_refused(inquiry, trial):
            if not trial.name.endswith(ALONE):  # then it was a guess that these may differ
                inquiry.note(trial.name, None, said="forward refuses it")
        elif _is_untold(inquiry, trial):
            inquiry.note(trial.name, None, said="cannot be told")
        elif not inquiry.wrong:  # what is wrong with the first inputs is so again
            inquiry.note(trial.name, True)
    # Where some values are behind what fails for another size, no size is.
    of_values = ("wrong-forward", "wrong-gradient")
    if any(one.name in of_values and trial.law == "fixed-size" for one, trial, _ in failed):
        failed = [one for one in failed if one[0].name != "fixed-size" or one[1].raised]
    failed.sort(key=lambda one: ELSEWHERE.index(one[0].name))
    known = {finding.name for finding, _, kept in failed if kept}
    for finding, trial, _ in failed:
        if finding.name not in known and not inquiry.is_known(finding.name, finding.about):
            inquiry.unless_lenient([_seen(inquiry, finding, trial)])
    errors = [(finding, trial) for finding, trial, kept in failed if kept]
    wanted = errors if inquiry.every else errors[:1]
    found = [[_seen(inquiry, finding, trial)] for finding, trial in wanted]
    inquiry.further += found[1:]
    return found[0] if found else []


def _is_refused(inquiry: Inquiry, trial: Trial) -> bool:
    """Tell whether forward took the first inputs and not these, which says nothing of backward."""
    if not inquiry.every or inquiry.reference is not None or not trial.raised:
        return False
    return trial.raised.phase == "forward"


def _is_untold(inquiry: Inquiry, trial: Trial) -> bool:
    """Tell whether nothing was raised, and the numbers could not be compared with right ones."""
    if not inquiry.every or inquiry.strict or trial.raised:
        return False
    return bool(inquiry.base.wanted) and not counts(inquiry, trial)


def _finding(inquiry: Inquiry, trial: Trial, complaint: str) -> Finding:
    name, raised = _name(inquiry, trial, complaint), trial.raised
    about = absent(inquiry, trial) if trial.law == "needs-bias" else []
    words = f"With {trial.name}: {ended(complaint)}"
    finding = Finding(name, inquiry.named(about), words)
    if name == "fixed-size" and (some := _at_some_values(inquiry, trial)):
        name, finding = some.name, replace(some, detail=words)
    elif name == "fixed-size" and trial.name.endswith(ALONE):
        finding = finding.because(_EQUAL, _DIFFER)
    elif name == "wrong-gradient" and (what := _throughout(inquiry, trial)):
        finding = finding.because(f"Here, element by element, it is {what}.")
    if raised and MISTAKES[name].kind != "write" and not _is_of_none(raised):
        finding = explained(finding, raised)
    return without(finding, trial) if name == "needs-bias" else finding


def _throughout(inquiry: Inquiry, trial: Trial) -> str:
    """Say that the first wrong gradient of a trial is zero or the negative; "" if it is neither."""
    expected = inquiry.expectation(trial)
    if trial.raised or expected is None:
        return ""
    for mine, right in zip(map(read_array, trial.grads), expected.grads, strict=True):
        if mine and not close(mine.values, right.values, 1e-4):
            return next((w for k, w in _SIMPLE.items() if close(mine.values, k * right.values)), "")
    return ""


def _seen(inquiry: Inquiry, finding: Finding, trial: Trial) -> Finding:
    """Note the exception of a trial as the reason, if it is one."""
    raised = trial.raised
    if MISTAKES[finding.name].raised:
        finding = see(inquiry, raised)
    return replace(finding, raised=raised) if raised and inquiry.every else finding


def _at_some_values(inquiry: Inquiry, trial: Trial) -> Finding | None:
    expected = inquiry.expectation(trial)
    if trial.raised or trial.odd or expected is None or _shapes(inquiry, trial):
        return None
    return at_some_values(inquiry.base, trial, expected, inquiry.names)


def _name(inquiry: Inquiry, trial: Trial, complaint: str) -> str:
    if not_started(trial.raised):
        return "not-started"
    if trial.changed or trial.changed_in_forward:
        return "modifies-input"
    if trial.grad_output_changed:
        return "modifies-grad-output"
    if trial.raised and trial.law == "fixed-size" and dtype_clash(trial.raised):
        return "wrong-dtype"
    if trial.law:
        return trial.law
    if trial.raised:
        shapes = [[about.shape for about in t.inputs] for t in (trial, inquiry.base)]
        return "raises" if shapes[0] == shapes[1] else "fixed-size"
    return "wrong-forward" if complaint.startswith("forward") else "wrong-gradient"


def _complaint(inquiry: Inquiry, trial: Trial) -> tuple[str, bool]:
    """Say what is wrong in a trial, or nothing, and whether it is an error to a strict judge only.

    A judge that is not strict hears of the errors first.
    """
    if not _must_work(inquiry, trial, inquiry.expectation(trial)):
        return "", False
    every = _complaints(inquiry, trial)
    if trial.law == "fails-on-empty" and not inquiry.strict:
        # A mean of no rows is no number, in PyTorch too.
        return next(iter(every), ("", False))[0], True
    found = every if inquiry.strict else sorted(every, key=lambda one: one[1])
    return next(iter(found), ("", False))


def _complaints(inquiry: Inquiry, trial: Trial) -> Iterator[tuple[str, bool]]:
    raised, expected = trial.raised, inquiry.expectation(trial)
    if raised:
        written = trial.changed or trial.changed_in_forward or trial.grad_output_changed
        fails_aloud = not not_started(raised) and not written
        yield _raised(raised), bool(trial.law) and fails_aloud
        return
    if trial.odd:
        yield f"forward returned {trial.odd}", False
        return
    if trial.changed and not inquiry.is_known("modifies-input"):
        yield f"{inquiry.names[trial.changed[0]]} was changed", False
    if trial.grad_output_changed and not inquiry.is_known("modifies-grad-output"):
        yield "the incoming gradient was changed", False
    judged = expected is not None and OUTPUT not in inquiry.wrong
    if judged and (unlike := _output_shapes(trial, expected)):
        yield unlike, False
    if shapes := _shapes(inquiry, trial):
        yield shapes, True
    if expected:
        lenient = _is_made_up(inquiry, trial)
        yield from ((words, one or lenient) for words, one in _numbers(inquiry, trial, expected))


def _is_made_up(inquiry: Inquiry, trial: Trial) -> bool:
    """Return whether nobody may ever pass such inputs: no rows, or another length than a batch's.

    Only its author knows what other lengths mean to a function: a last one of 2 can be a pair.
    Nor need anyone who sets a default dtype work with another one.
    """
    if trial.law != "fixed-size":
        return trial.law == "fails-on-empty" or trial.name == OTHER_DEFAULT
    changed = set()
    for before, now in zip(inquiry.base.inputs, trial.inputs, strict=True):
        pairs = zip(before.shape or (), now.shape or (), strict=False)
        changed |= {axis for axis, (old, new) in enumerate(pairs) if old != new}
    return changed != {0}


def _must_work(inquiry: Inquiry, trial: Trial, expected: Expectation | None) -> bool:
    raised = trial.raised
    if inquiry.reference is None:
        if raised and raised.phase == "forward" and trial.law != "needs-contiguous":
            return False  # nobody said that it has to take this
        if raised and trial.law == "wrong-dtype" and _is_of_a_constant(inquiry, trial):
            return False
        if _overflows(inquiry, trial):
            return False  # float32 cannot hold it
        if not raised and not trial.odd and not _has_numbers(trial):
            return False  # nobody asked for these inputs
    elif expected is None:
        return False  # the right answer cannot take it either
    if expected is None:
        return True
    if expected.outputs and not _are_finite([*expected.outputs, *expected.grads]):
        return False  # outside of what the function is made for
    # Taking None means nothing where the input is not looked at.
    return trial.law != "needs-bias" or not _ignores_it(inquiry, trial)


def _is_of_a_constant(inquiry: Inquiry, trial: Trial) -> bool:
    """Tell whether dtypes clash since forward met a constant of float64, which is its caller's."""
    outs = [out.dtype for out in trial.outputs]
    promoted = any(dtype in ("float64", "complex128") for dtype in outs)
    promoted &= trial.name != OTHER_DEFAULT  # whose inputs are of float64
    return not inquiry.strict and promoted and dtype_clash(trial.raised)


def _overflows(inquiry: Inquiry, trial: Trial) -> bool:
    """Tell whether a forward that was finite in float64 is not so in float32."""
    in_low = trial.law == "wrong-dtype" and not trial.raised
    return in_low and _has_numbers(inquiry.base) and not _has_numbers(trial)


def _has_numbers(trial: Trial) -> bool:
    return _are_finite(map(read_array, trial.outputs))


def _ignores_it(inquiry: Inquiry, trial: Trial) -> bool:
    wanted = inquiry.base.wanted
    missing = [place for place in absent(inquiry, trial) if place in wanted]
    return not any(inquiry.expected.grads[wanted.index(p)].values.any() for p in missing)


def _are_finite(arrays: Iterable[Array | None]) -> bool:
    return all(array is None or np.isfinite(array.values).all() for array in arrays)


def _is_of_none(raised: Raised) -> bool:
    """Tell whether None was used as a tensor: where a bias is left out, its mistake says more."""
    return "NoneType" in raised.message


def _raised(raised: Raised) -> str:
    words = f"{raised.phase} raised {raised.type}: {raised.message}"
    place = f"on line {raised.number}, `{raised.line}`"
    return f"{words.rstrip('.')}, {place}" if raised.line else words


def _output_shapes(trial: Trial, expected: Expectation) -> str:
    for yours, right in zip(trial.outputs, expected.outputs or [], strict=False):
        if list(yours.shape) != list(right.shape):
            return f"forward gives the shape {list(yours.shape)}, and {list(right.shape)} is due"
    return ""


def _shapes(inquiry: Inquiry, trial: Trial) -> str:
    known = inquiry.every and any(map(has_wrong_shape, inquiry.base.returned))
    slot = None if known else next(filter(has_wrong_shape, trial.returned), None)
    if slot is None:
        return ""
    return f"a gradient has the shape {slot.grad.shape}, its input {slot.shape}"


def _numbers(inquiry: Inquiry, trial: Trial, expected: Expectation) -> Iterator[tuple[str, bool]]:
    """Say which numbers are wrong here, and are not known to be wrong with the first inputs."""
    cast = inquiry.is_known("wrong-dtype")
    low = trial.law == "wrong-dtype" or cast
    dtypes = (about.dtype for about in trial.inputs)
    relative = exact_in(dtypes, FLOAT32) if low else expected.relative
    if expected.outputs is not None and OUTPUT not in inquiry.wrong:
        for yours, right in zip(map(read_array, trial.outputs), expected.outputs, strict=False):
            line = compared(inquiry, trial, "forward", yours, right, relative)
            if not line.ok:
                yield _apart(line), False
            if right.dtype != yours.dtype and not cast:
                yield f"the output is {yours.dtype}, not {right.dtype}", True
    for place, right in enumerate(expected.grads):
        name = inquiry.names[trial.wanted[place]]
        yours = read_array(trial.grads[place])
        if name in inquiry.wrong or (yours is None and not right.values.any()):
            continue
        title, exact = f"the gradient of {name}", max(relative, expected.exact(place))
        line = compared(inquiry, trial, title, yours, right, exact, gradient=True)
        if not line.ok:
            yield _apart(line), False


def _apart(line: Property) -> str:
    at = f" at {line.where}" if line.where.startswith("[") else line.where and f" ({line.where})"
    at += f", where {line.given}," if line.given else ""
    return f"{line.name}{at} is {line.yours}, not {line.expected}"
