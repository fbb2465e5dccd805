"""Draw a graph beside the right one, where the graph is the reason."""

from collections.abc import Sequence
from typing import Any

from whygrad.graph import Drawing, Graph, draw, trace
from whygrad.graph.comparing import differences, draw_marked
from whygrad.graph.cuts import draw_cuts
from whygrad.graph.fold import fold
from whygrad.measure.quiet import quiet, same_settings
from whygrad.measure.run_once import Call, Run, forward, leaf
from whygrad.mistakes import MISTAKES
from whygrad.sample import Sample
from whygrad.torch_private import gradients
from whygrad.verdict import Verdict

_MOST_NODES = 60


def pictures(
    verdict: Verdict,
    yours: Call,
    right: Call | None,
    inputs: tuple,
    names: Sequence[str],
    incoming: str = "grad_output",
) -> tuple[tuple[str, Any], ...]:
    """Return figures with captions; none where no graph explains the mistake."""
    shown = "" if verdict.ok else MISTAKES[verdict.names[0]].picture
    if not shown:
        return ()
    about = verdict.findings[0].about.partition(" by ")[0]
    about = about.removeprefix("the gradient of ").removeprefix("grad_")

    def graph(call: Call, inputs: tuple) -> dict[str, Any] | None:
        if shown == "gradient":
            return _graph_of_gradient(call, inputs, list(names), incoming, about)
        return _graph_of_output(call, inputs, list(names))

    with same_settings(), quiet():
        try:
            mine = graph(yours, inputs)
            if mine is None:
                return ()
            if right is None:
                return ((f"Your graph, of the {shown}:", draw(**mine)),)
            both = _both(shown, mine, graph(right, inputs))
        except Exception:
            return ()  # a picture is a help, not the verdict
    return both


def _both(shown: str, yours: dict[str, Any], right: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    kept = shown == "gradient"  # what functions keep says nothing of an output
    mine, theirs = (fold(trace(**case, show_saved=kept), _MOST_NODES) for case in (yours, right))
    drawing = draw_cuts(mine, theirs) if kept else _differing({"yours": mine, "right": theirs})
    if drawing is None:
        return ()
    whose = "Your graph, and a right one," if len(drawing.graphs) == 2 else "Your graph"
    return ((f"{whose} of the {shown}:", drawing),)


def _differing(graphs: dict[str, Graph]) -> Drawing | None:
    marks, lines = differences(graphs)
    return draw_marked(graphs, marks, lines) if lines else None


def _graph_of_output(call: Call, inputs: tuple, names: list[str]) -> dict[str, Any] | None:
    run = forward(call, inputs)
    if not run.outputs:
        return None
    return {"output": run.outputs[0], **_labelled(run, names)}


def _graph_of_gradient(
    call: Call, inputs: tuple, names: list[str], incoming: str, about: str
) -> dict[str, Any] | None:
    run = forward(call, inputs)
    outs = run.tracked
    sample = Sample(0)
    grads_out = [leaf(sample.normal(*out.shape).to(out.dtype)) for out in outs]
    grads = gradients(outs, run.leaves, grads_out, create_graph=True)
    found = {
        names[place]: grad
        for place, grad in zip(run.wanted, grads, strict=True)
        if grad is not None
    }
    chosen = about if about in found else next(iter(found))
    labelled = _labelled(run, names)
    return {f"grad_{chosen}": found[chosen], **labelled, incoming: grads_out[0]}


def _labelled(run: Run, names: list[str]) -> dict[str, Any]:
    return {names[place]: run.inputs[place] for place in run.wanted}
