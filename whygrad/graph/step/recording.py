"""Run the real backward pass once and make plain data of it."""

from collections import defaultdict
from dataclasses import replace

import torch
from torch.autograd.graph import Node as AutogradNode

from whygrad.graph.autograd_graph import Graph
from whygrad.graph.nodes import accumulates, number_functions, visiting_order
from whygrad.graph.step.backward_pass import Arrival, Handed, Part, Recording, Step, differs, read
from whygrad.graph.step.engine_run import Recorder, Visit, left_as_found, run_backward
from whygrad.graph.trace import trace

_FREED = "backward through the graph a second time"
_ADVICE = (
    "An earlier backward pass freed what the graph had saved: compute the tensor again, "
    "or keep the graph with retain_graph=True."
)
_LONGEST_MESSAGE = 400  # characters


def record(
    start: str,
    tensors: dict[str, torch.Tensor],
    grad: torch.Tensor | None = None,
    create_graph: bool = False,
) -> Recording:
    """Run backward once, from the tensor with the label `start`, and record every visit of a node.

    Nothing in the recording refers to a tensor.
    """
    graph = trace(show_saved=False, **tensors)
    out = tensors[start]
    functions = visiting_order([out.grad_fn])
    recorder, error = Recorder(), ""
    leaves = [fn.variable for fn in functions if accumulates(fn)]
    with left_as_found([*leaves, *tensors.values()]), recorder.listening(functions):
        try:
            run_backward(out, grad, create_graph)
        except Exception as raised:
            error = _described(raised)
    traced = number_functions(tensors.values())
    names = _names(recorder.visits, functions, traced)
    first = read(torch.ones_like(out) if grad is None else grad)
    steps = _steps(recorder, names, (out.grad_fn, out.output_nr), first, error)
    reached = {visit.fn for visit in recorder.visits}
    return Recording(
        start,
        _renamed(graph, traced, names),
        tuple(steps),
        unreached=len(functions) - len(reached),
        error="" if recorder.unfinished() else error,
    )


def _described(error: Exception) -> str:
    message = " ".join(str(error).split())
    if len(message) > _LONGEST_MESSAGE:
        message = message[:_LONGEST_MESSAGE] + " …"
    text = f"{type(error).__name__}: {message}" if message else type(error).__name__
    return f"{text} {_ADVICE}" if _FREED in message else text


def _names(
    visits: list[Visit], functions: list[AutogradNode], traced: dict[AutogradNode, str]
) -> dict[AutogradNode, str]:
    """Number the functions as they were visited, then the others as `trace` does.

    The two agree, except that of several `AccumulateGrad` that are ready at once the engine takes
    them in an order of its own.
    """
    visited = [visit.fn for visit in visits]
    in_order = dict.fromkeys([*visited, *functions, *traced])
    return {fn: str(number) for number, fn in enumerate(in_order, 1)}


def _renamed(graph: Graph, old: dict[AutogradNode, str], new: dict[AutogradNode, str]) -> Graph:
    names = {name: new[fn] for fn, name in old.items()}
    functions = [replace(node, name=names[node.name]) for node in graph.functions]
    functions.sort(key=lambda node: int(node.name))
    edges = tuple(edge.moved(names) for edge in graph.edges)
    return replace(graph, nodes=(*functions, *graph.nodes[len(functions) :]), edges=edges)


def _steps(recorder: Recorder, names, root, first, error: str) -> list[Step]:
    """Join what was handed on with where it arrived."""
    handed: dict[tuple[AutogradNode, int], list[Part]] = defaultdict(list)
    handed[root].append(Part(None, first))
    steps = []
    unfinished = recorder.unfinished()
    for visit in recorder.visits:
        came_in = []
        for output, total in enumerate(visit.came_in):
            parts = tuple(handed.pop((visit.fn, output), ()))
            changed = differs(total, [part.value for part in parts])
            came_in.append(Arrival(output, parts, total, changed))
        went_out = []
        for (target, output), value in zip(
            visit.fn.next_functions, visit.went_out or [], strict=False
        ):
            went_out.append(Handed(names.get(target), output, value))
            if target is not None and value is not None:
                handed[target, output].append(Part(names[visit.fn], value))
        steps.append(
            Step(
                names[visit.fn],
                tuple(came_in),
                tuple(went_out),
                accumulates(visit.fn),
                visit.before,
                visit.before if visit is unfinished else visit.after,
                error if visit is unfinished else "",
            )
        )
    return steps
