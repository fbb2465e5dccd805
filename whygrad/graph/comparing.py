"""Show two autograd graphs, and say what one of them lacks."""

from collections import Counter, defaultdict

import torch

from whygrad.graph.autograd_graph import KEPT, RESULTS, Graph, Node
from whygrad.graph.draw import Drawing, draw_marked
from whygrad.graph.fold import fold
from whygrad.graph.pairing import partners
from whygrad.graph.trace import trace
from whygrad.graph.ways import missing_ways


def compare(**cases) -> Drawing:
    """Draw two autograd graphs and mark what one of them lacks.

    Args:
        cases: exactly two, by title: a tensor, a dict of tensors by label, or what `draw` returned.

    Raises:
        TypeError: there are not two cases, or one is of another kind.

    >>> x = torch.ones(3, requires_grad=True)
    >>> picture = compare(good=x.exp(), bad=x.detach().exp())
    >>> "Only in good: ExpBackward0, AccumulateGrad" in picture.text
    True
    """
    if len(cases) != 2:
        raise TypeError(
            f"compare needs two cases by name, as in compare(good=a, bad=b); got {len(cases)}"
        )
    graphs = {title: _graph(title, case) for title, case in cases.items()}
    marks, lines = differences(graphs)
    lines = lines or [f"Nothing differs between {' and '.join(graphs)}."]
    return draw_marked(graphs, marks, lines)


def differences(graphs: dict[str, Graph]) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Return marks for each of two graphs, and sentences; none where nothing differs."""
    marks, lines = {}, []
    for title, other in zip(graphs, reversed(graphs), strict=True):
        marks[title], said = _lacking(title, graphs[title], other, graphs[other])
        lines += said
    return marks, lines


def _graph(title: str, case: object) -> Graph:
    if isinstance(case, Drawing) and len(case.graphs) == 1:
        return next(iter(case.graphs.values()))
    if not isinstance(case, dict | torch.Tensor):
        raise TypeError(
            f"{title} is of type {type(case).__name__}: "
            "pass a tensor, a dict of tensors, or a drawing"
        )
    tensors = case if isinstance(case, dict) else {title: case}
    return fold(trace(**tensors), 60)


def _lacking(
    title: str, graph: Graph, other_title: str, other: Graph
) -> tuple[dict[str, str], list[str]]:
    """Return marks for what one graph has and the other lacks, by node, and sentences about it."""
    pairs = partners(graph, other)
    extra = _extra(graph, pairs)
    lost = _lost_history(graph, other, pairs)
    marks = {node.name: f"only in {title}" for node in extra}
    marks |= {node.name: f"has a history in {other_title}" for node in lost}
    lines = [f"Only in {title}: {_called(graph, extra)}."] if extra else []
    lines += [
        f"In {other_title}, {function.title} does not save {tensor}."
        for function, tensor in unsaved(graph, other, pairs)
    ]
    lines += no_way(other_title, missing_ways(graph, other, pairs))
    lines += [f"{node.title} has a history in {other_title}, none in {title}." for node in lost]
    return marks, lines


def no_way(title: str, missing: list[tuple[Node, Node]]) -> list[str]:
    """Say of one graph which ways back it lacks, a sentence for each result."""
    ends = defaultdict(list)
    for start, end in missing:
        ends[start.title or "the output"].append(end.title)
    return [
        f"In {title} there is no way from {start} back to {' and '.join(leaves)}."
        for start, leaves in ends.items()
    ]


def _extra(graph: Graph, pairs: dict[str, str]) -> list[Node]:
    """List the nodes without a partner; of what is kept, what a custom Function with one keeps."""
    paired = {node.name for node in graph.nodes if node.custom and node.name in pairs}
    keeps = {edge.source for name in paired for edge in graph.into(name, *KEPT)}
    return [
        node
        for node in graph.nodes
        if node.name not in pairs and (node.kind not in KEPT or node.name in keeps)
    ]


def _lost_history(graph: Graph, other: Graph, pairs: dict[str, str]) -> list[Node]:
    """List the labelled tensors without a history that have one in the other graph."""
    return [
        node
        for node in graph.nodes
        if node.kind == "no history" and node.title and node.name in pairs
        if other.named[pairs[node.name]].kind in RESULTS
    ]


def unsaved(graph: Graph, other: Graph, pairs: dict[str, str]) -> list[tuple[Node, str]]:
    """List what functions of `other` do not save and their partners do: labelled tensors."""
    found = []
    for function in graph.functions:
        if function.name not in pairs:
            continue
        partner = other.named[pairs[function.name]]
        there = _saved(other, partner)
        for label, name in _saved(graph, function).items():
            tensor = graph.named[name]
            if not tensor.title or pairs.get(name) in (None, *there.values()):
                continue
            # PyTorch's own functions save what they need: only another tensor in its place counts.
            if tensor.kind not in KEPT and (partner.custom or label in there):
                found.append((partner, tensor.title))
    return found


def _saved(graph: Graph, function: Node) -> dict[str, str]:
    return {edge.label: edge.source for edge in graph.into(function.name, "saved")}


def _called(graph: Graph, nodes: list[Node]) -> str:
    """Name nodes, equal ones once with their number."""
    counts = Counter(_words(graph, node) for node in nodes)
    named = [name if n == 1 else f"{name} ({n} times)" for name, n in counts.items()]
    return ", ".join(named)


def _words(graph: Graph, node: Node) -> str:
    if node.kind != "function":
        return f"{node.kind} tensor {node.title}".strip()
    if node.title == "AccumulateGrad":
        for edge in graph.into(node.name):
            if leaf := graph.named[edge.source].title:
                return f"AccumulateGrad of {leaf}"
    return node.title
