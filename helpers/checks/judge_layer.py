"""Judge how a layer is built: that it holds the parameters that the task describes."""

import numpy as np

from helpers.checks.task_evidence import FunctionEvidence, HeldValue, Layer, TrainingStep
from helpers.checks.values import shown
from whygrad.evidence import Value
from whygrad.judge.arrays import close, read_array
from whygrad.judge.inquiry import not_started
from whygrad.raised import explained
from whygrad.verdict import Finding, Property, Verdict

_BUT = {
    "tensor": "a plain tensor",
    "buffer": "a buffer",
    "frozen": "a Parameter with `requires_grad=False`",
}
_UNTRAINED = {
    "tensor": "{} A plain tensor may require a gradient and even get one: no step changes it, and "
    "it is not saved.",
    "buffer": "{} A buffer is saved and moved with the layer, but never trained.",
    "frozen": "It is handed to the optimizer, but never gets a gradient, so no step changes it.",
}
_NOT_NONE = {
    "parameter": "A Parameter is made in this case, too, and the optimizer would train a {0} that "
    "nobody wanted.",
    "frozen": "A Parameter with `requires_grad=False` is not trained, but it is still a Parameter: "
    "it is listed among the parameters, and saved.",
    "buffer": "It is a buffer: not trained, but saved, and the layer still has a {0}.",
    "tensor": "It is a plain tensor then. It is not trained, but it is not None either.",
}
_LAYER, _NO_PARAMETER = "A layer: parameters and `.apply`", "A weight that is no Parameter"
_OPTIMIZER = "The optimizer gets `layer.parameters()`, and these are `nn.Parameter` only."


def judge_layers(measured: FunctionEvidence, expected: FunctionEvidence) -> Verdict | None:
    """Return a verdict on the layers that were built, or None if all of them are as they should."""
    for mine, right in zip(measured.layers, expected.layers, strict=True):
        if verdict := _judge(mine, right):
            return verdict
    return None


def _judge(mine: Layer, right: Layer) -> Verdict | None:
    if raised := mine.raised:
        stub = not_started(raised)
        line = Property("the layer is built", False, note=f"{raised.type} was raised")
        found = Finding("not-started") if stub else explained(Finding("raises"), raised)
        return Verdict((line,), (found,), raised)
    if mine.odd:
        return _wrong("the layer", f"The class makes a {mine.odd}, which is no `nn.Module`.")
    if not mine.has_forward:
        return _wrong(
            "forward",
            "The layer has no method `forward`, so it cannot be called.",
            "Perhaps it is not written, has another name, or stands too far to the right: then it "
            "is a function inside of `__init__`, and none of the class.",
            "Write `def forward(self, x):` in the class, as far to the right as `__init__`.",
        )
    for name, shape in mine.due.items():
        held, due = mine.held[name], right.held[name]
        if verdict := _of_parameter(name, shape, held, mine.others):
            return verdict
        if name in mine.starts and (verdict := _of_start(name, held.start, due.start)):
            return verdict
    return None


def _of_parameter(
    name: str, shape: list[int] | None, held: HeldValue, others: list[str]
) -> Verdict | None:
    kind, start = held.kind, held.start
    if shape is None:
        if kind in ("None", "nothing"):
            return None
        return _wrong(
            name,
            f"With `{name}=False` the layer still has a `{name}`; it is to be None then.",
            _NOT_NONE.get(
                kind, f"`self.{{0}}` is of type {kind} then, and that is not None."
            ).format(name),
            f"Go through `__init__` line by line for `{name}=False`: which line sets "
            f"`self.{name}`, and to what?",
        )
    if kind in _BUT:
        return _wrong(
            name,
            f"`self.{name}` is {_BUT[kind]}, so the layer does not learn it.",
            _UNTRAINED[kind].format(_OPTIMIZER),
            "Print `list(layer.named_parameters())` to see what the optimizer gets.",
            _NO_PARAMETER,
        )
    if kind == "None":
        return _wrong(name, f"`self.{name}` is None, where a Parameter of shape {shape} is due.")
    if kind != "parameter":
        return _of_absent(name, kind, others)
    if start.shape != shape:
        return _of_shape(name, shape, start.shape)
    if start.dtype != "float32":
        return _wrong(
            name,
            f"The Parameter `{name}` is {start.dtype}, and layers start with float32.",
            "A `dtype` is named where it is made. An input of float32 then meets another dtype.",
            "Leave the dtype out: PyTorch takes float32, and `layer.double()` changes it later.",
        )
    return None


def _of_absent(name: str, kind: str, others: list[str]) -> Verdict:
    detail = f"The layer has no Parameter `{name}`."
    if kind != "nothing":
        detail = f"`self.{name}` is of type {kind}, and no `nn.Parameter`."
    why = f"Its parameters are {' and '.join(f'`{other}`' for other in others)}." if others else ""
    look = f"Set `self.{name}` in `__init__`, under just this name, to an `nn.Parameter`."
    return _wrong(name, detail, why or _OPTIMIZER, look)


def _of_shape(name: str, due: list[int], mine: list[int]) -> Verdict:
    why = "A layer of this shape goes through only where sizes happen to fit or to broadcast."
    if mine == due[::-1]:
        why = "The two sizes are swapped."
    return _wrong(
        name,
        f"The Parameter `{name}` has the shape {mine}, and should have {due}.",
        why,
        f"Print `layer.{name}.shape` and compare it with the shape in the task, size by size.",
    )


def _of_start(name: str, mine: Value, due: Value) -> Verdict | None:
    found, right = read_array(mine).values, read_array(due).values
    if close(found, right, 1e-4):
        return None
    why = "A layer begins with the numbers that `__init__` puts into its parameters."
    look = "Look again at the task's sentence about how each parameter starts."
    if _by_chance(found):
        why = (
            "Such numbers stand in memory that nothing was written into: `torch.Tensor(n)` and "
            "`torch.empty(n)` make a tensor without setting its numbers."
        )
        look = "Make the tensor by a function that says which numbers it holds. " + look
    values = [shown(float(value)) for value in np.unique(right)]
    first = ", ".join(shown(float(value)) for value in found.reshape(-1)[:3])
    return _wrong(
        name,
        f"The Parameter `{name}` starts with {first}{', …' if found.size > 3 else ''}; the task "
        f"asks for {' and '.join(values)} everywhere.",
        why,
        look,
    )


def _by_chance(found: np.ndarray) -> bool:
    """Tell whether some numbers are such as nobody writes into a layer."""
    size = np.abs(found[found != 0])
    return not np.isfinite(found).all() or bool(((size > 1e6) | (size < 1e-20)).any())


def judge_step(measured: FunctionEvidence) -> Verdict | None:
    """Return a verdict on one step of training, or None if all parameters took part in it."""
    step = measured.layers[0].step or TrainingStep()
    if raised := step.raised:
        line = Property("a training step", False, note=f"{raised.type} was raised")
        return Verdict((line,), (explained(Finding("raises"), raised),), raised)
    if step.still:
        name = " and ".join(step.still)
        return _wrong(name, f"A training step with an optimizer does not change `{name}`.")
    return None


def _wrong(name: str, detail: str, why: str = "", look: str = "", section: str = _LAYER) -> Verdict:
    look = look and f"{look} See lesson 3, “{section}”."
    line = Property(f"the layer: {name}" if name != "the layer" else name, False)
    return Verdict((line,), (Finding("wrong-layer", name, detail, why, look),))
