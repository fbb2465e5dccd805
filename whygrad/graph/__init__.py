"""Autograd graphs: `trace` reads one into plain data; `draw`, `compare`, `tidy` show graphs.

`step` shows a real backward pass through one.
"""

from whygrad.graph import nodes
from whygrad.graph.autograd_graph import Edge, Graph, Node
from whygrad.graph.comparing import compare
from whygrad.graph.draw import Drawing, draw, tidy
from whygrad.graph.step.show import Steps, step
from whygrad.graph.trace import trace

__all__ = ["Drawing", "Edge", "Graph", "Node", "Steps", "compare", "draw", "step", "tidy", "trace"]

nodes.install()
