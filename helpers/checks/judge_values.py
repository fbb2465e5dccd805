"""Judge what a plain function returns: numbers, texts, tensors, and lists of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from helpers.checks.predictions import listed
from helpers.checks.task_evidence import ValuesEvidence, ValuesSlip, ValuesTrial
from helpers.checks.values import NOT_LOOKED_AT, as_array, compare, equal, shown
from whygrad.judge.arrays import close, read_array
from whygrad.judge.gradient_case import lengths
from whygrad.judge.inquiry import in_numbers, not_started
from whygrad.judge.precedence import hides
from whygrad.lines.table import few, line_table
from whygrad.raised import explained
from whygrad.report import of_raised
from whygrad.rounding import short, times
from whygrad.verdict import Finding, Property, Verdict

_CALL = "the call"  # the name of what was raised, or came back in place of several values
_NO_TENSOR = "A plain number is no tensor: it has no shape, no dtype and no history."
_TOO_LARGE = (
    "It is as many times too large as there are elements: a sum stands where a mean is due."
)
_TOO_SMALL = (
    "It is as many times too small as there are elements: a mean stands where a sum is due, or the "
    "1/N of a mean is in it twice."
)
_TURNED = " And its sign is turned."
_NEAR, _SAME = 1e-3, 1e-5  # how far numbers may be apart, beside the largest one


@dataclass(frozen=True)
class _Value:
    """What a function gave as one value, for one set of inputs.

    Attributes:
        name: of the value, or `_CALL`.
        trial: of these inputs.
        mine, due: what came back, and the right value.
        given: by the names of the inputs, their numbers, if each place of the value has its own.
        line: whether it is right, and how it differs.
    """

    name: str
    trial: ValuesTrial
    mine: Any
    due: Any
    given: dict[str, np.ndarray]
    line: Property

    @property
    def arrays(self) -> list[np.ndarray]:
        """Its numbers and the right ones; nothing if one of them is not in numbers."""
        found = [as_array(one) for one in (self.mine, self.due)]
        return [array.values for array in found] if all(found) else []

    @property
    def words(self) -> tuple[str, str, str]:
        """Its name, its numbers and the right ones, as a table of lines has them."""
        return self.name, *(few(as_array(one)) for one in (self.mine, self.due))

    @property
    def right_line(self) -> str:
        """Say which line makes the right value, if one does."""
        due = self.words[2]  # of a longer one, the first numbers prove nothing
        is_told = self.arrays and self.arrays[1].any() and "…" not in due and not self.line.ok
        made = [s for s in self.trial.lines for m in s.made if f"{m.size}: {m.numbers}" == due]
        if not is_told or not made or made[-1].code.startswith("return"):
            return ""
        line = f"line {made[-1].line}, `{made[-1].code}`"
        return f"The right {self.name} is made on {line}. Look at what becomes of it."

    @property
    def is_whole(self) -> bool:
        """Whether it has a number for each right one."""
        return len({array.shape for array in self.arrays}) == 1

    @property
    def is_text(self) -> bool:
        """Whether a text is expected, and no numbers."""
        return isinstance(self.due, str)

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes of the inputs."""
        return [about.shape for about in self.trial.inputs if about.shape is not None]

    @property
    def factor(self) -> float:
        """By how much it is a multiple of the right one; 0 if it is none."""
        if not self.is_whole or not self.arrays[1].any():
            return 0.0
        yours, right = self.arrays
        factor = float((yours * right).sum() / (right * right).sum())
        return factor if abs(factor) > 1e-6 and close(yours, factor * right, 1e-4) else 0.0

    @property
    def is_off_by_a_size(self) -> bool:
        """Whether it is right, but for its sign, times or divided by a number of elements."""
        sizes, size = {*lengths(self.shapes).values(), 1} - {0}, abs(self.factor)
        return any(abs(size * n**sign - 1) < 1e-4 for n in sizes for sign in (1, -1))

    @property
    def is_masked(self) -> bool:
        """Whether all numbers, and all right ones, are 0 or those of one input in their places."""
        return any(
            all(np.all((numbers == 0) | np.isclose(numbers, whole)) for numbers in self.arrays)
            for whole in self.given.values()
        )


Row = dict[str, _Value]  # the values for one set of inputs, by name


def judge_values(measured: ValuesEvidence, expected: ValuesEvidence) -> Verdict:
    """Return the verdict on a function that returns tensors or numbers.

    The first wrong value is explained, and each further one that does not follow from it.
    """
    if early := _of_calls(measured):
        return early
    wrong: Row = {}
    properties, rows = [], _rows(measured, expected)
    for trial, row in zip(measured.trials, rows, strict=True):
        if wrong and _CALL in row:
            continue
        was_right = not wrong
        for name, value in row.items():
            if value.line.ok is False:
                wrong.setdefault(name, value)
        if not was_right:
            continue
        properties += [value.line for value in row.values()]
        written = [n for at, n in enumerate(measured.untouched) if n and at in trial.changed]
        if written or (row is rows[0] and measured.untouched and not wrong):
            properties.append(Property("the inputs are left alone", not written))
        if written:
            return Verdict((*properties,), (Finding("modifies-input", " and ".join(written)),))
        if _CALL in wrong:
            break
    found = _findings(wrong, rows, expected.slips, measured.names)
    properties += [wrong[name].line for name in found if wrong[name].line not in properties]
    first, *others = [(finding,) for finding in found.values()] or [()]
    raised = wrong[_CALL].trial.raised if _CALL in wrong else None
    table = None
    if found:
        results = [one.words for one in rows[0].values() if not one.line.ok and one.arrays]
        table = line_table(measured.trials[0].lines, of_forward=True, results=results)
    return Verdict((*properties,), first, raised, (*others,), table=table)


def _of_calls(measured: ValuesEvidence) -> Verdict | None:
    """Find what is wrong with the calls themselves: numbers that are kept, and autograd."""
    pairs = [(trial.values, trial.again) for trial in measured.trials]
    if not all(equal(*pair) for pair in [*pairs, (pairs[0][0], measured.later)]):
        line = Property("a second call gives the same", False)
        detail = "The same call gave another value after other calls."
        return Verdict((line,), (Finding("keeps-state", "", detail),))
    how = sorted({way for trial in measured.trials for way in trial.autograd})
    line = Property("worked out by hand", False, note=f"autograd: {' and '.join(how)}")
    return Verdict((line,), (Finding("method"),)) if how and measured.by_hand else None


def _rows(measured: ValuesEvidence, expected: ValuesEvidence) -> list[Row]:
    rows = []
    for trial, right in zip(measured.trials, expected.trials, strict=True):
        row: Row = {}
        every = _outcome(right, measured.names)
        read = zip(measured.untouched, map(read_array, right.given), strict=False)
        numbers = {name: array.values for name, array in read if name and array}
        for name, mine in _outcome(trial, measured.names).items():
            due, title = every.get(name), f"{name}, {trial.name}" if rows else name
            array = as_array(due)
            fits = array and all(one.shape == array.shape for one in numbers.values())
            given = numbers if fits else {}
            if name == _CALL:
                note = trial.raised.type if trial.raised else f"it returned {shown(mine)}"
                line = Property(title, False, note=note)
            elif mine == NOT_LOOKED_AT and not all(value.line.ok for value in row.values()):
                line = Property(title, None)
            else:
                line = compare(title, mine, due, measured.any_dtype, given)
            row[name] = _Value(name, trial, mine, due, given, line)
        rows.append(row)
    return rows


def _outcome(trial: ValuesTrial, names: list[str]) -> dict[str, Any]:
    """Return what came back, by name; as `_CALL` what was raised, or is not as many values."""
    values, raised = trial.values, trial.raised
    if raised or values is None:
        return {_CALL: raised and f"{raised.type}: {raised.message}"}
    if isinstance(values, list) and len(values) == len(names):
        return dict(zip(names, values, strict=True))
    return {_CALL if len(names) > 1 else names[0]: values}


def _findings(
    wrong: Row, rows: list[Row], slips: list[ValuesSlip], names: list[str]
) -> dict[str, Finding]:
    """Return the mistakes behind wrong values, by name, each with its reason, if that is known."""

    def made(some: Iterable[str]) -> list[ValuesSlip]:
        return [slip for slip in slips if _makes(slip, some, rows, names)]

    right = [name for name in names if all(row[name].line.ok for row in rows if name in row)]
    found: dict[str, Finding] = {}
    for name, value in wrong.items():
        series = [row[name] for row in rows if name in row]
        one = _of_call(value, names) if name == _CALL else _explained(value, wrong, series)
        told = [one.detail or in_numbers(value.line)]
        if series[0].line.ok:
            told.append(f"For “{value.trial.name}” it is wrong, for the inputs before it is right.")
        if right and name.startswith("grad"):
            said = f"{right[0]} is right: look at what is done for {name} alone."
            told.append(f"Nothing is wrong with {listed(right)}." if right[1:] else said)
        one = replace(one, detail=" ".join(told))
        said = value.mine if isinstance(value.mine, str) else ""
        texts = [s for s in slips if s.item in ("", name) and s.seen and s.seen in said]
        slip = next(iter([*made(names), *texts, *made(wrong), *made([name])]), None)
        if slip:
            one = replace(one, name=slip.name, why=slip.why, look=slip.look)
        if not one.why and one.name in ("wrong-gradient", "wrong-forward"):
            one = replace(one, where=value.right_line)
        if not any(_follows(value, one, slip, wrong[at], found[at]) for at in found):
            found[name] = one
    return found


def _follows(
    value: _Value, finding: Finding, slip: ValuesSlip | None, before: _Value, first: Finding
) -> bool:
    """Return whether a mistake is an earlier one again, or may come of it.

    Numbers come of numbers, and words of words. A known mistake that was made is one of its own, if
    it is not the reason of an earlier one.
    """
    is_again = finding.name == first.name
    if slip and slip.trials and slip.why != first.why and (is_again or first.why):
        return False
    if is_again or (value.is_text and not slip):
        return True
    if value.is_text is before.is_text:
        return hides(first, finding, ())
    return before.is_text and first.name != "wrong-forward"


def _makes(slip: ValuesSlip, some: Iterable[str], rows: list[Row], names: list[str]) -> bool:
    """Return whether a known mistake gives some values as the answer does, one of them wrong."""
    pairs = [
        (value, told)
        for row, trial in zip(rows, slip.trials, strict=False)
        for outcome in [_outcome(trial, names)]
        for name, value in row.items()
        if name in some or _CALL in (name, *some)  # where it does not raise, all has to be the same
        for told in [outcome.get(name, outcome)]
        if NOT_LOOKED_AT not in (value.mine, told)
    ]
    is_wrong = any(not value.line.ok for value, _ in pairs)
    both = [pair for value, told in pairs for pair in ((value.mine, told), (told, value.mine))]
    return is_wrong and all(compare("", *pair, True).ok for pair in both)  # beside nan, any passes


def _of_call(value: _Value, names: list[str]) -> Finding:
    """Explain what was raised, or what came back in place of several values."""
    raised, every = value.trial.raised, listed(names)
    if raised:
        found = Finding(value.trial.law or "raises", "", of_raised(raised))
        return Finding("not-started") if not_started(raised) else explained(found, raised)
    about = every.replace("grad_", "")
    name = "missing-gradient" if value.mine is None else "wrong-gradient-count"
    detail = f"The function returned {shown(value.mine)}, and the task asks for {every}."
    return Finding("wrong-forward" if about == every else name, about, detail)


def _explained(value: _Value, wrong: Row, series: list[_Value]) -> Finding:
    """Return the mistake that gives a wrong value; `series` has it for all inputs."""
    name, mine = value.name, value.mine
    about = name.removeprefix("grad_")
    is_gradient = about != name
    vague = Finding("wrong-gradient" if is_gradient else "wrong-forward", about)
    if is_gradient and str(mine).startswith("None"):
        return Finding("missing-gradient", about)
    if not value.arrays:
        return Finding("wrong-shape", about) if is_gradient and isinstance(mine, list) else vague
    if value.line.where == "dtype":
        return Finding("wrong-dtype", name)
    if isinstance(mine, int | float) and equal(mine, value.due):
        return replace(vague, why=_NO_TENSOR, look="Leave `.item()` and `float(…)` out.")
    for other in wrong.values():
        if equal(mine, other.due) and equal(other.mine, value.due) and not equal(mine, value.due):
            detail = f"What stands in the place of {name} is the right {other.name}."
            both = f"{about} and {other.name.removeprefix('grad_')}"
            return Finding("swapped-gradients" if is_gradient else vague.name, both, detail)
    if series[0].line.ok and equal(mine, series[0].mine):
        return Finding("keeps-state", name, "Other inputs gave the same value as the first ones.")
    yours, right = value.arrays
    if value.factor and right.size > 1:
        vague = replace(vague, detail=times(value.factor))
    if not is_gradient:
        return vague
    ordered = [np.sort(array, axis=None) for array in value.arrays]
    if close(*ordered, _SAME) and (right.size > 2 or not value.is_whole):
        why = "All its numbers are right. Only their places, or the shape, are wrong."
        if np.squeeze(yours).shape == np.squeeze(right).shape and not value.is_whole:
            why = "Its numbers are right, and a dimension of length 1 is left over, or is missing."
            return Finding("wrong-shape", about, "", why)
        look = (
            "Print the shape of each value on the way to the result, and find where it changes. "
            "`torch.stack` or `torch.tensor` makes a tensor of a list, and `reshape` gives it the "
            "shape of the input, row by row and without `.T`."
        )
        return Finding(vague.name if value.is_whole else "wrong-shape", about, "", why, look)
    if value.is_whole:
        return _of_law(value, series, vague)
    sums = (reduce(yours, axis) for axis in range(yours.ndim) for reduce in (np.sum, np.mean))
    is_summed = any(close(np.squeeze(one), np.squeeze(right), _SAME) for one in sums)
    return Finding("not-summed" if is_summed else "wrong-shape", about)


def _of_law(value: _Value, series: list[_Value], vague: Finding) -> Finding:
    """Explain the numbers of a gradient by a law that holds for all inputs.

    Of single numbers nothing is said: one is always a multiple of another.
    """
    about = vague.about
    tried = [one for one in series if one is value or (one.is_whole and any(one.shapes))]
    if all(one.is_masked for one in tried):
        return Finding("wrong-mask", about)
    if not value.arrays[0].any():
        return Finding("missing-gradient", about)
    factors = [one.factor for one in tried]
    if not all(factors) or short(value.factor) == "1":
        return vague
    detail = times(value.factor)
    if np.ptp(factors) < _NEAR * abs(value.factor):
        if abs(value.factor + 1) < _NEAR:
            return Finding("wrong-sign", about)
        return Finding("wrong-factor", about, detail)
    if all(one.is_off_by_a_size for one in tried):
        why = _TOO_LARGE if abs(value.factor) > 1 else _TOO_SMALL
        return Finding("sum-or-mean", about, detail, why + _TURNED * (value.factor < 0))
    numbers = [(*one.shapes[0], 1)[0] / one.factor for one in tried]
    if np.ptp(numbers) < _NEAR * abs(numbers[0]) and numbers[0] > 1 + _NEAR:
        detail = f"It is divided by {short(numbers[0])}, however many inputs there are."
        return Finding("fixed-size", about, detail)
    return vague
