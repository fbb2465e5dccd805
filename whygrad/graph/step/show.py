"""Show a real backward pass, one visited function after the other."""

from dataclasses import dataclass

import torch

from whygrad.figure import Figure
from whygrad.graph.dot import to_dot
from whygrad.graph.fold import fold
from whygrad.graph.render import to_svg
from whygrad.graph.step.arguments import check, labels
from whygrad.graph.step.data import Recording
from whygrad.graph.step.listing import make_listing, to_text
from whygrad.graph.step.page import to_html
from whygrad.graph.step.recording import record
from whygrad.graph.text import describe

_MOST_NODES = 60


@dataclass(frozen=True, repr=False)
class Steps(Figure):
    """A backward pass to step through: shows itself as HTML, and says the same in `text`.

    Attributes:
        html: the player, in one self-contained piece; a numbered list where scripts do not run.
        recording: what was recorded, as plain data.
    """

    html: str = ""
    recording: Recording | None = None

    def _repr_mimebundle_(self, include=None, exclude=None) -> tuple[dict, dict]:
        return {"text/plain": self.text, "text/html": self.html}, {}


def step(
    out: torch.Tensor,
    /,
    *,
    grad: torch.Tensor | None = None,
    create_graph: bool = False,
    **named: torch.Tensor,
) -> Steps:
    """Run backward from `out` once, for real, and show it step by step.

    Each step is the engine's visit of one function: the gradient that came in, the gradients that
    it handed on, and what a leaf's `.grad` holds. Afterwards everything is as it was: `.grad`, the
    graph and its hooks, the random numbers. (Hooks of your own run, as in any backward pass. A
    tensor with `retain_grad()` gets its `.grad` back only if it is named here.)

    Args:
        out: the tensor to start from.
        grad: the gradient to start with, of out's shape; 1 for a single number.
        create_graph: let backward record a graph of its own; the steps say which function made
            each gradient.
        named: tensors by the label to show: leaves, and results on the way.

    Raises:
        TypeError: something is not a tensor.
        ValueError: `out` has no history, or there is no gradient of its shape to start with.

    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> print(step(x * x, x=x))
    Backward from out: 2 steps, in the order in which the engine visited the functions.
      1  MulBackward0
           came in, gradient of out: backward starts with 1
           went out: to node 2 (AccumulateGrad of x): 3
             to node 2 (AccumulateGrad of x): 3
      2  AccumulateGrad of x
           came in: from node 1 (MulBackward0): 3
             + from node 1 (MulBackward0): 3
             sum: 6
           x.grad: now 6
             before None
    """
    check(out, grad, named)
    start, tensors = labels(out, named)
    recording = record(start, tensors, grad, create_graph)
    drawn = fold(recording.graph, _MOST_NODES)
    listing = make_listing(recording, drawn)
    marks = {step.name: "raised an error" for step in recording.steps if step.error}
    dot = to_dot({"": drawn}, {"": marks})
    svg, problem = to_svg(dot, "Autograd graph", describe(drawn, marks))
    text = "\n".join(filter(None, [to_text(listing), problem]))
    return Steps(text, svg, html=to_html(listing, svg, problem), recording=recording)
