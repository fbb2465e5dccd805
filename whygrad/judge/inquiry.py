"""What the stages of a judgement share: evidence, what is right, the report, what was raised."""

import re
from dataclasses import dataclass, field, replace

import numpy as np

from whygrad.evidence import Demands, Evidence, Raised, Trial, Values
from whygrad.judge.arrays import Array, close, difference, read_array
from whygrad.judge.expectation import Expectation, from_differences, from_intent, from_reference
from whygrad.judge.gradient_case import GradientCase, cases
from whygrad.judge.precedence import NUMBERS, hides, inputs_of
from whygrad.raised import explained, explanation
from whygrad.verdict import Finding, Property

OTHER_DEFAULT = "float32 as the default dtype"  # the name of a trial where another one is set
OTHER_NUMBERS = "other numbers"  # the name of a trial with inputs of the same shapes
OUTPUT = "the output"  # no input has this name
ALONE = "alone"  # ends the name of a trial where one of several equal lengths is changed
_TWICE = re.compile(
    r"once_differentiable|numpy\(\) on Tensor that requires grad|does not require grad"
)
_RAISE = re.compile(r"\braise\b")


@dataclass
class Inquiry:
    """What the stages work on.

    Attributes:
        evidence: everything that was measured.
        base: its first trial, the one that was measured closely.
        expected: what is right in the base trial, or None if nobody knows.
        reference: the trials of the reference by name, or None without one.
        intended: the trials of what backward is meant to be by name, or None if nobody said.
        names: of the inputs.
        incoming: names of the incoming gradients, one for each output.
        properties: what was looked at so far.
        raised: the exception that explains the findings, if one does.
        strict: whether what arrives right all the same, or fails in other surroundings only, is an
            error; otherwise it is a remark.
        remarks: what is no error, in the order it was found.
        examined: what was looked at, of `verdict.EXAMINED`.
        left_out: what was not looked at, of `verdict.EXAMINED`, and why.
        every: whether all mistakes are wanted, not the first alone.
        found: what the stages before this one found.
        further: what the stage at work found beside what it returns, one group for each mistake.
    """

    evidence: Evidence
    base: Trial
    expected: Expectation | None
    reference: dict[str, Trial] | None
    names: list[str]
    incoming: list[str] = field(default_factory=lambda: ["grad_output"])
    properties: list[Property] = field(default_factory=list)
    raised: Raised | None = None
    strict: bool = True
    remarks: list[Finding] = field(default_factory=list)
    examined: list[str] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    intended: dict[str, Trial] | None = None
    every: bool = False
    found: list[Finding] = field(default_factory=list)
    further: list[list[Finding]] = field(default_factory=list)

    @property
    def wrong(self) -> set[str]:
        """What is not compared again: inputs with a wrong gradient, and OUTPUT if that is wrong."""
        found = [inputs_of(one, self.names) for one in self.found if one.name in NUMBERS]
        return {OUTPUT for one in self.found if one.name == "wrong-forward"}.union(*found)

    @property
    def asked(self) -> Demands:
        """What a task demands of the way to the numbers; nothing where there is no task."""
        return self.evidence.demands or Demands()

    def is_known(self, name: str, about: str = "") -> bool:
        """Return whether what was found before, or a remark, hides such a finding."""
        later = Finding(name, about)
        return any(hides(one, later, self.names) for one in (*self.found, *self.remarks))

    def note(self, name: str, ok: bool | None, *, lenient: bool = False, **details: str) -> None:
        """Add a line to the report; what is `lenient` is a remark, unless the judge is strict."""
        if lenient and not self.strict:
            ok, details["said"] = None, "remark"
        self.properties.append(Property(name, ok, **details))

    def note_raised(self, name: str, raised: Raised, *, lenient: bool = False) -> None:
        """Add a line to the report: looking at it raised an exception."""
        self.note(name, False, lenient=lenient, note=f"{raised.type} was raised")

    def unless_lenient(self, findings: list[Finding]) -> list[Finding]:
        """Return the findings if the judge is strict; otherwise keep them as remarks."""
        if self.strict:
            return findings
        known = {(one.name, one.about) for one in self.remarks}
        # Nothing else says what was raised, since this is no error.
        kept = [replace(one, raised=one.raised or self.raised) for one in findings[:1]]
        self.remarks += [one for one in kept if (one.name, one.about) not in known]
        self.raised = None
        return []

    def named(self, places: list[int]) -> str:
        """Return the names of some inputs, such as "x and W"."""
        return " and ".join(self.names[place] for place in places)

    def expectation(self, trial: Trial) -> Expectation | None:
        """Return what is right in another trial, or None if nothing is to be expected."""
        if self.intended is not None:
            return self._meant(trial)
        if self.reference is None:
            if not trial.differences_of_the_first:
                return from_differences(trial)
            # A forward that draws numbers can draw others in another dtype.
            same = _alike(trial.outputs, self.base.outputs)
            return from_differences(trial, self.base) if same else None
        return from_reference(self.reference.get(trial.name))

    def _meant(self, trial: Trial) -> Expectation | None:
        """Return what is due in a trial: gradients as intended, outputs as the reference has it."""
        forward = None
        if self.reference is not None:
            forward = from_reference(self.reference.get(trial.name))
            if forward is None:
                return None
        return from_intent(self.intended.get(trial.name), forward)

    def values(self, *, of_output: bool = True) -> dict[str, np.ndarray]:
        """Return the numbers of the inputs by name, and those of a single output."""
        outputs = self.base.outputs
        single = _arrays(["the output"], outputs) if of_output and len(outputs) == 1 else {}
        return {**_arrays(self.names, self.base.values), **single}

    def cases(self) -> list[GradientCase]:
        """Return all gradients, each with what was tried on it; empty if no Jacobian is known."""
        elsewhere = []
        for trial in self.evidence.trials[1:]:
            of_other_size = trial.law == "fixed-size" or trial.name == OTHER_NUMBERS
            if of_other_size and trial.grads:
                right = self.expectation(trial)
                if right is not None and len(right.grads) == len(self.base.wanted):
                    elsewhere.append((trial, right))
        return cases(self.base, self.expected, self.names, elsewhere)


def _alike(some: Values, others: Values) -> bool:
    """Tell whether two forwards gave much the same, as those of the same numbers do."""
    pairs = [(read_array(a), read_array(b)) for a, b in zip(some, others, strict=False)]
    return all(b is None or (a is not None and close(a.values, b.values, 0.1)) for a, b in pairs)


def compared(
    inquiry: Inquiry,
    trial: Trial,
    name: str,
    mine: Array | None,
    right: Array,
    relative: float,
    gradient: bool = False,
) -> Property:
    """Compare an output with the right one, or a gradient, and name what went in at that place.

    Args:
        inquiry: which one.
        trial: in which the inputs had these numbers.
        name, mine, right, relative: as of `difference`.
        gradient: whether it is a gradient; then the incoming gradient belongs to it, too.
    """
    given = _given_at(inquiry, trial, right.shape, gradient)
    return difference(name, mine, right, relative, given)


def _given_at(
    inquiry: Inquiry, trial: Trial, shape: tuple[int, ...], gradient: bool
) -> dict[str, np.ndarray]:
    """Return numbers by name; empty where nothing has an element for each place."""
    if trial.values is None:
        return {}  # only directions were looked at
    inputs = _arrays(inquiry.names, trial.values)
    grads = _arrays(inquiry.incoming, trial.grad_outputs) if gradient else {}
    if all(array.shape != shape for array in (grads if gradient else inputs).values()):
        return {}
    plain = zip(inquiry.names, trial.inputs, strict=False)
    plain = {name: about.value for name, about in plain if _is_number(about.value)}
    return {**inputs, **{name: np.array(float(said)) for name, said in plain.items()}, **grads}


def _arrays(names: list[str], encoded: Values | None) -> dict[str, np.ndarray]:
    if len(set(names)) < len(encoded or ()):
        return {}  # two have one name
    found = zip(names, map(read_array, encoded or ()), strict=False)
    return {name: array.values for name, array in found if array is not None}


def _is_number(said: str | None) -> bool:
    return bool(said) and re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", said) is not None


def see(inquiry: Inquiry, raised: Raised) -> Finding:
    """Note an exception as the reason; return the finding that names it."""
    inquiry.raised = raised
    if not_started(raised):
        return Finding("not-started")
    return explained(Finding("raises"), inquiry.raised)


def in_place(finding: Finding, line: Property) -> Finding:
    """Return the finding with where numbers differ."""
    return with_detail(finding, in_numbers(line))


def with_detail(finding: Finding, detail: str) -> Finding:
    """Return the finding with a detail, if it has none."""
    return finding if finding.detail else replace(finding, detail=detail)


def in_numbers(line: Property) -> str:
    """Say in a sentence where something differs, and what it should be; "" if it is no number."""
    if not line.yours:
        return ""
    at = f"At {line.where} it" if line.where.startswith("[") else f"The {line.where or 'value'}"
    if line.given:
        at = f"At {line.where}, where {line.given}, it" if line.where else f"Where {line.given}, it"
    return f"{at} is {line.yours}, and should be {line.expected}."


def ended(words: str) -> str:
    """Return words with a full stop behind them, and never two."""
    return words if words.endswith(".") else f"{words}."


def who_says(raised: Raised) -> str:
    """Quote an exception that comes from no line of the author's."""
    who = "Python" if raised.type == "TypeError" else "PyTorch"
    return f"{who} says: {raised.message}"


def not_started(raised: Raised | None) -> bool:
    """Tell whether an exception is that of a stub: its own line raises it.

    PyTorch raises some by this name, with a message; where no line is known, a stub has none.
    """
    if not raised or raised.type != "NotImplementedError":
        return False
    return bool(_RAISE.search(raised.line)) if raised.line else not raised.message


def wrong_count(raised: Raised) -> Finding | None:
    """Return a finding if a backward returned too few or too many gradients."""
    if "incorrect number of gradients" not in raised.message:
        return None
    return explained(Finding("wrong-gradient-count", "", ended(who_says(raised))), raised)


def invalid_shape(raised: Raised) -> bool:
    """Tell whether the engine refused a gradient for its shape."""
    return "returned an invalid gradient" in raised.message


def writes_to_shared(raised: Raised) -> bool:
    """Tell whether something was written whose elements share memory."""
    return "single memory location" in raised.message


def cannot_be_differentiated(raised: Raised) -> bool:
    """Tell whether a double backward failed because the first one cut the history."""
    by_engine = not raised.line and raised.type == "RuntimeError"
    return by_engine or bool(_TWICE.search(raised.message))


def dtype_clash(raised: Raised) -> bool:
    """Tell whether tensors of two dtypes met."""
    found = explanation(raised)
    return found is not None and found.name.startswith("dtypes-differ")
