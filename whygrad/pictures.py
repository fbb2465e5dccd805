"""Draw a graph beside the right one, where the graph is the reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from whygrad.graph import Drawing, Graph, draw, trace
from whygrad.graph.comparing import differences
from whygrad.graph.cuts import draw_cuts
from whygrad.graph.draw import draw_marked
from whygrad.graph.fold import fold
from whygrad.measure.quiet import quiet, same_settings
from whygrad.measure.run_once import Call, Run, forward, leaf
from whygrad.mistakes import MISTAKES
from whygrad.sample import Sample
from whygrad.torch_private import gradients
from whygrad.verdict import Verdict

_MOST_NODES = 60


@dataclass(frozen=True)
class RightGraphs:
    """The graphs of a right Function as data, for where the Function itself is not.

    Attributes:
        output: of its first output; None if there is none.
        gradients: of the gradient of each input that has one, by the input's name.
    """

    output: Graph | None
    gradients: dict[str, Graph]

    def fitting(self, shown: str, about: str) -> Graph | None:
        """Return the graph of the output, or that of the gradient of an input."""
        if shown == "output":
            return self.output
        return self.gradients.get(about) or next(iter(self.gradients.values()))


def right_graphs(
    right: Call, inputs: tuple, names: Sequence[str], incoming: str = "grad_output"
) -> RightGraphs:
    """Return the graphs that `pictures` may show of a right Function."""
    with same_settings(), quiet():
        output = _graph_of_output(right, inputs, list(names))
        cases = _graphs_of_gradients(right, inputs, list(names), incoming)
        return RightGraphs(
            output and _folded("output", output),
            {name: _folded("gradient", case) for name, case in cases.items()},
        )


def pictures(
    verdict: Verdict,
    yours: Call,
    right: Call | RightGraphs | None,
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

    def case_of(call: Call) -> dict[str, Any] | None:
        if shown == "output":
            return _graph_of_output(call, inputs, list(names))
        cases = _graphs_of_gradients(call, inputs, list(names), incoming)
        return cases[about] if about in cases else next(iter(cases.values()))

    with same_settings(), quiet():
        try:
            mine = case_of(yours)
            if mine is None:
                return ()
            if right is None:
                return ((f"Your graph, of the {shown}:", draw(**mine)),)
            is_data = isinstance(right, RightGraphs)
            theirs = right.fitting(shown, about) if is_data else _folded(shown, case_of(right))
            both = _both(shown, _folded(shown, mine), theirs)
        except Exception:
            return ()  # a picture is a help, not the verdict
    return both


def _folded(shown: str, case: dict[str, Any]) -> Graph:
    # What functions keep says nothing of an output.
    return fold(trace(**case, show_saved=shown == "gradient"), _MOST_NODES)


def _both(shown: str, mine: Graph, theirs: Graph) -> tuple[tuple[str, Any], ...]:
    is_cut = shown == "gradient"
    drawing = draw_cuts(mine, theirs) if is_cut else _differing({"yours": mine, "right": theirs})
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


def _graphs_of_gradients(
    call: Call, inputs: tuple, names: list[str], incoming: str
) -> dict[str, dict[str, Any]]:
    run = forward(call, inputs)
    outs = run.tracked
    sample = Sample(0)
    grads_out = [leaf(sample.normal(*out.shape).to(out.dtype)) for out in outs]
    grads = gradients(outs, run.leaves, grads_out, create_graph=True)
    labelled = _labelled(run, names)
    return {
        names[place]: {f"grad_{names[place]}": grad, **labelled, incoming: grads_out[0]}
        for place, grad in zip(run.wanted, grads, strict=True)
        if grad is not None
    }


def _labelled(run: Run, names: list[str]) -> dict[str, Any]:
    return {names[place]: run.inputs[place] for place in run.wanted}
