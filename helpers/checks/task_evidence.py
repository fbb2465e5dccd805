"""What was measured of an answer, and what is known of a right one, by the kind of the task."""

from dataclasses import fields
from typing import Any

from whygrad.codec import decoded, record
from whygrad.evidence import Evidence, Raised, Trial, Value
from whygrad.lines.step import Step


@record
class Told:
    """A wrong answer that is known.

    Attributes:
        name, why, look, item: as in a `Slip` of references/.
    """

    name: str
    why: str
    look: str
    item: str


@record
class FunctionSlip(Told):
    """A wrong Function, and what it does on some inputs."""

    trials: list[Trial]


@record
class HeldValue:
    """Something that a layer holds.

    Attributes:
        kind: as what: "parameter", "frozen", "buffer", "tensor", "None", "nothing", or its type.
        start: the numbers of a tensor; otherwise None.
    """

    kind: str
    start: Value | None


@record
class Layer:
    """A layer that was built.

    Attributes:
        due: the shapes of its parameters, by name; None for one that it must not have.
        starts: the parameters whose first numbers the task says.
        raised: what building it raised.
        has_backward: whether it has a method of that name.
        held: what it holds under the names of the parameters.
        others: the names of its other parameters.
    """

    due: dict[str, list[int] | None]
    starts: list[str]
    raised: Raised | None
    has_backward: bool
    held: dict[str, HeldValue]
    others: list[str]


@record
class FunctionEvidence(Evidence):
    """What was measured of a Function, or of a layer.

    Attributes:
        layers: the layers of several sizes that were built.
        function: of the Function alone, where the layer around it raises in forward.
        by_input: where backward raises, the trials with one input alone that requires a gradient:
            by its name, by theirs.
        intended: whether a right backward is not the derivative of forward.
        slips: wrong answers that are known.
    """

    layers: list[Layer]
    function: Evidence | None
    by_input: dict[str, dict[str, Trial]]
    intended: bool
    slips: list[FunctionSlip]


@record
class ValuesTrial:
    """What a plain function gives for one set of inputs.

    Attributes:
        name, law, inputs: as in a `Trial`.
        given: the numbers of the tensors among the inputs, as they were before the call.
        raised: what it raised; then nothing below is known.
        values, again: what it returned, and what it returned the next time, as JSON data.
        autograd: how autograd was put to work inside.
        noted: what else was seen, as in `Watch`.
        tensors_on_ctx: whether a Function keeps tensors as attributes of `ctx`.
        changed: the places of the inputs that it wrote into.
        lines: what each line ran, of the first inputs.
    """

    name: str
    law: str
    inputs: list[Value]
    given: list[Value | None]
    raised: Raised | None
    values: Any
    again: Any
    autograd: list[str]
    noted: list[str]
    tensors_on_ctx: bool
    changed: list[int]
    lines: list[Step]


@record
class ValuesSlip(Told):
    """A wrong function: what it gives, or the text in place of its first wrong value."""

    trials: list[ValuesTrial]
    seen: str


@record
class ValuesEvidence:
    """What was measured of a plain function.

    Attributes:
        trials: one for each set of inputs.
        later: what it returned for the first ones after all others, as JSON data.
        kind, names, by_hand, any_dtype, untouched: as in a `ValuesTask`.
        slips: wrong answers that are known.
    """

    kind: str
    trials: list[ValuesTrial]
    later: Any
    names: list[str]
    by_hand: bool
    any_dtype: bool
    untouched: list[str]
    slips: list[ValuesSlip]


@record
class PredictionSlip(Told):
    """A wrong prediction; with None for its value, a hint for other wrong values of its item."""

    value: Any


@record
class Form:
    """What a `PredictionTask` says of its answer."""

    said: str = "a value"
    items: list[str]
    entries: list[str]
    words: list[str]
    carried: str
    shapes: bool


@record
class PredictionEvidence:
    """A prediction.

    Attributes:
        kind: as in a `PredictionTask`.
        value: as JSON data.
        given: whether there is one.
        form: what the task says of it.
        slips: wrong predictions that are known.
    """

    kind: str
    value: Any
    given: bool = True
    form: Form
    slips: list[PredictionSlip]


Measured = FunctionEvidence | ValuesEvidence | PredictionEvidence
_KINDS = {"values": ValuesEvidence, "prediction": PredictionEvidence}


def said_of(source: Any, kind: type) -> dict[str, Any]:
    """Return what a task, say, has under the names of a type's fields; lists in place of tuples."""
    names = (one.name for one in fields(kind))
    said = {name: getattr(source, name) for name in names if hasattr(source, name)}
    return {name: [*one] if isinstance(one, tuple) else one for name, one in said.items()}


def read(data: Any) -> Measured:
    """Return what `encoded` made data of.

    Raises:
        EvidenceError: it does not fit.
    """
    kind = data.get("kind") if isinstance(data, dict) else None
    return decoded(_KINDS.get(str(kind), FunctionEvidence), data)
