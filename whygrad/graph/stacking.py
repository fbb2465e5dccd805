"""Place two graphs side by side, or below each other where a page is not wide enough."""

from collections import defaultdict

from whygrad.graph.autograd_graph import Graph, Node

_WIDEST = 500  # points, without the words beside lines; a page has about 600
_LETTER, _AROUND = 5.5, 30  # points


def too_wide(graphs: list[Graph]) -> bool:
    """Tell whether graphs side by side would be wider than a page, by their labels alone.

    It is an estimate, so that the same graphs are placed alike whatever Graphviz lays them out.
    """
    return sum(map(_width, graphs)) > _WIDEST


def below(above: Graph, under: Graph, place: int) -> list[str]:
    """Write what draws one graph below another: edges that nobody sees.

    Args:
        above, under: the two graphs.
        place: of the second one; names of its nodes begin with "g1_" where it is 1.
    """
    sources = {edge.source for edge in above.edges}
    targets = {edge.target for edge in under.edges}
    last = [f'"g{place - 1}_{node.name}"' for node in above.nodes if node.name not in sources]
    first = [f'"g{place}_{node.name}"' for node in under.nodes if node.name not in targets]
    between = f'"between{place}"'
    return [
        f'{between} [shape=point style=invis width=0 height=0 label=""]',
        *(f"{name} -> {between} [style=invis]" for name in last),
        *(f"{between} -> {name} [style=invis]" for name in first),
    ]


def _width(graph: Graph) -> float:
    """Estimate a graph's width: that of its widest row, counted from its results."""
    row = {node.name: 0 for node in graph.nodes if graph.into(node.name)}
    functions = [node.name for node in graph.functions]
    for name in (*(row.keys() - set(functions)), *functions):  # backward's order: sources last
        for edge in graph.into(name):
            row[edge.source] = max(row.get(edge.source, 0), row.get(name, 0) + 1)
    widths: dict[int, float] = defaultdict(float)
    beside = 0.0  # what nothing is connected with
    for node in graph.nodes:
        if node.name in row:
            widths[row[node.name]] += _of_label(node)
        else:
            beside += _of_label(node)
    return max(widths.values(), default=0) + beside


def _of_label(node: Node) -> float:
    lines = [node.title, *node.remarks, f"{node.shape} {node.dtype}" if node.shape else ""]
    width = max(map(len, lines)) * _LETTER
    return _AROUND + (width * 1.4 if node.kind == "function" else width)  # an ellipse is wider
