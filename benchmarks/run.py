"""Measure what the helpers cost, as ratios within one run: `make bench`.

Ratios, because seconds differ between machines. No test depends on them.
"""

import argparse
import gc
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial

import table
import torch
import torchviz
from checks import check_cells, checking_exercises
from diagnose import diagnosing
from graphviz import ExecutableNotFound
from memory import lessons_memory
from table import Row, alternate, seconds, show, some

from whygrad.graph import draw, trace

SIZES = (1_000, 10_000, 100_000)


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
    sizes = some(SIZES)
    chains = {length: chain(length) for length in reversed(sizes)}
    # Each action reads the same number of nodes.
    actions = [partial(trace_often, out, sizes[-1] // n) for n, out in chains.items()]
    times, ratios = alternate(*actions, runs=5)
    for (length, out), total, ratio in reversed(
        list(zip(chains.items(), times, ratios, strict=True))
    ):
        yield Row(
            f"trace {length:,} nodes, each over each of {SIZES[0]:,}",
            f"{total / sizes[-1] * 1e6:.1f} µs",
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
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__.splitlines()[0])
    words = "only try whether all of it runs: once each, on one exercise, lesson and Function"
    parser.add_argument("--smallest", action="store_const", const=1, help=words)
    table.at_most = parser.parse_args().smallest
    rows = [importing(), *tracing(), *checking_exercises(), *check_cells(), *diagnosing()]
    try:
        rows.append(drawing())
    except ExecutableNotFound:
        rows.append(Row("draw Square's double backward: no `dot`, not measured", "–", "–"))
    rows += lessons_memory()
    show(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
