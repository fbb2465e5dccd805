"""Judge what a layer holds, as its user builds it for each set of inputs."""

from dataclasses import replace

from helpers.checks.task_evidence import FunctionEvidence, HeldValue, Layer
from whygrad.judge.arrays import difference, read_array
from whygrad.judge.inquiry import in_numbers, not_started
from whygrad.raised import explained
from whygrad.verdict import Finding, Property, Verdict

_OPTIMIZER = "The optimizer gets `layer.parameters()`, and these are `nn.Parameter` only."
# As what something is held that is no Parameter to train, and why it does not do for one.
_HELD = {
    "parameter": ("a Parameter", ""),
    "tensor": (
        "a plain tensor",
        f"{_OPTIMIZER} A plain tensor may require a gradient and even get one: no step changes "
        "it, and it is not saved.",
    ),
    "buffer": (
        "a buffer",
        f"{_OPTIMIZER} A buffer is saved and moved with the layer, but never trained.",
    ),
    "frozen": (
        "a Parameter with `requires_grad=False`",
        "It is handed to the optimizer, but never gets a gradient, so no step changes it.",
    ),
}
_PRINT = "Print `list(layer.named_parameters())` to see what the optimizer gets."
_OF_ORDER = {"wrong-forward", "not-summed", "wrong-shape", "swapped-gradients", "wrong-gradient"}


def judge_layers(measured: FunctionEvidence, expected: FunctionEvidence) -> Verdict | None:
    """Return a verdict on the layers that were built, or None if all of them are as they should."""
    for mine, right in zip(measured.layers, expected.layers, strict=True):
        if raised := mine.raised:
            line = Property("the layer is built", False, note=f"{raised.type} was raised")
            stub = not_started(raised)
            found = Finding("not-started") if stub else explained(Finding("raises"), raised)
            return Verdict((line,), (found,), raised)
        for name in mine.due:
            if said := _of_parameter(name, mine, right.held[name]):
                found = Finding("wrong-layer", name, *said)
                return Verdict((Property(f"the layer: {name}", False),), (found,))
        if mine.others:
            said = f"The optimizer gets Parameters besides: {', '.join(mine.others)}."
            found = Finding("wrong-layer", "its Parameters", said, look=_PRINT)
            return Verdict((Property("the layer: no other Parameters", False),), (found,))
    return None


def _of_parameter(name: str, mine: Layer, right: HeldValue) -> tuple[str, ...]:
    """Say what is wrong with a parameter, why, and what to do; nothing if it is right."""
    kind, shape = mine.held[name].kind, mine.due[name]
    said, why = _HELD.get(kind, (f"of type {kind}", _OPTIMIZER))
    if shape is None and kind in ("None", "nothing"):
        return ()
    if shape is None:
        return (
            f"With `{name}=False` the layer still has a `{name}`; it is to be None then.",
            f"`self.{name}` is {said} then, and that is not None.",
            f"Go through `__init__` line by line for `{name}=False`: which line sets "
            f"`self.{name}`, and to what?",
        )
    if kind == "parameter":
        return _of_numbers(name, mine, right)
    if kind in _HELD:
        return f"`self.{name}` is {said}, so the layer does not learn it.", why, _PRINT
    others = " and ".join(f"`{other}`" for other in mine.others)
    return (
        f"The layer has no Parameter `{name}`."
        if kind == "nothing"
        else f"`self.{name}` is {said}, and no `nn.Parameter`.",
        f"Its parameters are {others}." if others else why,
        f"Set `self.{name}` in `__init__`, under just this name, to an `nn.Parameter`.",
    )


def _of_numbers(name: str, mine: Layer, right: HeldValue) -> tuple[str, ...]:
    """Say what is wrong with the shape, the dtype or the first numbers of a parameter."""
    start, shape = mine.held[name].start, mine.due[name]
    if start.shape != shape:
        return (
            f"The Parameter `{name}` has the shape {start.shape}, and should have {shape}.",
            "The two sizes are swapped."
            if start.shape == shape[::-1]
            else "A layer of this shape goes through only where sizes happen to fit or to "
            "broadcast.",
            f"Print `layer.{name}.shape` and compare it with the shape in the task, size by size.",
        )
    if start.dtype != "float32":
        return (
            f"The Parameter `{name}` is {start.dtype}, and layers start with float32.",
            "It is made with a `dtype`, or of numbers that have one. A float32 input then differs.",
            "Leave the dtype out, and let PyTorch make it: `layer.double()` changes it later.",
        )
    line = difference(name, read_array(start), read_array(right.start), 1e-4)
    if line.ok or name not in mine.starts:
        return ()
    return (
        f"The Parameter `{name}` does not start with the task's numbers. {in_numbers(line)}",
        "A layer begins with the numbers that `__init__` puts into its parameters.",
        "Look again at the task's sentence about how each parameter starts.",
    )


def explain_layer(verdict: Verdict, measured: FunctionEvidence) -> Verdict:
    """Return the verdict on a layer's Function with its reason, if that is the layer."""
    first, *others = verdict.findings
    places = [slot.input for slot in measured.base.returned if slot.input is not None]
    if first.name == "unused-function":
        why = "The layer's `forward` does not return what `.apply` of the Function gives."
        if measured.layers[0].has_backward:
            why += " The layer has a `backward`, but nobody calls a method of that name."
        first = replace(first, why=why)
    elif places != sorted(places) and first.name in _OF_ORDER:
        names = ", ".join(measured.names[place] for place in places)
        first = first.because(
            f"The layer hands its tensors to `.apply` in the order {names}.",
            "Compare that line with the arguments of the Function's `forward`, one by one.",
        )
    return replace(verdict, findings=(first, *others))
