"""Run an answer on a task's seeded inputs: evidence, without a verdict on it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch.autograd import Function

from helpers.checks.deadline import TooLongError, at_most
from helpers.checks.measure import (
    add_forwards,
    lines_of,
    measure_by_input,
    measure_layers,
    measure_value,
    measure_values,
)
from helpers.checks.task import FunctionTask, Inputs, ModuleTask, PredictionTask, Task, ValuesTask
from helpers.checks.task_evidence import FunctionEvidence, Measured, ValuesEvidence, said_of
from whygrad.arguments import callable_of
from whygrad.codec import encoded
from whygrad.evidence import Demands, Trial
from whygrad.judge.inquiry import OTHER_NUMBERS
from whygrad.lines.source import OURS
from whygrad.measure import Probe, measure_function
from whygrad.measure.encode import encode_raised
from whygrad.measure.keeping import keeping
from whygrad.measure.line_runs import log_lines
from whygrad.measure.quiet import default_dtype
from whygrad.measure.trial import incoming
from whygrad.probes import low
from whygrad.sample import Sample
from whygrad.verdict import Finding

OURS.add(str(Path(__file__).parents[1]))  # a report shows lines of answers, not of checks
VISIBLE = 3  # the batch size of the visible check


class NoHiddenInputsError(RuntimeError):
    """Hidden evidence was asked for where the hidden inputs are not."""


def evidence_of(
    task: Task, answers: tuple, *, seed: int, hidden: bool = False
) -> tuple[Measured | None, Finding | None]:
    """Run an answer on seeded inputs.

    Args:
        task: which task.
        answers: what was handed to its check.
        seed: for inputs and incoming gradients.
        hidden: other sizes, and the inputs of the hidden check.

    Returns:
        The evidence, or None; then also the reason: the answer cannot be run at all.

    Raises:
        NoHiddenInputsError: `hidden` is asked for in a release for students.
    """
    if hidden:
        _need_hidden_inputs(task)
    answers = tuple(answers) or (None,)
    early = _unusable(task, answers)
    measured = None
    if not early:
        try:
            with _in_time(task) as begins:
                how = {"seed": seed, "hidden": hidden, "begins": begins}
                measured = measure_task(task, answers, **how)
        except TooLongError as error:
            early = _endless(error)
    return measured, early


def shown_evidence(task: Task, answers: tuple, *, seed: int, hidden: bool) -> dict[str, Any]:
    """Return what a grader's check cell shows of an answer, as JSON data."""
    measured, early = evidence_of(task, answers, seed=seed, hidden=hidden)
    if measured:
        add_lines(task, answers, measured, seed=seed, hidden=hidden)
    return {
        "task": task.id,
        "seed": seed,
        "hidden": hidden,
        "early": early and [early.name, early.detail],
        "measured": measured and encoded(measured),
    }


def _in_time(task: Task) -> AbstractContextManager:
    """Limit the block to the time that a task gives, if it gives one."""
    seconds = getattr(task, "seconds", None)
    return at_most(seconds[1], seconds[0]) if seconds else nullcontext()


def _endless(error: TooLongError) -> Finding:
    """Say where an answer was when its time was over."""
    line = encode_raised(error, "the call").line
    where = f" It was in the line `{line}`." if line else ""
    return Finding(
        "raises",
        "",
        f"A loop does not end: it was stopped, as {error}.{where}",
        "The condition that ends the loop is not met in time, for some of the inputs. In floats, "
        "the numbers of two steps may never be equal, nor nearer than a fixed small number: they "
        "go to and fro between two neighbours.",
        "Take a fixed number of steps, `for _ in range(60)`, or set a limit: "
        "`for _ in range(1000)` with a `break` inside.",
    )


def _unusable(task: Task, answers: tuple) -> Finding | None:
    """Say what is wrong with something that cannot be run at all."""
    first = answers[0]
    if isinstance(task, PredictionTask):
        return None
    if first is ... or first is None:
        return Finding("not-started")
    name, due, fits = "not-a-function", "the Function itself", callable(first)
    if isinstance(task, ModuleTask):
        name, due, fits = "raises", "the class of the layer", isinstance(first, type)
        if fits and not issubclass(first, torch.nn.Module):
            return Finding(name, "", _no_layer(first))
    elif isinstance(task, ValuesTask):
        name, due = "raises", "the function itself"
    detail = f"Hand over {due}, not something of type {type(first).__name__}."
    return None if fits else Finding(name, "", detail)


def _no_layer(first: type) -> str:
    name = first.__name__
    if issubclass(first, Function):
        return f"`{name}` is a Function. Hand over the class of the layer first, then the Function."
    return f"`{name}` is no layer. A layer is made from `nn.Module`: `class {name}(nn.Module):`."


@default_dtype(torch.float32)
def measure_task(
    task: Task,
    answers: tuple,
    *,
    seed: int,
    hidden: bool = False,
    begins: Callable[[], None] | None = None,
) -> Measured:
    """Measure answers that can be run, a student's or the right ones; as in `evidence_of`.

    `begins` is called before each call of a Function.
    """
    if isinstance(task, PredictionTask):
        return measure_value(answers[0] if len(answers) == 1 else answers)
    tried = probes(task, seed, hidden)
    call = task_call(task, answers)
    if isinstance(task, ValuesTask):
        return measure_values(call, tried, **said_of(task, ValuesEvidence))
    if begins:
        call = _announced(call, begins)
    functions = tuple(a for a in answers[1:] if isinstance(a, type) and issubclass(a, Function))
    settings = {
        "order": task.order,
        "seed": seed,
        "functions": functions,
        "note_operations": task.by_hand,
        "move_outputs": task.saves == "output",
        "follow_memory": task.saves_at_most is not None,
    }
    found = measure_function(call, tried, **settings)
    about = {**said_of(task, FunctionEvidence), "demands": _demands(task, tried)}
    one = found  # or what was measured of the Function alone
    if isinstance(task, ModuleTask) and functions and _phase_of_error(found.base) == "forward":
        call = callable_of(functions[0])  # what is wrong may be the layer around it
        one = about["function"] = measure_function(call, tried, **settings)
    if _phase_of_error(one.base) == "backward":
        add_forwards(one, call, tried, seed)
    if task.saves == "watched":
        about["keeping"] = keeping(call, tried[0].inputs, seed)
    if isinstance(task, ModuleTask):
        about["layers"] = measure_layers(task, answers[0], _layer_sizes(task, seed, hidden))
    if any(_phase_of_error(trial) == "backward" for trial in one.trials):
        with suppress(TooLongError):  # what was measured before is whole
            about["by_input"] = measure_by_input(call, tried, task.names, **settings)
    return FunctionEvidence(**{**vars(found), **about})


@default_dtype(torch.float32)
def add_lines(task: Task, answers: tuple, measured: Measured, *, seed: int, hidden: bool) -> None:
    """Add to a student's evidence what each line does; it would show the code of a right answer."""
    if isinstance(task, PredictionTask):
        return
    tried = probes(task, seed, hidden)
    if isinstance(task, FunctionTask):
        one = measured.function or measured
        call = callable_of(answers[1]) if measured.function else task_call(task, answers)
        with suppress(TooLongError), _in_time(task) as begins:  # else it stays without lines
            log_lines(_announced(call, begins) if begins else call, tried, one, seed)
    elif task.by_hand or not task.call:
        measured.trials[0].lines = lines_of(task_call(task, answers), tried[0])


def _phase_of_error(trial: Trial) -> str:
    return trial.raised.phase if trial.raised else ""


def _layer_sizes(task: ModuleTask, seed: int, hidden: bool) -> list[tuple]:
    size, promises = _size_and_promises(task, hidden)
    return [inputs(Sample(seed), size) for _, inputs in (("", task.inputs), *promises)]


def _demands(task: FunctionTask, tried: list[Probe]) -> Demands:
    """Say what the task demands of the way to the numbers, for the judge."""
    most = task.saves_at_most
    limits = {probe.name: most(*probe.inputs) for probe in tried} if most else {}
    return Demands(**said_of(task, Demands), bytes=limits)


def task_call(task: FunctionTask | ValuesTask, answers: tuple) -> Callable[..., Any]:
    """Return an answer as a function of the task's inputs."""
    if isinstance(task, ModuleTask):
        return _layer_call(task, answers[0])
    if isinstance(task, ValuesTask):
        answer = task.prepare(answers[0]) if task.prepare else answers[0]
        return partial(task.call, answer) if task.call else answer
    return partial(task.call, answers[0]) if task.call else callable_of(answers[0])


def base_inputs(task: FunctionTask, seed: int) -> tuple:
    """Return the inputs of the visible check that is looked at closely."""
    return task.inputs(Sample(seed), VISIBLE)


def _announced(call: Callable[..., Any], begins: Callable[[], None]) -> Callable[..., Any]:
    def announced(*inputs: Any) -> Any:
        begins()
        return call(*inputs)

    return announced


def _layer_call(task: ModuleTask, layer_class: Any) -> Callable[..., Any]:
    """Return a function of the layer's inputs and parameters."""
    count = len(task.names) - len(task.parameters)

    def call(*inputs: Any) -> Any:
        layer = task.make(layer_class, *inputs)
        known = dict(layer.named_parameters())
        values = {}
        for name, value in zip(task.parameters, inputs[count:], strict=True):
            if value is not None and name in known:
                values[name] = value
            elif value is not None and isinstance(getattr(layer, name, None), torch.Tensor):
                setattr(layer, name, value)  # the layer is wrong; the rest of it may be right
            elif value is not None:
                raise AttributeError(f"the layer has no parameter {name}")
        return torch.func.functional_call(layer, values, tuple(inputs[:count]))

    return call


def probes(task: FunctionTask | ValuesTask, seed: int, hidden: bool) -> list[Probe]:
    """Return what an answer to a task is tried with; the first one is looked at closely.

    Raises:
        NoHiddenInputsError: `hidden` is asked for in a release for students.
    """
    size, promises = _size_and_promises(task, hidden)
    base = task.inputs(Sample(seed), size)
    tried = [
        Probe("base", "", base),
        Probe(OTHER_NUMBERS, "", task.inputs(Sample(seed + 3), size)),
    ]
    other = other_size(base, size)
    resized = task.inputs(Sample(seed + 1), other)
    if _sizes(resized) != _sizes(base):
        tried.append(Probe(batch_of(other), "fixed-size", resized))
    if isinstance(task, FunctionTask):
        tried.append(Probe(batch_of(1), "fixed-size", task.inputs(Sample(seed + 2), 1)))
        if task.empty:
            tried.append(Probe(batch_of(0), "fails-on-empty", task.inputs(Sample(seed), 0)))
        if "float32" in task.dtypes:
            tried.append(Probe("float32 inputs", "wrong-dtype", tuple(map(low, base))))
    for number, (name, inputs) in enumerate(promises, 1):
        made = inputs(Sample(seed + 10 + number, incoming(seed)), size)
        if any(one is None and given is not None for one, given in zip(made, base, strict=False)):
            law = "needs-bias"
        else:
            # Another slope, say, is no other size; nor are other numbers.
            is_resized = _plain(made) == _plain(base) and _sizes(made) != _sizes(base)
            law = "fixed-size" if is_resized else ""
        tried.append(Probe(name or f"inputs of {_shapes(made)} ({number})", law, made))
    return tried


def other_size(inputs: tuple, size: int) -> int:
    """Return another batch size: a length that another dimension has, if there is one.

    What is told apart by its length is mistaken then.
    """
    last = next((shape[-1] for shape in reversed(_sizes(inputs)) if shape), 1)
    return last if last not in (1, size) else size + 2


def batch_of(size: int) -> str:
    """Return what a report calls a batch of a size."""
    return f"a batch of {size}" if size else "an empty batch"


def _size_and_promises(
    task: FunctionTask | ValuesTask, hidden: bool
) -> tuple[int, list[tuple[str, Inputs]]]:
    """Return the size of a batch, and what else an answer is tried with; hidden, without names."""
    if not hidden:
        return VISIBLE, [*task.promises.items()]
    _need_hidden_inputs(task)
    from helpers.checks.hidden import SIZE, hidden_inputs

    return SIZE, [*task.promises.items(), *(("", one) for one in hidden_inputs(task.id))]


def _need_hidden_inputs(task: Task) -> None:
    if find_spec("helpers.checks.hidden") is None:
        raise NoHiddenInputsError(
            f"The hidden check of {task.id} cannot be made here: its inputs are only where work is "
            "graded."
        )


def _plain(inputs: tuple) -> list[Any]:
    return [value for value in inputs if isinstance(value, int | float | str)]


def _sizes(inputs: tuple) -> list[torch.Size]:
    return [value.shape for value in inputs if isinstance(value, torch.Tensor)]


def _shapes(made: tuple) -> str:
    shapes = [str([*shape]) for shape in _sizes(made)]
    return "the shape " + shapes[0] if len(shapes) == 1 else "the shapes " + ", ".join(shapes)
