"""Draw the student's graph beside the right one, where the graph is the reason."""

from typing import Any

import torch

from helpers.checks.data import Verdict
from helpers.checks.measure.quiet import quiet, same_settings
from helpers.checks.measure.run import Call, forward, leaf
from helpers.checks.sample import Sample
from helpers.graph import compare, draw

_FIRST = {"not-a-function", "unused-function", "missing-gradient"}
_SECOND = {"second-order-lost", "second-order-wrong"}


def pictures(
    verdict: Verdict, yours: Call, right: Call | None, inputs: tuple
) -> tuple[tuple[str, Any], ...]:
    """Return figures with captions; none where no graph explains the mistake."""
    name = verdict.names[0]
    if name not in _FIRST | _SECOND:
        return ()
    graph = _graph_of_gradients if name in _SECOND else _graph_of_output
    with same_settings(), torch.enable_grad(), quiet():
        try:
            mine = graph(yours, inputs)
            if mine is None:
                return ()
            if right is None:
                return ((_caption(name, "Your graph"), draw(**mine)),)
            both = compare(yours=mine, right=graph(right, inputs))
        except Exception:
            return ()  # a picture is a help, not the verdict
    return ((_caption(name, "Your graph, and a right one"), both),)


def _caption(name: str, start: str) -> str:
    return f"{start}, of {'the gradient' if name in _SECOND else 'the output'}:"


def _graph_of_output(call: Call, inputs: tuple) -> dict[str, Any] | None:
    run = forward(call, inputs)
    return {"output": run.outputs[0]} if run.outputs else None


def _graph_of_gradients(call: Call, inputs: tuple) -> dict[str, Any] | None:
    run = forward(call, inputs)
    outs = [out for out in run.floats if out.requires_grad]
    sample = Sample(0)
    grads_out = [leaf(sample.normal(*out.shape).to(out.dtype)) for out in outs]
    grads = torch.autograd.grad(outs, run.leaves, grads_out, create_graph=True, allow_unused=True)
    named = {"grad": next(grad for grad in grads if grad is not None)}
    return {**named, "grad_output": grads_out[0]}
