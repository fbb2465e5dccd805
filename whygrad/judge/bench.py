"""What the stages of a judgement share: the evidence, what is right, and the report so far."""

from dataclasses import dataclass, field
from typing import Any

from whygrad.diagnosis import Finding, Property, Raised
from whygrad.judge.case import Case, cases
from whygrad.judge.expectation import Expectation, from_differences, from_reference
from whygrad.judge.raised import not_started, read_raised

OTHER_NUMBERS = "other numbers"  # the name of a trial with inputs of the same shapes


@dataclass
class Bench:
    """What the stages work on.

    Attributes:
        measured: the whole evidence.
        base: its first trial, the one that was measured closely.
        expected: what is right in the base trial, or None if nobody knows.
        reference: the trials of the reference by name, or None without one.
        names: of the inputs.
        properties: what was looked at so far.
        raised: the exception that explains the findings, if one does.
    """

    measured: dict[str, Any]
    base: dict[str, Any]
    expected: Expectation | None
    reference: dict[str, dict[str, Any]] | None
    names: list[str]
    properties: list[Property] = field(default_factory=list)
    raised: Raised | None = None

    def note(self, name: str, ok: bool, **details: str) -> bool:
        """Add a line to the report; return whether it is a good one."""
        self.properties.append(Property(name, ok, **details))
        return ok

    def expectation(self, trial: dict[str, Any]) -> Expectation | None:
        """Return what is right in another trial, or None if nothing is to be expected."""
        if self.reference is None:
            # Differences of float32 numbers say nothing: those of the same inputs in float64 do.
            low = trial["law"] == "wrong-dtype"
            return from_differences(trial, self.base["numerical"] if low else None)
        right = self.reference.get(trial["name"])
        return from_reference(right) if right else None

    def cases(self) -> list[Case]:
        """Return all gradients, each with what was tried on it; empty if no Jacobian is known."""
        elsewhere = []
        for trial in self.measured["trials"][1:]:
            of_other_size = trial["law"] == "fixed-size" or trial["name"] == OTHER_NUMBERS
            if of_other_size and trial.get("grads"):
                right = self.expectation(trial)
                if right is not None and len(right.grads) == len(self.base["wanted"]):
                    elsewhere.append((trial, right))
        return cases(self.base, self.expected, self.names, elsewhere)


def see(bench: Bench, raised: dict[str, Any]) -> Finding:
    """Note an exception as the reason; return the finding that names it."""
    bench.raised = read_raised(raised)
    return Finding("not-started" if not_started(raised) else "raises")
