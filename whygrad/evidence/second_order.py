"""What is measured of a double backward: the derivatives of the gradients."""

from whygrad.codec import record
from whygrad.evidence.value import Raised, Value, Values
from whygrad.lines.step import Step


@record
class Ways:
    """The graph behind one gradient.

    Attributes:
        to: for each input, then for each incoming gradient, whether a path leads back to it.
        own: the Functions on these paths that forward did not apply, by name.
        other_leaves: whether a path ends in a leaf that is none of the inputs, such as a copy that
            requires a gradient.
        once: whether `once_differentiable` told PyTorch that there is no second derivative.
    """

    to: list[bool]
    own: list[str]
    other_leaves: bool
    once: bool


@record
class Called:
    """A Function that backward applied, and which inputs it was given as they are.

    `given` has their places; those of incoming gradients come behind the inputs.
    """

    function: str
    given: list[int]


@record
class SecondRun:
    """One backward that is recorded, and the backward through it.

    Attributes:
        raised: what one of them raised.
        lines: what the lines of forward and of the first backward ran.
        requires_grad: of each gradient of the first backward.
        ways: the graph behind each gradient.
        copies: the inputs of which Functions keep a copy or a view of no history, by their places;
            None for an output.
        called: the Functions that backwards applied; None if backward raised.
        grad_outputs: the incoming gradients.
        around: as in `Trial`.
        autograd: as in `Trial`, of both backwards.
        for_inputs: for each gradient, its weighted derivatives with respect to each input; None if
            there are none, since something raised.
        for_grad_output: the same with respect to each incoming gradient.
    """

    raised: Raised | None
    lines: list[Step]
    requires_grad: list[bool]
    ways: list[Ways]
    copies: list[int | None]
    called: list[Called] | None
    grad_outputs: list[Value]
    around: list[str]
    autograd: list[str]
    for_inputs: list[Values] | None
    for_grad_output: list[Values] | None


@record
class Second:
    """The double backwards of one set of inputs.

    Attributes:
        tracked: with incoming gradients that require a gradient.
        constant: with incoming gradients that require none.
        other_incoming, other_weights: with other numbers for the incoming gradients of the first
            backward, and of the second one. None, like `constant`, where it is not the first trial.
        numerical: for each gradient, its derivatives by finite differences with respect to each
            input and each incoming gradient; None if these were not measured.
        numerical_other_incoming: the same for `other_incoming`.
        noise: how far they may be off, next to the largest.
        noise_from: why, in words that go after "since", or "".
    """

    tracked: SecondRun
    constant: SecondRun | None
    other_incoming: SecondRun | None
    other_weights: SecondRun | None
    numerical: list[Values] | None
    numerical_other_incoming: list[Values] | None
    noise: float
    noise_from: str

    @property
    def runs(self) -> list[SecondRun]:
        """All that ran."""
        every = (self.tracked, self.constant, self.other_incoming, self.other_weights)
        return [one for one in every if one is not None]


@record
class HiddenOutput:
    """An output of a Function that its caller does not return.

    Attributes:
        name: what backward calls its incoming gradient.
        function: whose output it is.
        value: its numbers.
        grads: the gradients of the inputs for random incoming ones; None if backward raised.
        numerical: the same by finite differences; None if there are none.
    """

    name: str
    function: str
    value: Value
    grads: Values | None
    numerical: list[Value] | None
