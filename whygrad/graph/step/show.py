"""Show a real backward pass, one visited function after the other."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import torch

from whygrad.figure import Figure
from whygrad.graph.describe import describe
from whygrad.graph.dot import to_dot, to_svg
from whygrad.graph.fold import fold
from whygrad.graph.step.backward_pass import Recording
from whygrad.graph.step.listing import Listing, make_listing, to_text
from whygrad.graph.step.recording import record
from whygrad.look import css

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
        out: the tensor to start from; it is called as the variable that holds it.
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
    start = _label(out, named, sys._getframe(1).f_locals)
    _check(start, out, grad, named)
    tensors = {start: out, **named}
    recording = record(start, tensors, grad, create_graph)
    drawn = fold(recording.graph, _MOST_NODES)
    listing = make_listing(recording, drawn)
    marks = {step.name: "raised an error" for step in recording.steps if step.error}
    dot = to_dot({"": drawn}, {"": marks})
    svg, problem = to_svg(dot, "Autograd graph", describe(drawn, marks))
    text = "\n".join(filter(None, [to_text(listing), problem]))
    return Steps(text, svg, html=_html(listing, svg, problem), recording=recording)


def _label(out: torch.Tensor, named: dict[str, torch.Tensor], variables: Mapping) -> str:
    """Find a label for `out`: the one that was given, or else the name of the caller's variable."""
    given = [label for label, tensor in named.items() if tensor is out]
    if given or not isinstance(out, torch.Tensor):
        return given[0] if given else "out"
    found = [name for name, value in variables.items() if value is out and _is_own(name)]
    return next(name for name in (*found, "out", "start", "") if name not in named)


def _is_own(name: str) -> bool:
    return name.isidentifier() and not name.startswith("_")  # IPython keeps results as _, _1, …


def _check(start: str, out: object, grad: object, named: dict[str, object]) -> None:
    for place, value in {start: out, **named}.items():
        if not isinstance(value, torch.Tensor):
            raise TypeError(
                f"{place} is of type {type(value).__name__}: "
                "pass tensors, as in step(loss, w=w, x=x)"
            )
    if out.grad_fn is None:
        what = "is a leaf" if out.requires_grad else "has no history"
        raise ValueError(
            f"{start} {what}, so there is no function to visit: "
            "pass a tensor computed from one that requires a gradient"
        )
    shape = tuple(out.shape)
    if grad is None:
        if out.numel() != 1:
            raise ValueError(
                f"{start} has shape {shape}, and backward starts from one number: pass a gradient "
                f"to start with, as in step({start}, grad=torch.ones_like({start}))"
            )
    elif not isinstance(grad, torch.Tensor):
        raise TypeError(
            f"grad is of type {type(grad).__name__}: pass a tensor of {start}'s shape, {shape}"
        )
    elif grad.shape != out.shape:
        raise ValueError(
            f"grad has shape {tuple(grad.shape)} and {start} has shape {shape}: "
            f"pass a gradient of {start}'s shape"
        )


def _html(listing: Listing, svg: str | None, problem: str) -> str:
    # The list is there without the script, wherever scripts are taken out. So is the picture taken
    # out there: it lies in a script element, because such places would leave its words behind.
    notes = [*listing.notes, problem] if problem else listing.notes
    return _template().render(
        listing=listing, look=css(".autograd-step"), notes=notes, svg=svg or ""
    )


@cache
def _template():
    from jinja2 import Environment, FileSystemLoader  # only a page needs it

    loader = FileSystemLoader(Path(__file__).parent)
    env = Environment(loader=loader, autoescape=True, keep_trailing_newline=True)
    return env.get_template("player.html")
