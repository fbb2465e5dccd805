"""Measure a custom Function as evidence for a judge: one set of inputs closely, others once."""

from collections.abc import Iterable, Sequence
from typing import Any

import torch

from whygrad.measure.along import slopes_beside
from whygrad.measure.double_backward import second_order, second_order_elsewhere
from whygrad.measure.encode import encode, encode_all, rounded
from whygrad.measure.hidden_outputs import hidden_outputs
from whygrad.measure.made_memory import held_elsewhere
from whygrad.measure.operations import operations
from whygrad.measure.other_modes import other_modes
from whygrad.measure.quiet import same_settings
from whygrad.measure.reals import count, reals, row_of
from whygrad.measure.run_facts import custom, grad_output_changed, nodes
from whygrad.measure.run_once import Call, Run, backward, constant_places, forward, is_wanted
from whygrad.measure.slopes import Slopes
from whygrad.measure.trial import OF_THE_SAME, Probe, grad_outputs, in_time, strided, try_once
from whygrad.measure.watch import installed
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
) -> dict[str, Any]:
    """Return what a callable does on some inputs, as JSON data.

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
        trials = [look_closely(call, probes[0], order, seed, differences, functions, most_rows)]
        if not trials[0].get("raised"):
            spread = Probe("non-contiguous tensors", "needs-contiguous", strided(probes[0].inputs))
            others = [*probes[1:], spread]
            with in_time(call) as stoppable:
                trials += [elsewhere(stoppable, probe, seed, differences) for probe in others]
                if order == 2:
                    second_order_elsewhere(stoppable, probes, trials, seed)
            if trials[0].get("grads"):
                trials[0] |= other_modes(call, probes, seed)
            if move_outputs:
                trials[0]["moved"] = _moved(call, probes[0].inputs, seed)
            if follow_memory:
                elsewhere_held = held_elsewhere(call, probes[0].inputs)
                if elsewhere_held.get("bytes"):
                    trials[0]["held elsewhere"] = elsewhere_held
            if note_operations and "autograd" in trials[0]:
                ran = operations(call, probes[0].inputs, seed, order)
                trials[0]["operations"] = sorted(ran.names)
                trials[0]["operations of forward"] = sorted(ran.in_forward)
                trials[0]["operations of backward"] = sorted(ran.in_backward)
                trials[0]["autograd"] += ["complex numbers"] if ran.is_complex else []
                # Who counts the calls could do something else where it is looked at.
                same = encode_all(ran.gradients) == trials[0].get("grads")
                trials[0]["autograd"] += [] if same else ["other gradients in another call"]
    return {"order": order, "trials": trials}


def look_closely(
    call: Call,
    probe: Probe,
    order: int,
    seed: int,
    differences: bool,
    functions: tuple[type, ...] = (),
    most_rows: int = _MOST_ROWS,
) -> dict[str, Any]:
    """Return what `try_once` does, and everything that tells one mistake from another."""
    trial, run = try_once(call, probe, seed, loud=True)
    if run.outputs:
        trial["uses"] = _uses(run, functions)
    most = max(most_rows, _MOST_BESIDE) if differences else most_rows
    is_whole = not (trial["raised"] or run.odd) and any(trial["requires_grad"])
    if is_whole:
        trial["probes"] = _linear_probes(run, seed)
    rows = _jacobian(run, most) if is_whole else None
    if differences and "grad_outputs" in trial:
        found = slopes_beside(call, run.before, run.wanted, rows or [])
        pairs = zip(found.matrices, rows or found.matrices, strict=False)
        trial |= _encoded([mine if one is None else one for one, mine in pairs], found)
    if not is_whole:
        return trial
    trial["jacobian"] = encode_all(rows)
    trial["repeats"] = _repeats(call, probe.inputs, seed)
    trial["alone"] = [_alone(call, probe.inputs, place, seed) for place in run.wanted]
    trial["expanded"] = expanded(call, probe.inputs)
    trial["outputs alone"] = _outputs_alone(run, seed)
    if order == 2:
        trial["second"] = second_order(call, probe.inputs, seed, differences)
        trial["hidden outputs"] = hidden_outputs(call, probe.inputs, seed)
    return trial


def elsewhere(call: Call, probe: Probe, seed: int, differences: bool) -> dict[str, Any]:
    """Try it once more; where other numbers than the first ones need them, with differences."""
    trial, run = try_once(call, probe, seed)
    if not differences or "grad_outputs" not in trial:
        return trial
    if probe.law in OF_THE_SAME:
        # Differences of float32 numbers say nothing: those of the same inputs in float64 do.
        return {**trial, "differences of the first": True}
    claims, incoming = [], None
    if run.gradients is not None and run.incoming:
        claims = [None if grad is None else reals(grad)[None].cpu() for grad in run.gradients]
        incoming = torch.cat([reals(grad).cpu() for grad in run.incoming])[None]
    found = slopes_beside(call, run.before, run.wanted, claims, incoming)
    return {**trial, **_encoded(found.matrices, found)}


def _encoded(matrices: list[torch.Tensor | None], found: Slopes) -> dict[str, Any]:
    return {
        "numerical": encode_all(matrices),
        "noise": [rounded(error) for error in found.noise],
        "noise from": found.reason,
    }


def _uses(run: Run, functions: tuple[type, ...]) -> bool | None:
    """Tell whether one of the Functions is in the graph; or, without a graph, was applied."""
    if not functions:
        return None
    if any(out.requires_grad for out in run.outputs):
        return any(made_by(node, functions) for node in custom(nodes(run.outputs)))
    return any(issubclass(kind, functions) for kind in run.applied)


def _linear_probes(run: Run, seed: int) -> dict[str, Any]:
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
    return {name: _gradients(run, grads) for name, grads in tried.items()}


def _gradients(run: Run, grads: list[torch.Tensor], seed: int | None = None) -> dict[str, Any]:
    run.raised = None
    found = backward(run, [grad.clone() for grad in grads], seed=seed)
    raised = {"raised": run.raised} if run.raised else {}
    return {"grad_outputs": encode_all(grads), "grads": encode_all(found), **raised}


def _jacobian(run: Run, most: int) -> list[torch.Tensor] | None:
    """Gradients for each unit vector as incoming gradient: per input, one row per output."""
    sizes = [count(out) for out in run.floats]
    if not 0 < sum(sizes) <= most:
        return None
    rows: list[list[torch.Tensor]] = [[] for _ in run.wanted]
    for which, size in enumerate(sizes):
        for place in range(size):
            units = [
                torch.zeros(out.shape, dtype=out.dtype, device=out.device) for out in run.floats
            ]
            row_of(units[which])[place] = 1
            found = backward(run, units)
            if found is None:
                return None
            for row, grad, leaf in zip(rows, found, run.leaves, strict=True):
                row.append(reals(torch.zeros_like(leaf) if grad is None else grad).cpu())
    return [torch.stack(row) for row in rows]


def _outputs_alone(run: Run, seed: int) -> list[dict[str, Any]]:
    """The gradients when only one of several outputs is used."""
    if len(run.floats) < 2:
        return []
    (grads,) = grad_outputs(run, seed)
    found = []
    for place, out in enumerate(run.floats):
        if out.requires_grad:
            one = backward(run, [g if p == place else None for p, g in enumerate(grads)])
            found.append({"output": place, "grads": encode_all(one), "raised": run.raised})
            run.raised = None
    return found


def _repeats(call: Call, inputs: tuple, seed: int) -> dict[str, Any]:
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
            return {"raised": raised}
        (grads,) = grad_outputs(once, seed)
        if other.outputs:
            _gradients(other, grad_outputs(other, seed + 1)[0])
    found = {
        "first": _gradients(once, grads, seed=0)["grads"],
        "second": _gradients(once, grads, seed=0)["grads"],
        "reseeded backward": _gradients(once, grads, seed=1)["grads"],
        "anew": _gradients(anew, grads, seed=0)["grads"],
        "anew outputs": encode_all(anew.outputs),
        "reseeded outputs": encode_all(reseeded.outputs),
        "other raised": other.raised is not None,
        "written": sorted(key for key, value in after.items() if before.get(key) is not value),
    }
    raised = once.raised or anew.raised
    only = once.once is not None and not raised
    return (
        {**found, "raised": once.once, "once only": True} if only else {**found, "raised": raised}
    )


def _attributes(classes: Iterable[type]) -> dict[str, Any]:
    """Return what Functions keep on themselves, by name."""
    return {
        f"{each.__name__}.{name}": value
        for each in classes
        for name, value in vars(each).items()
        if not name.startswith("_")
    }


def _other(value: Any) -> Any:
    """Return other numbers, of plain floats too."""
    return 1.25 * value if isinstance(value, float) else turned(value)


def turned(value: Any) -> Any:
    """Return other numbers from the same range: the same ones in the opposite order."""
    return value.reshape(-1).flip(0).reshape(value.shape) if is_wanted(value) else value


def _moved(call: Call, inputs: tuple, seed: int) -> dict[str, Any]:
    """The gradients after the outputs got other numbers, in place and unnoticed by the graph."""
    run = forward(call, inputs)
    if not run.outputs:
        return {"raised": run.raised, "grads": None}
    for out in run.floats:
        out.data.mul_(_FACTOR)
    found = backward(run, grad_outputs(run, seed)[0])
    return {"raised": run.raised, "grads": encode_all(found)}


def _alone(call: Call, inputs: tuple, place: int, seed: int) -> dict[str, Any]:
    """The gradient of one input when no other requires one."""
    run = forward(call, inputs, only=place)
    if not run.outputs:
        return {"input": place, "raised": run.raised, "grad": None}
    found = backward(run, grad_outputs(run, seed)[0])
    return {"input": place, "raised": run.raised, "grad": found and encode(found[0])}


def expanded(call: Call, inputs: tuple) -> dict[str, Any]:
    """The gradients as `.sum()` brings them: all elements of the incoming gradient are one."""
    run = forward(call, inputs)
    if not run.outputs:
        return {"raised": run.raised, "grads": None, "grad_output changed": False}
    ones = [
        torch.ones((), dtype=out.dtype, device=out.device).expand(out.shape) for out in run.floats
    ]
    found = backward(run, ones)
    return {
        "raised": run.raised,
        "grads": encode_all(found),
        "grad_output changed": grad_output_changed(run),
    }
