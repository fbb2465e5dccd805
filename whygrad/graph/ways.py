"""Find the ways back through an autograd graph: from a result to the leaves it depends on."""

from collections.abc import Iterable

from whygrad.graph.autograd_graph import RESULTS, Graph, Node


def missing_ways(
    graph: Graph, other: Graph, pairs: dict[str, str], kinds: Iterable[str] = RESULTS
) -> list[tuple[Node, Node]]:
    """List the ways of `graph` that `other` lacks: a result and a leaf, where both have the two.

    Args:
        pairs: which nodes of the two graphs stand for the same.
        kinds: what a result may be in `other`; one without a history has no way to anything.
    """
    lacking = []
    for start in graph.nodes:
        partner = pairs.get(start.name)
        if start.kind not in RESULTS or not partner or other.named[partner].kind not in kinds:
            continue
        here, there = behind(graph, [start.name], "flow"), behind(other, [partner], "flow")
        if "more" in there:
            continue  # a part of the graph was left out: nobody knows where it leads
        lacking += [
            (start, end)
            for end in graph.nodes
            if end.kind == "leaf" and end.title and end.name in here
            if pairs.get(end.name) not in (None, *there)
        ]
    return lacking


def behind(graph: Graph, starts: Iterable[str], *kinds: str) -> set[str]:
    """Return the names of all nodes that ways back lead through, along edges of some kinds."""
    seen, stack = set(), [*starts]
    while stack:
        name = stack.pop()
        if name not in seen:
            seen.add(name)
            stack.extend(edge.source for edge in graph.into(name, *kinds))
    return seen
