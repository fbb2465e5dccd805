"""What is measured of a callable on one set of inputs."""

from whygrad.codec import record
from whygrad.evidence.modes import Jvp, Vmap
from whygrad.evidence.second_order import HiddenOutput, Second, SecondRun
from whygrad.evidence.value import Alone, Backward, Raised, Shape, Slot, Value, Values
from whygrad.lines.step import Step


@record
class Kept:
    """How many floating-point tensors custom nodes keep: inputs, outputs, copies of one of these
    without a history, and others. Those that are attributes of `ctx` are counted once more.
    """

    input: int
    output: int
    copy: int
    other: int
    attribute: int


@record
class Held:
    """The memory that custom nodes keep for backward.

    Attributes:
        bytes: each storage counted once.
        each: what is in them, in words.
        narrow: those of fewer digits than any input has, in words.
        copied: whether one is a copy of an input or output, in a storage of its own.
    """

    bytes: int
    each: list[str]
    narrow: list[str]
    copied: bool


@record
class HeldElsewhere:
    """The memory that a forward leaves alive next to its graph.

    Attributes:
        bytes: that it made and that neither an output nor a node of the graph has.
        shape: of one of the tensors, or None.
        stays: whether anything stays when the graph is gone, an input, too.
        view_of_output: whether it is an output alone of which a view is saved.
    """

    bytes: int
    shape: Shape | None
    stays: bool
    view_of_output: bool


@record
class Repeats:
    """Gradients and outputs of further calls with the same numbers; None where one raised.

    Attributes:
        raised: what one of them raised.
        once_only: whether only the second backward through a graph raised.
        first, second: from one graph, one after the other.
        reseeded_backward: with another seed before backward.
        anew: of another call, with one of other numbers behind it.
        anew_outputs, reseeded_outputs: of another call, and with another seed before it.
        written: what the call with other numbers wrote on the Functions' classes, by name.
    """

    raised: Raised | None
    once_only: bool
    first: Values | None
    second: Values | None
    reseeded_backward: Values | None
    anew: Values | None
    anew_outputs: Values | None
    reseeded_outputs: Values | None
    written: list[str]


@record
class Trial:
    """What a callable does on one set of inputs.

    Where forward raised, or returned no tensor, only what comes before `custom` is known. What is
    measured on the first inputs alone, or where it is asked for, is None or empty elsewhere.

    Attributes:
        name: what is tried: "base", or such as "a batch of 5".
        law: the mistake if only this trial fails, such as "fixed-size"; or "".
        inputs: the arguments, without the numbers of tensors.
        values: the numbers of these tensors; None where only directions were looked at.
        wanted: the places of the inputs that are differentiated.
        outputs: the tensors that came back.
        odd: the type of what came back if it is not a tensor or several; otherwise "".
        applied: how many Functions forward applied.
        packed: the inputs that were in a list or the like in a call of `.apply`: their places, as
            texts, with the type of the list.
        changed_in_forward: the places of inputs that forward wrote into.
        raised: what forward or backward raised.
        custom: the nodes of custom Functions behind the outputs, by name.
        around: what is between inputs and outputs next to these, by name.
        keeps, held: the tensors and the memory that custom nodes keep.
        named_on_ctx: the tensors among them that are attributes of `ctx`, in words.
        tensors_on_ctx: how many these are.
        requires_grad: of each output.
        shares: the places of inputs that an output is, or is a view of.
        a_tuple_of_one: whether one tensor came back in a tuple or list.
        marks_constant: whether forward said of anything that it has no gradient.
        marks_made: whether it said that it writes into a tensor that is no input.
        marks_written: the places of the inputs that it said it writes into.
        in_float32: of each output, and then of each gradient, how many of its float64 numbers
            float32 can hold.
        grad_outputs: the incoming gradients, one for each output of floats; None where backward
            was not run.
        grads: the gradients of the differentiable inputs; None if backward raised.
        returned: what custom backwards returned.
        changed: the places of inputs that forward or backward wrote into.
        grad_output_changed: whether backward wrote into an incoming gradient.
        outputs_changed: whether it wrote into an output.
        autograd: how autograd was put to work inside, as in `Watch`.
        lists: the Functions whose forward returned a list.
        lines: what each line ran; of other trials than the first, those that write, cast, or make
            a number that is not finite.
        numerical: for each differentiable input its Jacobian by finite differences, (numbers of the
            outputs, numbers of the input), or one of the weighted sum of the outputs where it is
            not the first trial; None for one whose gradient agrees with slopes along a direction.
        noise: how far each may be off, next to its largest number.
        noise_from: why, in words that go after "since", or "".
        differences_of_the_first: whether the finite differences of the first trial hold here.
        uses: whether one of the Functions that were named is at work; None if none was named.
        probes: backwards for further incoming gradients, by name.
        jacobian: like `numerical`, by backward; None if it is too large.
        repeats: further calls with the same numbers.
        alone: for each differentiable input, a backward where it alone requires a gradient.
        expanded: a backward as `.sum()` brings it.
        unasked: the outputs of a call in which no input requires a gradient.
        outputs_alone: for each of several outputs, a backward from it alone.
        moved: a backward after the outputs got other numbers.
        second: second derivatives.
        hidden_outputs: outputs that the caller of a Function does not return.
        jvp, vmap: of the Functions that have them.
        like_a_rule: the name of something like a rule for `vmap`, where there is none; or "".
        held_elsewhere: memory that stays alive next to the graph.
        operations, operations_of_forward, operations_of_backward: the operations of PyTorch that
            ran, by name.
    """

    name: str
    law: str
    inputs: list[Value]
    values: Values | None
    wanted: list[int]
    outputs: list[Value]
    odd: str
    applied: int
    packed: dict[str, str]
    changed_in_forward: list[int]
    raised: Raised | None
    custom: list[str]
    around: list[str]
    keeps: Kept
    held: Held
    named_on_ctx: list[str]
    tensors_on_ctx: int
    requires_grad: list[bool]
    shares: list[int]
    a_tuple_of_one: bool
    marks_constant: bool
    marks_made: bool
    marks_written: list[int]
    in_float32: list[int]
    grad_outputs: list[Value] | None
    grads: Values | None
    returned: list[Slot]
    changed: list[int]
    grad_output_changed: bool
    outputs_changed: bool
    autograd: list[str]
    lists: list[str]
    lines: list[Step]
    numerical: Values | None
    noise: list[float]
    noise_from: str
    differences_of_the_first: bool
    uses: bool | None
    probes: dict[str, Backward]
    jacobian: list[Value] | None
    repeats: Repeats | None
    alone: list[Alone]
    expanded: Backward | None
    unasked: Values | None
    outputs_alone: list[Backward]
    moved: Backward | None
    second: Second | None
    hidden_outputs: list[HiddenOutput]
    jvp: list[Jvp]
    vmap: list[Vmap]
    like_a_rule: str
    held_elsewhere: HeldElsewhere | None
    operations: list[str] | None
    operations_of_forward: list[str] | None
    operations_of_backward: list[str] | None

    @property
    def tracked(self) -> SecondRun:
        """The double backward with incoming gradients that require one; empty if there is none."""
        return self.second.tracked if self.second else SecondRun()
