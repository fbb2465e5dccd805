"""What is measured of a Function in forward mode, and under `torch.vmap`."""

from whygrad.codec import record
from whygrad.evidence.value import Raised, Values


@record
class Direction:
    """A `jvp` along one direction.

    Attributes:
        of: the places of the arguments that have a tangent.
        tangents: for each argument its tangent, or None.
        names, given: of each argument its name, and its numbers if it has a tangent somewhere.
        raised: what `jvp` raised; then nothing below is known.
        dtypes: of the outputs.
        out: the tangents of the outputs.
        numerical: the same by finite differences; empty if there are none.
        noise: how far these may be off, next to the largest.
        products: for a vector u, u times the tangents, and the direction times the gradients for u;
            empty if backward gives none.
    """

    of: list[int]
    tangents: Values
    names: list[str]
    given: Values
    raised: Raised | None
    dtypes: list[str]
    out: Values
    numerical: Values
    noise: float
    products: list[float]


@record
class Columns:
    """A batch of tangents at once: what was raised, and whether it gives what one by one gives."""

    raised: Raised | None
    same: bool


@record
class Jvp:
    """The `jvp` of one Function.

    Attributes:
        function: its name.
        names: of its arguments.
        directions: one of all inputs, then one of each.
        narrow: for float32 inputs, the dtypes of each tangent and its output.
        columns: a batch of tangents; None where the Function has no rule for one, or two.
    """

    function: str
    names: list[str]
    directions: list[Direction]
    narrow: list[list[str]]
    columns: Columns | None


@record
class Batch:
    """One way to batch the arguments of a Function, next to a loop over the batch.

    Attributes:
        in_dims: where the batch of each argument is; None for an argument without one.
        wanted: the places of the arguments that have a gradient.
        generated: whether PyTorch generated the rule.
        refused: why the loop cannot be compared with, or ""; then nothing below is known.
        raised: what the rule, or a backward through it, raised.
        in_graph: whether a custom Function is in the graph behind the outputs.
        out, due: the outputs, and those of the loop.
        grads, due_grads: the gradients, and those of the loop; None if `out` has other shapes.
    """

    in_dims: list[int | None]
    wanted: list[int]
    generated: bool
    refused: str
    raised: Raised | None
    in_graph: bool
    out: Values
    due: Values
    grads: Values | None
    due_grads: Values | None


@record
class Vmap:
    """A Function's rule for `torch.vmap`: its name, its arguments' names, and what was tried."""

    function: str
    names: list[str]
    ways: list[Batch]
