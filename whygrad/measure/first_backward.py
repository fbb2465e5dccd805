"""The first backward as a function of its own, with derivatives by finite differences."""

from collections.abc import Sequence
from typing import Any

import torch

from whygrad.measure.along import agrees
from whygrad.measure.encode import encode_all
from whygrad.measure.reals import count, reals, shape_of
from whygrad.measure.run_once import Call, Run, forward
from whygrad.measure.slopes import Slopes, slopes
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

    def agrees(self, blocks: Sequence[Sequence[torch.Tensor | None]]) -> bool:
        """Tell whether these are its derivatives, for each gradient those by each value."""
        columns = list(zip(*blocks, strict=True))
        places = range(len(self._values))
        return agrees(self._weighted, self._values, places, columns, self._sums())

    def filled(self, blocks: Sequence[Sequence[torch.Tensor | None]]) -> list[list[torch.Tensor]]:
        """Return them with zeros where there was None."""
        return [
            [
                torch.zeros_like(value) if block is None else block
                for block, value in zip(row, self._values, strict=True)
            ]
            for row in blocks
        ]

    def numerical(
        self, blocks: Sequence[Sequence[torch.Tensor | None]] | None = None
    ) -> tuple[list[list[Any]], Slopes]:
        """Return its derivatives element by element, as JSON data, and the slopes behind them.

        `blocks` are the derivatives that it could have.
        """
        # Summed afterwards: a large one would drown the others.
        sizes = [count(weight) for weight in self._weights]
        given = zip(*self.filled(blocks), strict=True) if blocks else ()
        claims = [torch.stack([reals(block) for block in column]) for column in given]
        places = range(len(self._values))
        found = slopes(self._weighted, self._values, places, claims, self._sums(), who="backward")
        matrices = zip(found.matrices, self._values if found.matrices else [], strict=True)
        columns = [
            [part.sum(0).reshape(shape_of(value)) for part in matrix.split(sizes)]
            for matrix, value in matrices
        ]
        return [encode_all(row) for row in zip(*columns, strict=True)], found

    def _sums(self) -> torch.Tensor:
        """What adds up the numbers of each gradient."""
        sizes = [torch.ones(1, count(weight), **FLOAT64) for weight in self._weights]
        return torch.block_diag(*sizes)

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
