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
        output: of its first output, under the name ""; empty if there is none.
        gradient: of the gradient of each input that has one, by the input's name.
    """

    output: dict[str, Graph]
    gradient: dict[str, Graph]


def right_graphs(
    right: Call, inputs: tuple, names: Sequence[str], incoming: str = "grad_output"
) -> RightGraphs:
    """Return the graphs that `pictures` may show of a right Function."""
    with same_settings(), quiet():
        output = _graphs("output", _output(right, inputs, names))
        return RightGraphs(output, _graphs("gradient", _gradients(right, inputs, names, incoming)))


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

    def cases_of(call: Call) -> dict[str, dict[str, Any]]:
        if shown == "output":
            return _output(call, inputs, names)
        return _gradients(call, inputs, names, incoming)

    def fitting(cases: dict[str, Any]) -> Any:
        return cases.get(about) or next(iter(cases.values()))

    with same_settings(), quiet():
        try:
            mine = cases_of(yours)
            if right is None:
                return ((f"Your graph, of the {shown}:", draw(**fitting(mine))),)
            is_data = isinstance(right, RightGraphs)
            theirs = getattr(right, shown) if is_data else _graphs(shown, cases_of(right))
            return _both(shown, fitting(_graphs(shown, mine)), fitting(theirs))
        except Exception:
            return ()  # a picture is a help, not the verdict


def _graphs(shown: str, cases: dict[str, dict[str, Any]]) -> dict[str, Graph]:
    # What functions keep says nothing of an output.
    is_gradient = shown == "gradient"
    return {
        name: fold(trace(**case, show_saved=is_gradient), _MOST_NODES)
        for name, case in cases.items()
    }


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


def _output(call: Call, inputs: tuple, names: Sequence[str]) -> dict[str, dict[str, Any]]:
    run = forward(call, inputs)
    if not run.outputs:
        return {}
    return {"": {"output": run.outputs[0], **_labelled(run, names)}}


def _gradients(
    call: Call, inputs: tuple, names: Sequence[str], incoming: str
) -> dict[str, dict[str, Any]]:
    run = forward(call, inputs)
    sample = Sample(0)
    grads_out = [leaf(sample.normal(*out.shape).to(out.dtype)) for out in run.tracked]
    grads = gradients(run.tracked, run.leaves, grads_out, create_graph=True)
    labelled = _labelled(run, names)
    return {
        names[place]: {f"grad_{names[place]}": grad, **labelled, incoming: grads_out[0]}
        for place, grad in zip(run.wanted, grads, strict=True)
        if grad is not None
    }


def _labelled(run: Run, names: Sequence[str]) -> dict[str, Any]:
    return {names[place]: run.inputs[place] for place in run.wanted}
