"""Autograd graphs: `trace` reads one into plain data; `draw`, `compare`, `tidy` show graphs."""

from helpers.graph import record
from helpers.graph.data import Edge, Graph, Node
from helpers.graph.draw import Drawing, compare, draw, tidy
from helpers.graph.trace import trace

__all__ = ["Drawing", "Edge", "Graph", "Node", "compare", "draw", "tidy", "trace"]

record.install()
