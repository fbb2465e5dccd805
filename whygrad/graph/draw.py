"""Show an autograd graph, or one that torchviz drew."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from whygrad.figure import Figure
from whygrad.graph.autograd_graph import Graph
from whygrad.graph.describe import describe
from whygrad.graph.dot import to_dot, to_svg
from whygrad.graph.fold import fold
from whygrad.graph.trace import trace


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
    return draw_marked({"": graph}, {"": {}})


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
    return _laid_out({}, source, "torchviz picture of an autograd graph", text)


def draw_marked(
    graphs: dict[str, Graph], marks: dict[str, dict[str, str]], lines: Sequence[str] = ()
) -> Drawing:
    """Draw graphs by title, with marks and with sentences about them below their words."""
    words = [
        f"{title}: {describe(graph, marks[title])}" if title else describe(graph, marks[title])
        for title, graph in graphs.items()
    ]
    text = "\n\n".join(filter(None, [*words, "\n".join(lines)]))
    title = f"Autograd graphs of {' and '.join(graphs)}" if len(graphs) > 1 else "Autograd graph"
    return _laid_out(graphs, to_dot(graphs, marks), title, text)


def _laid_out(graphs: dict[str, Graph], dot: str, title: str, text: str) -> Drawing:
    svg, problem = to_svg(dot, title, text)
    return Drawing("\n".join(filter(None, [text, problem])), svg, graphs=graphs, dot=dot)
