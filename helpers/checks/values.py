"""What plain functions and predictions give, as data, and how it compares with what is right."""

import math
import numbers
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import torch

from helpers.checks.task import PredictionTask, ValuesTask
from helpers.checks.task_evidence import PredictionEvidence, ValuesEvidence, ValuesTrial
from whygrad.codec import from_json, to_json
from whygrad.evidence import EvidenceError, Value
from whygrad.graph.nodes import hidden_tensors
from whygrad.judge.arrays import Array, difference, read_array
from whygrad.lines.log import LineLog
from whygrad.lines.step import Step
from whygrad.measure.encode import encode, encode_raised, rounded
from whygrad.measure.quiet import quiet, reseed, same_settings
from whygrad.measure.run_once import Call, leaf
from whygrad.measure.trial import Probe, about
from whygrad.measure.watch import installed, watching
from whygrad.report import clean
from whygrad.rounding import short
from whygrad.torch_private import is_of_pytorch
from whygrad.verdict import Property

_ROOM = 2000  # elements of a prediction
_LONGEST = 60  # characters of a value that is shown
# Stands for a value that was not measured, since another one is wrong; of a slip, for any value.
NOT_LOOKED_AT = {"type": "not looked at"}


def measure_values(
    call: Call, probes: Sequence[Probe], with_lines: bool = False, **about: Any
) -> ValuesEvidence:
    """Return what a plain function returns for some inputs; `about` says what the task does."""
    with same_settings(), installed():
        trials = [_trial(call, probe, place == 0) for place, probe in enumerate(probes)]
        # What the calls in between left behind would show now.
        later = _trial(call, probes[0], False).values
        if with_lines:
            trials[0].lines = _lines(call, probes[0])
    return ValuesEvidence(ValuesTask.kind, trials, later, **about)


def _trial(call: Call, probe: Probe, loud: bool) -> ValuesTrial:
    inputs = [leaf(value, False) for value in probe.inputs]
    before = [leaf(value, False) for value in inputs]
    trial = ValuesTrial(
        probe.name,
        probe.law,
        inputs=[about(value) for value in inputs],
        given=[_encoded(v) if isinstance(v, torch.Tensor) else None for v in before],
    )
    values, autograd = [], set()
    for attempt in range(2):
        reseed(0)
        again = [leaf(value, False) for value in before] if attempt else inputs
        with watching(forward=True) as watch, quiet(loud and not attempt):
            try:
                result = call(*again)
            except (Exception, SystemExit) as error:
                trial.raised = encode_raised(error, "the call")
                return trial
        values.append(plain(result))
        autograd |= watch.autograd
    own = [call.node for call in watch.backwards if not is_of_pytorch(call.node)]
    trial.values, trial.again = values
    trial.autograd, trial.noted = sorted(autograd), sorted(watch.noted)
    trial.tensors_on_ctx = "tensors on ctx" in trial.noted or any(map(hidden_tensors, own))
    trial.changed = [
        place
        for place, (now, then) in enumerate(zip(inputs, before, strict=True))
        if isinstance(then, torch.Tensor) and not torch.equal(now.detach(), then)
    ]
    return trial


def _lines(call: Call, probe: Probe) -> list[Step]:
    inputs = [leaf(value, False) for value in probe.inputs]
    log = LineLog(inputs)
    reseed(0)
    with quiet(), suppress(Exception, SystemExit), log.during("call", None, inputs):
        call(*inputs)
    return log.steps()


def measure_value(value: Any) -> PredictionEvidence:
    """Return a prediction; `...` and None are an answer that was not given."""
    given = not (value is ... or value is None)
    return PredictionEvidence(PredictionTask.kind, plain(value) if given else None, given)


def plain(value: Any, room: int = _ROOM) -> Any:
    """Return numbers, tensors, texts, and lists and dicts of them, as JSON data.

    A tuple and a list are the same; so are an array and a tensor, and an int and a float. A dtype
    is its name.
    Of anything else, such as a set, whose order means nothing, the type is told.
    """
    if isinstance(value, torch.Tensor):
        return to_json(_encoded(value, room))
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist(), room)
    if isinstance(value, str):
        return value[:room]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, torch.dtype):
        return str(value).removeprefix("torch.")
    if isinstance(value, numbers.Real):
        number = rounded(float(value))
        return number if math.isfinite(number) else str(number)
    if isinstance(value, Mapping):
        return {str(key): plain(item, room // 4) for key, item in list(value.items())[:100]}
    if isinstance(value, Sequence):
        return [plain(item, room // 4) for item in list(value)[:200]]
    return {"type": type(value).__name__, "name": str(getattr(value, "__name__", ""))[:room]}


def _encoded(tensor: torch.Tensor, room: int = _ROOM) -> Value:
    return encode(tensor) if tensor.numel() <= room else Value(type="a tensor too large")


def compare(
    name: str,
    mine: Any,
    due: Any,
    any_dtype: bool = False,
    given: Mapping[str, np.ndarray] | None = None,
) -> Property:
    """Compare a value with the right one; a float32 tensor for a float64 one is wrong as a rule.

    `given` has, by name, what belongs to the places of the value.
    """
    yours, right = as_array(mine), as_array(due)
    if isinstance(mine, int | float) and isinstance(due, dict):
        return Property(name, False, yours=f"the plain number {shown(mine)}", expected="a tensor")
    if right is None or yours is None:
        ok = equal(mine, due)
        return Property(
            name, ok, yours="" if ok else shown(mine), expected="" if ok else shown(due)
        )
    low = "float32" in (yours.dtype, right.dtype)
    line = difference(name, yours, right, 1e-3 if low else 1e-5, given)
    if line.ok and low and yours.dtype != right.dtype and not any_dtype:
        return Property(name, False, "dtype", yours.dtype, right.dtype)
    return line


def as_array(value: Any) -> Array | None:
    """Return a number, a tensor or a list of numbers as an array; None if it is none of them."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return Array(np.array(float(value)), "float64")
    if isinstance(value, list) and value:
        try:
            return Array(np.array(value, dtype=np.float64), "float64")
        except (TypeError, ValueError):
            return None
    return _tensor(value)


def _tensor(value: Any) -> Array | None:
    """Read a tensor that was written as JSON data; None if it is none."""
    if not isinstance(value, dict) or not {"shape", "dtype"} <= value.keys():
        return None
    with suppress(EvidenceError):
        return read_array(from_json(Value, value))
    return None


def shown(value: Any) -> str:
    """Write a value for a report, cut where it is long."""
    array = as_array(value)
    if array and array.values.size == 1:
        return short(float(array.values.reshape(-1)[0]))
    if isinstance(value, dict) and set(value) <= {"type", "name"}:
        return clean(f"an object of the type {value['type']}", _LONGEST)
    if isinstance(value, list):
        return clean(f"[{', '.join(map(shown, value))}]", _LONGEST)
    if array:
        return f"a tensor of shape {list(array.shape)}"
    return clean(repr(value), _LONGEST)


def as_list(value: Any) -> Any:
    """A tensor as nested lists, so that a list and a tensor compare."""
    array = _tensor(value)
    return value if array is None else array.values.tolist()


def equal(one: Any, other: Any) -> bool:
    """Tell whether two values are the same: numbers to three digits, texts in any case."""
    one, other = as_list(one), as_list(other)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in other)
    if isinstance(other, str):
        return isinstance(one, str) and one.strip().lower() == other.strip().lower()
    if isinstance(one, int | float) and isinstance(other, int | float):
        near = math.isclose(one, other, rel_tol=1e-3, abs_tol=1e-6)
        return near or (math.isnan(one) and math.isnan(other))
    return one == other
