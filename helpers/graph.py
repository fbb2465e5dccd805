"""Pictures of autograd graphs: `draw`, `compare`, `step`, `tidy`, handed on from whygrad."""

from whygrad.graph import Drawing, Edge, Graph, Node, Steps, compare, draw, step, tidy, trace

__all__ = ["Drawing", "Edge", "Graph", "Node", "Steps", "compare", "draw", "step", "tidy", "trace"]
