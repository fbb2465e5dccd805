"""Draw seeded inputs for a check."""

from itertools import pairwise

import torch


class Sample:
    """Seeded float64 tensors: the same seed gives the same numbers.

    >>> Sample(0).normal(2, 3).shape
    torch.Size([2, 3])
    """

    def __init__(self, seed: int) -> None:
        # Not the seed itself: `torch.manual_seed(0)` may have made the inputs that are looked at.
        self._generator = torch.Generator().manual_seed(7919 * seed + 104729)

    def normal(self, *shape: int, scale: float = 1.0) -> torch.Tensor:
        """Return normal numbers with mean 0 and standard deviation `scale`."""
        return scale * torch.randn(shape, generator=self._generator, dtype=torch.float64)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> torch.Tensor:
        """Return numbers spread evenly between `low` and `high`."""
        numbers = torch.rand(shape, generator=self._generator, dtype=torch.float64)
        return low + (high - low) * numbers

    def away(
        self, *shape: int, kinks: tuple[float, ...] = (0.0,), gap: float = 0.1
    ) -> torch.Tensor:
        """Return numbers between -2 and 2 of both signs, none closer than `gap` to a kink.

        Of two numbers or more, there is one on each side of every kink between -2 and 2.
        """
        numbers = self.uniform(*shape, low=-2.0, high=2.0)
        flat = numbers.view(-1)
        ends = sorted({-2.0, *kinks, 2.0})
        middles = [(low + high) / 2 for low, high in pairwise(ends)]
        if len(flat) >= len(middles):
            places = torch.randperm(len(flat), generator=self._generator)[: len(middles)]
            flat[places] = torch.tensor(middles, dtype=torch.float64)
        for kink in kinks:
            near = (numbers - kink).abs() < gap
            side = torch.where(numbers < kink, -1.0, 1.0)
            numbers = torch.where(near, kink + side * gap, numbers)
        return numbers
