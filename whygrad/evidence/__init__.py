"""Everything that was measured of a callable: `measure` makes it, `judge` concludes from it."""

from dataclasses import field

from whygrad.codec import EvidenceError, record
from whygrad.evidence.trial import Trial
from whygrad.evidence.value import Raised, Slot, Value, Values

__all__ = ["Evidence", "EvidenceError", "Raised", "Slot", "Trial", "Value", "Values"]


@record
class Demands:
    """What a task demands of the way to the numbers.

    Attributes:
        by_hand: gradients are worked out by hand.
        in_place: forward writes into its input.
        around: operations that may be next to the Function, by PyTorch's names.
        once: operations that forward alone may run.
        saves: what may be kept, as in a task of the course; or "".
        numpy: forward and the first backward compute in NumPy.
        modes: what Functions have besides backward: "jvp", "vmap".
        own_rule: a rule for "vmap" is written by hand.
        bytes: how many may be kept for backward, by the name of the trial; empty if nobody counts.
    """

    by_hand: bool
    in_place: bool
    around: list[str]
    once: list[str]
    saves: str
    numpy: bool
    modes: list[str]
    own_rule: bool
    bytes: dict[str, int]


@record
class Keeping:
    """What follows from where a Function keeps its tensors.

    Attributes:
        on_ctx: the attributes of `ctx` that are tensors.
        numbers: those that are arrays or lists of as many numbers as an input has.
        rounded: the saved numbers of a lower dtype.
        cycle: whether an output outlives its last name.
        again: whether a second backward runs though the first one was to free everything.
        unnoticed: the inputs, by place, and "the output", after a change of which another gradient
            comes back without an error.
    """

    on_ctx: list[str]
    numbers: list[str]
    rounded: list[str]
    cycle: bool
    again: bool
    unnoticed: list[int | str]


@record
class Sampled:
    """A large input, looked at along directions: how many of them, and of how many numbers.

    `at_a_kink` of these numbers stay where they are.
    """

    input: int
    directions: int
    numbers: int
    at_a_kink: int


@record
class Evidence:
    """Everything that was measured of a callable, and what is known of it beforehand.

    Attributes:
        order: 2 if backward was differentiated, too.
        trials: one for each set of inputs; the first was measured closely.
        names: of the inputs.
        incoming: names of the incoming gradients, one for each output.
        kind: "module" if a layer applies the Function, which may not run at all.
        views: whether forward may return its input.
        demands: what a task demands; None without a task.
        keeping: what follows from where tensors are kept; None where nobody asks.
        statistics: the inputs in which forward keeps statistics, by name.
        not_finite: which input holds no finite numbers, in words; or "".
        returned_arrays: the type of what forward returned in the place of tensors, or "".
        sampled: the large inputs.
        left_out: what was not looked at, of `verdict.EXAMINED`, and why.
        right_parts: the parts of a task in which the evidence is that of a right answer.
    """

    order: int
    trials: list[Trial]
    names: list[str]
    incoming: list[str] = field(default_factory=lambda: ["grad_output"])
    kind: str = "function"
    views: bool
    demands: Demands | None
    keeping: Keeping | None
    statistics: list[str]
    not_finite: str
    returned_arrays: str
    sampled: list[Sampled]
    left_out: dict[str, str]
    right_parts: list[str]

    @property
    def base(self) -> Trial:
        """The first trial."""
        return self.trials[0]
