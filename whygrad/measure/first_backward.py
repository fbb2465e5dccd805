"""The first backward as a function of its own, with derivatives by finite differences."""

from collections.abc import Sequence

import torch

from whygrad.evidence import Values
from whygrad.measure.along import slopes_beside
from whygrad.measure.encode import encode_all
from whygrad.measure.reals import count, reals, shape_of
from whygrad.measure.run_once import Call, Run, forward
from whygrad.measure.slopes import Slopes
from whygrad.sample import FLOAT64, Sample
from whygrad.torch_private import gradients


class FirstBackward:
    """The gradients, weighted with fixed numbers, as a function of inputs and incoming gradients.

    Args:
        call, inputs: what to call, and with what.
        seed: of the weights, and of the incoming gradients where `incoming` is 0.
        incoming: another number for other incoming gradients.
    """

    def __init__(self, call: Call, inputs: tuple, seed: int, incoming: int = 0) -> None:
        self._call, self._run = call, forward(call, inputs)
        grads_out, _ = drawn(self._run, seed + incoming)
        _, self._weights = drawn(self._run, seed)
        self._values = [x.detach() for x in self._run.leaves] + grads_out

    def numerical(
        self, blocks: Sequence[Sequence[torch.Tensor | None]] | None
    ) -> tuple[list[Values], Slopes]:
        """Return its derivatives, a row for each gradient, and the slopes behind them.

        `blocks` are the derivatives that it could have, those by each value in a column. A column
        that agrees with slopes along a direction is taken as it is.
        """
        given = zip(self._values, zip(*blocks, strict=True), strict=True) if blocks else ()
        columns = [
            [torch.zeros_like(value) if block is None else block for block in column]
            for value, column in given
        ]
        claims = [torch.stack([reals(block) for block in column]) for column in columns]
        sizes = [count(weight) for weight in self._weights]
        sums = torch.block_diag(*(torch.ones(1, size, **FLOAT64) for size in sizes))
        places = range(len(self._values))
        found = slopes_beside(self._weighted, self._values, places, claims, sums, who="backward")
        # Summed afterwards: a large one would drown the others.
        shapes = [shape_of(value) for value in self._values]
        made = [
            columns[place]
            if matrix is None
            else [part.sum(0).reshape(shapes[place]) for part in matrix.split(sizes)]
            for place, matrix in enumerate(found.matrices)
        ]
        return [encode_all(row) for row in zip(*made, strict=True)], found

    def _weighted(self, *values: torch.Tensor) -> torch.Tensor:
        """All gradients, each number times its weight, in a row."""
        split = len(self._run.wanted)
        inputs = list(self._run.inputs)
        for place, value in zip(self._run.wanted, values[:split], strict=True):
            inputs[place] = value
        with torch.enable_grad():
            again = forward(self._call, inputs)
            grads = gradients(again.tracked, again.leaves, values[split:])
        return torch.cat(
            [
                reals(weight) * (0 if grad is None else reals(grad))
                for weight, grad in zip(self._weights, grads, strict=True)
            ]
        )


def drawn(run: Run, seed: int) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Return incoming gradients for the outputs, and weights for the gradients of the inputs."""
    sample = Sample(seed + 2000)  # other numbers than the inputs and the first incoming gradients
    parts = (run.tracked, run.leaves)
    incoming, weights = ([sample.like(t) for t in part] for part in parts)
    return incoming, weights
