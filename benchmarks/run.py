"""Measure what the helpers cost, as ratios within one run: `make bench`.

Ratios, because seconds differ between machines. No test depends on them.
"""

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import torch
import torchviz
from graphviz import ExecutableNotFound

from helpers.graph import draw, trace

SIZES = (1_000, 10_000, 100_000)


@dataclass(frozen=True)
class Row:
    """A measured line of the table; `ratio` and `bound` are None where none is promised."""

    what: str
    ours: str
    theirs: str
    ratio: float | None = None
    bound: float | None = None

    def cells(self) -> tuple[str, ...]:
        ratio = "–" if self.ratio is None else f"{self.ratio:.2f}"
        if self.ratio is None or self.bound is None:
            return self.what, self.ours, self.theirs, ratio, "–", ""
        mark = "✓" if self.ratio <= self.bound else "✗"
        return self.what, self.ours, self.theirs, ratio, f"≤ {self.bound:g}", mark


class Square(torch.autograd.Function):
    """x², with a backward that can be differentiated again."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_output


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def alternate(*actions: Callable[[], object], runs: int) -> tuple[list[float], list[float]]:
    """Give each action's median seconds, and the median of its ratio to the last action.

    They run in turn, so that a busy moment of the machine hits all alike.
    """
    for action in actions:
        action()
    rounds = [[seconds(action) for action in actions] for _ in range(runs)]
    ratios = [[each / times[-1] for each in times] for times in rounds]
    return _medians(rounds), _medians(ratios)


def _medians(rounds: list[list[float]]) -> list[float]:
    return [statistics.median(column) for column in zip(*rounds, strict=True)]


def importing() -> Row:
    """Time fresh interpreters."""

    def start(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    both = "import torch; from helpers import compare, draw, show_error"
    (ours, theirs), (ratio, _) = alternate(start(both), start("import torch"), runs=11)
    return Row("import helpers, over import torch", f"{ours:.2f} s", f"{theirs:.2f} s", ratio, 1.1)


def chain(length: int) -> torch.Tensor:
    out = torch.ones(1, requires_grad=True)
    for _ in range(length):
        out = out.sin()
    return out


def tracing() -> Iterator[Row]:
    """Time chains of growing length: the time for each node must stay the same."""
    chains = {length: chain(length) for length in reversed(SIZES)}
    # Each action reads the same number of nodes.
    actions = [partial(trace_often, out, SIZES[-1] // n) for n, out in chains.items()]
    times, ratios = alternate(*actions, runs=5)
    for (length, out), total, ratio in reversed(
        list(zip(chains.items(), times, ratios, strict=True))
    ):
        yield Row(
            f"trace {length:,} nodes, each over each of {SIZES[0]:,}",
            f"{total / SIZES[-1] * 1e6:.1f} µs",
            by_torchviz(out, length),
            ratio,
            None if length == SIZES[0] else 2.0,
        )


def trace_often(out: torch.Tensor, times: int) -> None:
    for _ in range(times):
        trace(out)


def by_torchviz(out: torch.Tensor, length: int) -> str:
    try:
        each = min(seconds(lambda: torchviz.make_dot(out)) for _ in range(3)) / length
    except RecursionError:
        return "RecursionError"
    finally:
        gc.collect()  # torchviz leaves cycles that hold the graph
    return f"{each * 1e6:.1f} µs"


def drawing() -> Row:
    """Time the way from a graph to its SVG, layout by `dot` included."""
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    out = Square.apply(x)
    (grad_x,) = torch.autograd.grad(out.sum(), x, create_graph=True)
    params = {"x": x, "out": out, "grad_x": grad_x}
    if draw(**params).svg is None:
        raise ExecutableNotFound(["dot"])
    (ours, theirs), (ratio, _) = alternate(
        lambda: draw(**params),
        lambda: torchviz.make_dot((out, grad_x), params=params).pipe(format="svg"),
        runs=41,
    )
    return Row(
        "draw Square's double backward, over torchviz and dot",
        f"{ours * 1e3:.0f} ms",
        f"{theirs * 1e3:.0f} ms",
        ratio,
        1.2,
    )


def main() -> int:
    rows = [importing(), *tracing()]
    try:
        rows.append(drawing())
    except ExecutableNotFound:
        rows.append(Row("draw Square's double backward: no `dot`, not measured", "–", "–"))
    table = [("what", "ours", "theirs", "ratio", "expected", ""), *(row.cells() for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(6)]
    for line in table:
        what, *numbers = line
        padded = [f"{cell:>{width}}" for cell, width in zip(numbers, widths[1:], strict=True)]
        print("  ".join([f"{what:<{widths[0]}}", *padded]).rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
