"""Show autograd graphs: one, two side by side, or one that torchviz drew."""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass

import torch

from whygrad.figure import Figure
from whygrad.graph.autograd_graph import Graph, Node
from whygrad.graph.describe import describe
from whygrad.graph.dot import to_dot, to_svg
from whygrad.graph.fold import fold
from whygrad.graph.trace import trace

_UNNAMED = ("function", "saved", "hidden")  # their titles are not the reader's labels


@dataclass(frozen=True, repr=False)
class Drawing(Figure):
    """A figure of autograd graphs: shows itself as SVG, and says the same in `text`.

    Attributes:
        graphs: the graphs by title; a single one has the title "".
        dot: the picture in Graphviz's DOT language.
    """

    graphs: dict[str, Graph] | None = None
    dot: str = ""


def draw(
    *tensors: torch.Tensor,
    show_saved: bool = True,
    max_nodes: int = 120,
    **named: torch.Tensor,
) -> Drawing:
    """Draw the autograd graph behind some tensors.

    Arrows point the way data flowed in forward; backward walks against them.

    Args:
        tensors: tensors without a label, or tuples and lists of them.
        show_saved: draw what functions saved for backward, too.
        max_nodes: above this number repeated pieces are folded, and the picture says so.
        named: tensors (or tuples and lists of them) by the label to show.

    Raises:
        TypeError: nothing was given, or something that is not a tensor.

    >>> x = torch.ones(3, requires_grad=True)
    >>> print(draw(out=x.exp().sum(), x=x).text.splitlines()[0])
    Autograd graph: 3 functions, 1 leaf tensor, 1 saved tensor.
    """
    graph = fold(trace(*tensors, show_saved=show_saved, **named), max_nodes)
    text = describe(graph)
    return _drawing({"": graph}, "Autograd graph", text, {})


def compare(**cases) -> Drawing:
    """Draw two autograd graphs side by side and mark what one of them lacks.

    Args:
        cases: exactly two, by title: a tensor, a dict of tensors by label, or what `draw` returned.

    Raises:
        TypeError: there are not two cases, or one is of another kind.

    >>> x = torch.ones(3, requires_grad=True)
    >>> picture = compare(good=x.exp(), bad=x.detach().exp())
    >>> "bad lacks: ExpBackward0, AccumulateGrad" in picture.text
    True
    """
    if len(cases) != 2:
        raise TypeError(
            f"compare needs two cases by name, as in compare(good=a, bad=b); got {len(cases)}"
        )
    graphs = {title: _graph(title, case) for title, case in cases.items()}
    marks, lines = {}, []
    for title, other in zip(graphs, reversed(graphs), strict=True):
        extra = _extra(graphs[title], graphs[other])
        lost = _lost_history(graphs[title], graphs[other])
        marks[title] = {node.name: f"only in {title}" for node in extra}
        marks[title] |= {node.name: f"has a history in {other}" for node in lost}
        lines.append(f"{other} lacks: {_called(extra)}.")
        lines += [f"{node.title} has a history in {other}, none in {title}." for node in lost]
    texts = [f"{title}: {describe(graph, marks[title])}" for title, graph in graphs.items()]
    text = "\n\n".join([*texts, "\n".join(lines)])
    return _drawing(graphs, f"Autograd graphs of {' and '.join(graphs)}", text, marks)


def tidy(picture) -> Drawing:
    """Show a torchviz picture with nodes named by order.

    torchviz names nodes by memory address, which differs in every run.

    Args:
        picture: what `torchviz.make_dot` returned.
    """
    order: dict[str, str] = {}

    def renamed(line: re.Match) -> str:
        return re.sub(r"\d+", lambda name: order.setdefault(name[0], f"n{len(order) + 1}"), line[0])

    source = re.sub(r"(?m)^\t\d+(?: -> \d+)?", renamed, picture.source)
    text = re.sub(r"\n (?=\()", " ", source.strip())  # a label's second line
    svg, problem = to_svg(source, "torchviz picture of an autograd graph", text)
    return Drawing("\n".join(filter(None, [text, problem])), svg, graphs={}, dot=source)


def _drawing(graphs: dict[str, Graph], title: str, text: str, marks: dict) -> Drawing:
    dot = to_dot(graphs, marks)
    svg, problem = to_svg(dot, title, text)
    return Drawing("\n".join(filter(None, [text, problem])), svg, graphs=graphs, dot=dot)


def _graph(title: str, case: object) -> Graph:
    if isinstance(case, Drawing) and len(case.graphs) == 1:
        return next(iter(case.graphs.values()))
    if isinstance(case, dict):
        return fold(trace(**case), 60)
    if isinstance(case, torch.Tensor):
        return fold(trace(**{title: case}), 60)
    raise TypeError(
        f"{title} is of type {type(case).__name__}: pass a tensor, a dict of tensors, or a drawing"
    )


def _lost_history(graph: Graph, other: Graph) -> list[Node]:
    """List the labelled tensors without a history that have one in the other graph."""
    with_history = {node.title for node in other.nodes if node.kind in ("output", "intermediate")}
    return [n for n in graph.nodes if n.kind == "no history" and n.title in with_history]


def _called(nodes: list[Node]) -> str:
    """Name nodes, equal ones once with their number."""
    counts = Counter(
        node.title if node.kind == "function" else f"{node.kind} tensor {node.title}".strip()
        for node in nodes
    )
    named = [name if n == 1 else f"{name} ({n} times)" for name, n in counts.items()]
    return ", ".join(named) or "nothing"


def _identity(node: Node) -> tuple:
    if node.kind == "function":
        return (node.title, node.in_backward)
    if node.kind in ("leaf", "saved", "hidden"):
        return (node.kind, node.shape)
    return ("given",)


def _extra(graph: Graph, other: Graph) -> list[Node]:
    """List the nodes of `graph` that have no partner of the same kind in `other`.

    Of several possible partners, the best is the one that saved the same labelled tensors.
    """
    ours, theirs = _saved_labels(graph), _saved_labels(other)
    pairs = [
        (-len(ours[node.name] & theirs[partner.name]), i, k)
        for i, node in enumerate(graph.nodes)
        for k, partner in enumerate(other.nodes)
        if _identity(node) == _identity(partner)
    ]
    paired, taken = set(), set()
    for _, i, k in sorted(pairs):
        if i not in paired and k not in taken:
            paired.add(i)
            taken.add(k)
    return [node for i, node in enumerate(graph.nodes) if i not in paired]


def _saved_labels(graph: Graph) -> defaultdict[str, set[str]]:
    titles = {node.name: node.title for node in graph.nodes if node.kind not in _UNNAMED}
    saved = defaultdict(set)
    for edge in graph.edges:
        if edge.kind == "saved" and edge.source in titles:
            saved[edge.target].add(titles[edge.source])
    return saved
