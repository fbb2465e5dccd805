"""Autograd graphs: `trace` reads one into plain data; `draw`, `compare`, `tidy` show graphs.

`step` shows a real backward pass through one.
"""

from helpers.graph import record
from helpers.graph.data import Edge, Graph, Node
from helpers.graph.draw import Drawing, compare, draw, tidy
from helpers.graph.step import Steps, step
from helpers.graph.trace import trace

__all__ = ["Drawing", "Edge", "Graph", "Node", "Steps", "compare", "draw", "step", "tidy", "trace"]

record.install()
