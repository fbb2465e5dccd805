"""Show where the graph of a gradient ends too early."""

from dataclasses import replace

from whygrad.graph.autograd_graph import RESULTS, Graph, Node
from whygrad.graph.comparing import no_way, unsaved
from whygrad.graph.draw import Drawing, draw_marked
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
    missing = missing_ways(right, yours, pairs, (*RESULTS, "no history"))
    constants = _constants(yours, right)
    lacking = [
        (function, name)
        for function, name in unsaved(right, yours, pairs)
        if function.custom and function.in_backward
    ]
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


def _constants(yours: Graph, right: Graph) -> list[Node]:
    """List the tensors that backward's functions saved and that are constants, of new shapes."""
    known = {node.shape for node in _used_constants(right)}
    return [node for node in _used_constants(yours) if node.shape not in known]


def _used_constants(graph: Graph) -> list[Node]:
    used = {
        edge.source
        for edge in graph.edges
        if edge.kind == "saved" and graph.named[edge.target].in_backward
    }
    return [node for node in graph.nodes if node.constant and node.name in used]


def _said(graph: Graph, constant: Node) -> str:
    users = (graph.named[edge.target] for edge in graph.edges if edge.source == constant.name)
    user = next(user for user in users if user.in_backward)
    return (
        f"In yours, {user.title} uses a tensor of shape {constant.shape} that has no history: "
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
        and ends & behind(right, [node.name], "flow")
    }


def _slim(graph: Graph, marks: dict[str, str]) -> Graph:
    """Leave out what PyTorch's functions saved, unless it is marked."""
    edges = [
        edge
        for edge in graph.edges
        if edge.kind != "saved" or graph.named[edge.target].custom or edge.source in marks
    ]
    kept = {edge.source for edge in edges}
    nodes = [node for node in graph.nodes if node.kind != "saved" or node.name in kept]
    return replace(graph, nodes=tuple(nodes), edges=tuple(edges))
