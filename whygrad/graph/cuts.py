"""Show where the graph of a gradient ends too early."""

from collections import defaultdict
from dataclasses import replace

from whygrad.graph.autograd_graph import Edge, Graph, Node
from whygrad.graph.comparing import draw_marked, no_way, unsaved
from whygrad.graph.draw import Drawing
from whygrad.graph.pairing import partners
from whygrad.graph.ways import behind, missing_ways

_YOURS, _RIGHT = "yours", "right"


def draw_cuts(yours: Graph, right: Graph) -> Drawing | None:
    """Draw what a graph lacks to be right; None if its ways back are all there.

    Another way to the same numbers is no mistake. So only this is marked: a leaf to which no way
    leads, a tensor that is a constant to autograd and has no such partner in the right graph, and
    a custom Function of backward that does not save what its partner saves. The right graph is
    there too where a way is missing.
    """
    pairs = partners(right, yours)
    missing = [*missing_ways(right, yours, pairs), *_without_history(right, yours, pairs)]
    constants = _constants(yours, right)
    lacking = [found for found in unsaved(right, yours, pairs) if _second(found[0])]
    lines = [*no_way(_YOURS, missing), *(_said(yours, node) for node in constants)]
    lines += [
        f"In yours, {function.title} does not save {name} itself." for function, name in lacking
    ]
    if not lines:
        return None
    mine = {pairs[end.name]: f"no way from {start.title}" for start, end in missing}
    mine |= {node.name: "a constant: no way back" for node in constants}
    mine |= {function.name: f"does not save {name}" for function, name in lacking}
    graphs, marks = {"": _slim(yours, mine)}, {"": mine}
    if missing:
        theirs = _on_the_way(right, pairs, missing)
        graphs = {_YOURS: graphs[""], _RIGHT: _slim(right, theirs)}
        marks = {_YOURS: mine, _RIGHT: theirs}
    return draw_marked(graphs, marks, list(dict.fromkeys(lines)))


def _second(function: Node) -> bool:
    return function.custom and function.in_backward


def _without_history(right: Graph, yours: Graph, pairs: dict[str, str]) -> list[tuple[Node, Node]]:
    """List the ways from results that have no history at all."""
    kinds = {node.name: node.kind for node in yours.nodes}
    lost = [
        node
        for node in right.nodes
        if node.kind == "output" and kinds.get(pairs.get(node.name)) == "no history"
    ]
    return [
        (start, end)
        for start in lost
        for end in right.nodes
        if end.kind == "leaf" and end.name in behind(right, start.name) and end.name in pairs
    ]


def _constants(yours: Graph, right: Graph) -> list[Node]:
    """List the tensors that backward's functions saved and that are constants, of new shapes."""
    known = {node.shape for node in _used_constants(right)}
    return [node for node in _used_constants(yours) if node.shape not in known]


def _used_constants(graph: Graph) -> list[Node]:
    late = {node.name for node in graph.nodes if node.in_backward}
    used = {edge.source for edge in graph.edges if edge.kind == "saved" and edge.target in late}
    return [node for node in graph.nodes if node.constant and node.name in used]


def _said(graph: Graph, constant: Node) -> str:
    titles = {node.name: node.title for node in graph.nodes if node.in_backward}
    user = next(
        titles[edge.target]
        for edge in graph.edges
        if edge.source == constant.name and edge.target in titles
    )
    return (
        f"In yours, {user} uses a tensor of shape {constant.shape} that has no history: "
        "to autograd it is a constant."
    )


def _on_the_way(
    right: Graph, pairs: dict[str, str], missing: list[tuple[Node, Node]]
) -> dict[str, str]:
    """Mark the accumulators and custom Functions on missing ways that have no partner."""
    ends = {end.name for _, end in missing}
    return {
        node.name: f"only in {_RIGHT}"
        for node in right.nodes
        if node.name not in pairs
        and (node.custom or node.title == "AccumulateGrad")
        and ends & behind(right, node.name)
    }


def _slim(graph: Graph, marks: dict[str, str]) -> Graph:
    """Leave out what PyTorch's functions saved, unless it is marked."""
    custom = {node.name for node in graph.nodes if node.custom}
    kept = defaultdict(bool)
    edges = []
    for edge in graph.edges:
        if _stays(edge, custom, marks):
            edges.append(edge)
            kept[edge.source] = True
    nodes = [node for node in graph.nodes if node.kind != "saved" or kept[node.name]]
    return replace(graph, nodes=tuple(nodes), edges=tuple(edges))


def _stays(edge: Edge, custom: set[str], marks: dict[str, str]) -> bool:
    return edge.kind != "saved" or edge.target in custom or edge.source in marks
