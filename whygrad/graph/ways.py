"""Find the ways back through an autograd graph: from a result to the leaves it depends on."""

from collections import defaultdict

from whygrad.graph.autograd_graph import Graph, Node

_RESULTS = ("output", "intermediate")


def missing_ways(graph: Graph, other: Graph, pairs: dict[str, str]) -> list[tuple[Node, Node]]:
    """List the ways of `graph` that `other` lacks: a result and a leaf, where both have the two.

    A result without a history in `other` is left out: it has no way to anything.

    Args:
        pairs: which nodes of the two graphs stand for the same.
    """
    ours, theirs = _reached(graph), _reached(other)
    kinds = {node.name: node.kind for node in other.nodes}
    lacking = []
    for start in graph.nodes:
        partner = pairs.get(start.name)
        if start.kind not in _RESULTS or kinds.get(partner) not in _RESULTS:
            continue
        if "more" in theirs[partner]:
            continue  # a part of the graph was left out: nobody knows where it leads
        lacking += [
            (start, end)
            for end in graph.nodes
            if end.kind == "leaf" and end.title and end.name in ours[start.name]
            if end.name in pairs and pairs[end.name] not in theirs[partner]
        ]
    return lacking


def behind(graph: Graph, start: str) -> set[str]:
    """Return the names of all nodes that the ways back from one node lead through."""
    sources = defaultdict(list)
    for edge in graph.edges:
        if edge.kind == "flow":
            sources[edge.target].append(edge.source)
    seen, stack = set(), [start]
    while stack:
        name = stack.pop()
        if name not in seen:
            seen.add(name)
            stack.extend(sources[name])
    return seen


def _reached(graph: Graph) -> dict[str, set[str]]:
    return {node.name: behind(graph, node.name) for node in graph.nodes if node.kind in _RESULTS}
