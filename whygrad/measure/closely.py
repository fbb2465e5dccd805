"""Measure a custom Function as evidence for a judge: one set of inputs closely, others once."""

from collections.abc import Iterable, Sequence
from typing import Any

import torch

from whygrad.evidence import Evidence, Trial, Values
from whygrad.evidence.trial import Repeats
from whygrad.evidence.value import Alone, Backward
from whygrad.measure.along import slopes_beside
from whygrad.measure.double_backward import second_order, second_order_elsewhere
from whygrad.measure.encode import encode_all, rounded
from whygrad.measure.finite_differences import detached
from whygrad.measure.hidden_outputs import hidden_outputs
from whygrad.measure.made_memory import held_elsewhere
from whygrad.measure.operations import operations
from whygrad.measure.other_modes import try_other_modes
from whygrad.measure.quiet import same_settings
from whygrad.measure.reals import count, reals, shaped_like
from whygrad.measure.run_facts import custom, grad_output_changed, held_by_float32, nodes
from whygrad.measure.run_once import Call, Run, backward, constant_places, forward, is_wanted
from whygrad.measure.slopes import Slopes
from whygrad.measure.trial import OF_THE_SAME, Probe, grad_outputs, in_time, spread, try_once
from whygrad.measure.watch import installed
from whygrad.sample import FLOAT64
from whygrad.torch_private import made_by

_MOST_ROWS = 48  # of a Jacobian that is measured whole
_MOST_BESIDE = 512  # where finite differences are to be had too, whose columns cost more than rows
_FACTOR = 1.25  # of outputs that get other numbers


def measure_function(
    call: Call,
    probes: Sequence[Probe],
    *,
    order: int = 1,
    seed: int = 0,
    differences: bool = False,
    functions: tuple[type, ...] = (),
    note_operations: bool = False,
    move_outputs: bool = False,
    follow_memory: bool = False,
    most_rows: int = _MOST_ROWS,
) -> Evidence:
    """Return what a callable does on some inputs.

    Args:
        call: the callable to look at, or a reference.
        probes: what to try; the first one is measured closely.
        order: 2 to differentiate backward as well.
        seed: for the incoming gradients.
        differences: whether to measure finite differences too, where there is no reference.
        functions: classes of Functions that are to be at work in the graph.
        note_operations: whether to note which operations of PyTorch it runs, how much they compute,
            and whether with complex numbers, by which a gradient can be had without a formula.
        move_outputs: whether to ask for the gradients after the outputs got other numbers: who
            needs more than these for backward has it from elsewhere.
        follow_memory: whether to look for memory that forward holds beside the graph.
        most_rows: of a Jacobian that is measured whole; what others are held against needs it.
    """
    with same_settings(), installed():
        base = look_closely(call, probes[0], order, seed, differences, functions, most_rows)
        trials = [base]
        if not base.raised:
            others = [*probes[1:], spread(probes[0].inputs)]
            with in_time(call) as stoppable:
                trials += [elsewhere(stoppable, probe, seed, differences) for probe in others]
                if order == 2:
                    second_order_elsewhere(stoppable, others, trials[1:], seed)
            if base.grads:
                try_other_modes(base, call, probes, seed)
            if move_outputs:
                base.moved = _moved(call, probes[0].inputs, seed)
            if follow_memory:
                base.held_elsewhere = held_elsewhere(call, probes[0].inputs)
            if note_operations and base.grad_outputs is not None:
                ran = operations(call, probes[0].inputs, seed, order)
                base.operations = sorted(ran.names)
                base.operations_of_forward = sorted(ran.in_forward)
                base.operations_of_backward = sorted(ran.in_backward)
                base.autograd += ["complex numbers"] if ran.is_complex else []
                # Who counts the calls could do something else where it is looked at.
                same = encode_all(ran.gradients) == base.grads
                base.autograd += [] if same else ["other gradients in another call"]
    return Evidence(order, trials)


def look_closely(
    call: Call,
    probe: Probe,
    order: int,
    seed: int,
    differences: bool,
    functions: tuple[type, ...] = (),
    most_rows: int = _MOST_ROWS,
) -> Trial:
    """Return what `try_once` does, and everything that tells one mistake from another."""
    trial, run = try_once(call, probe, seed, loud=True)
    if run.outputs:
        trial.uses = _uses(run, functions)
        trial.in_float32 = [*map(held_by_float32, (*run.outputs, *(run.gradients or ())))]
    most = max(most_rows, _MOST_BESIDE) if differences else most_rows
    is_whole = not trial.raised and any(trial.requires_grad)
    if is_whole:
        trial.probes = _linear_probes(run, seed)
    rows = _jacobian(run, most) if is_whole else None
    if differences and trial.grad_outputs is not None:
        found = slopes_beside(call, run.before, run.wanted, rows or [])
        pairs = zip(found.matrices, rows or found.matrices, strict=False)
        _note_slopes(trial, [mine if one is None else one for one, mine in pairs], found)
    if not is_whole:
        return trial
    trial.jacobian = encode_all(rows)
    trial.repeats = _repeats(call, probe.inputs, seed)
    trial.alone = [_alone(call, probe.inputs, place, seed) for place in run.wanted]
    trial.expanded = expanded(call, probe.inputs)
    trial.unasked = encode_all(forward(call, probe.inputs, only=-1).outputs)
    trial.outputs_alone = _outputs_alone(run, seed)
    if order == 2:
        trial.second = second_order(call, probe.inputs, seed, differences)
        trial.hidden_outputs = hidden_outputs(call, probe.inputs, seed)
    return trial


def elsewhere(call: Call, probe: Probe, seed: int, differences: bool) -> Trial:
    """Try it once more; where other numbers than the first ones need them, with differences."""
    trial, run = try_once(call, probe, seed)
    if not differences or trial.grad_outputs is None:
        return trial
    if probe.law in OF_THE_SAME:
        # Differences of float32 numbers say nothing: those of the same inputs in float64 do.
        trial.differences_of_the_first = True
        return trial
    claims, incoming = [], None
    if run.gradients is not None and run.incoming:
        claims = [None if grad is None else reals(grad)[None].cpu() for grad in run.gradients]
        incoming = torch.cat([reals(grad).cpu() for grad in run.incoming])[None]
    found = slopes_beside(call, run.before, run.wanted, claims, incoming)
    _note_slopes(trial, found.matrices, found)
    return trial


def _note_slopes(trial: Trial, matrices: list[torch.Tensor | None], found: Slopes) -> None:
    trial.numerical = encode_all(matrices)
    trial.noise = [rounded(error) for error in found.noise]
    trial.noise_from = found.reason


def _uses(run: Run, functions: tuple[type, ...]) -> bool | None:
    """Tell whether one of the Functions is in the graph; or, without a graph, was applied."""
    if not functions:
        return None
    if any(out.requires_grad for out in run.outputs):
        return any(made_by(node, functions) for node in custom(nodes(run.outputs)))
    return any(issubclass(kind, functions) for kind in run.applied)


def _linear_probes(run: Run, seed: int) -> dict[str, Backward]:
    """Gradients for incoming gradients that tell a linear map from another one."""
    first, second = grad_outputs(run, seed, 2)
    tried = {
        "first": first,
        "second": second,
        "sum": [a + b for a, b in zip(first, second, strict=True)],
        "large": [1000 * a for a in first],
        "small": [a / 1000 for a in first],
        "negative": [-a for a in first],
        "ones": [torch.ones_like(a) for a in first],
        "zeros": [torch.zeros_like(a) for a in first],
    }
    return {
        name: _gradients(run, grads, grad_outputs=encode_all(grads))
        for name, grads in tried.items()
    }


def _gradients(
    run: Run, grads: list[torch.Tensor | None], seed: int | None = None, **facts: Any
) -> Backward:
    """One more backward of a run, with facts about it; or what its forward raised."""
    if not run.outputs:
        return Backward(raised=run.raised)
    run.raised = None
    found = backward(run, grads, seed=seed)
    return Backward(encode_all(found), run.raised, **facts)


def _jacobian(run: Run, most: int) -> list[torch.Tensor] | None:
    """Gradients for each unit vector as incoming gradient: per input, one row per output."""
    sizes = [count(out) for out in run.floats]
    if not 0 < sum(sizes) <= most:
        return None
    rows: list[list[torch.Tensor]] = [[] for _ in run.wanted]
    for unit in torch.eye(sum(sizes), **FLOAT64):
        parts = zip(unit.split(sizes), run.floats, strict=True)
        units = [shaped_like(p.clone(), out).to(out.device, out.dtype) for p, out in parts]
        found = backward(run, units)
        if found is None:
            return None
        for row, grad, leaf in zip(rows, found, run.leaves, strict=True):
            row.append(reals(torch.zeros_like(leaf) if grad is None else grad).cpu())
    return [torch.stack(row) for row in rows]


def _outputs_alone(run: Run, seed: int) -> list[Backward]:
    """The gradients when only one of several outputs is used."""
    if len(run.floats) < 2:
        return []
    (grads,) = grad_outputs(run, seed)
    return [
        _gradients(run, [g if p == place else None for p, g in enumerate(grads)], output=place)
        for place, out in enumerate(run.floats)
        if out.requires_grad
    ]


def _repeats(call: Call, inputs: tuple, seed: int) -> Repeats:
    """The same gradients again: from one graph twice, anew, and with another call in between."""
    once = forward(call, inputs)
    anew = forward(call, inputs)
    reseeded = forward(call, inputs, seed=1)
    # The last forward before the backwards has other numbers: what it leaves behind would show.
    classes = {*once.applied, *anew.applied}
    before = _attributes(classes)
    constant = constant_places(call)
    others = (v if place in constant else _other(v) for place, v in enumerate(inputs))
    with in_time(call) as stoppable:
        other = forward(stoppable, tuple(others))
        after = _attributes(classes)
        raised = once.raised or anew.raised or reseeded.raised
        if raised or not once.outputs:
            return Repeats(raised)
        (grads,) = grad_outputs(once, seed)
        _gradients(other, grad_outputs(other, seed + 1)[0])

    def again(run: Run, seed: int = 0) -> Values | None:
        return _gradients(run, detached(grads), seed).grads

    found = Repeats(
        first=again(once),
        second=again(once),
        reseeded_backward=again(once, 1),
        anew=again(anew),
        anew_outputs=encode_all(anew.outputs),
        reseeded_outputs=encode_all(reseeded.outputs),
        written=sorted(key for key, value in after.items() if before.get(key) is not value),
    )
    raised = once.raised or anew.raised
    only = once.once is not None and not raised
    found.raised, found.once_only = once.once if only else raised, only
    return found


def _attributes(classes: Iterable[type]) -> dict[str, Any]:
    """Return what Functions keep on themselves, by name."""
    return {
        f"{each.__name__}.{name}": value
        for each in classes
        for name, value in vars(each).items()
        if not name.startswith("_")
    }


def _other(value: Any) -> Any:
    """Return a tensor's numbers in the opposite order, of the same range; another single number."""
    if type(value) is int:
        return value + 1
    if isinstance(value, float) or (is_wanted(value) and value.numel() == 1):
        return 1.25 * value
    return value.reshape(-1).flip(0).reshape(value.shape) if is_wanted(value) else value


def _moved(call: Call, inputs: tuple, seed: int) -> Backward:
    """The gradients after the outputs got other numbers, in place and unnoticed by the graph."""
    run = forward(call, inputs)
    for out in run.floats:
        out.data.mul_(_FACTOR)
    return _gradients(run, grad_outputs(run, seed)[0])


def _alone(call: Call, inputs: tuple, place: int, seed: int) -> Alone:
    """The gradient of one input when no other requires one."""
    run = forward(call, inputs, only=place)
    found = _gradients(run, grad_outputs(run, seed)[0])
    return Alone(place, found.grads and found.grads[0], found.raised)


def expanded(call: Call, inputs: tuple) -> Backward:
    """The gradients as `.sum()` brings them: all elements of the incoming gradient are one."""
    run = forward(call, inputs)
    ones = [
        torch.ones((), dtype=out.dtype, device=out.device).expand(out.shape) for out in run.floats
    ]
    found = _gradients(run, ones)
    found.grad_output_changed = bool(run.outputs) and grad_output_changed(run)
    return found
