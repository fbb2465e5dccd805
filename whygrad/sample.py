"""Draw seeded inputs for a check."""

from itertools import pairwise
from typing import Any

import torch

# Numbers of ours, whatever the author's default dtype and device are.
FLOAT64: dict[str, Any] = {"dtype": torch.float64, "device": "cpu"}
_SHARES = (0.37, 0.74)  # of a piece between two kinks: no number such as 1 or 3/2 lies there


class Sample:
    """Seeded float64 tensors: the same seed gives the same numbers.

    Args:
        seed: of the numbers.
        incoming: what the incoming gradients are drawn from, for inputs that depend on them.

    >>> Sample(0).normal(2, 3).shape
    torch.Size([2, 3])
    """

    def __init__(self, seed: int, incoming: "Sample | None" = None) -> None:
        # Not the seed itself: `torch.manual_seed(0)` may have made the inputs that are looked at.
        self._generator = torch.Generator("cpu").manual_seed(7919 * seed + 104729)
        self.incoming = incoming or self

    def normal(self, *shape: int, scale: float = 1.0) -> torch.Tensor:
        """Return normal numbers with mean 0 and standard deviation `scale`."""
        return scale * torch.randn(shape, generator=self._generator, **FLOAT64)

    def pair(self, *shape: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return such numbers twice."""
        return self.normal(*shape), self.normal(*shape)

    def with_0(self, *shape: int) -> torch.Tensor:
        """Return such numbers with a 0 in each row: what divides by them has no number there."""
        numbers = self.normal(*shape)
        numbers[..., 0] = 0
        return numbers

    def like(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return normal numbers of the shape, dtype and device of a tensor."""
        if tensor.is_complex():
            numbers = torch.view_as_complex(self.normal(*tensor.shape, 2))
        else:
            numbers = self.normal(*tensor.shape)
        return numbers.to(tensor.device, tensor.dtype)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> torch.Tensor:
        """Return numbers spread evenly between `low` and `high`."""
        numbers = torch.rand(shape, generator=self._generator, **FLOAT64)
        return low + (high - low) * numbers

    def away(
        self, *shape: int, kinks: tuple[float, ...] = (0.0,), gap: float = 0.1
    ) -> torch.Tensor:
        """Return numbers between -2 and 2 of both signs, none closer than `gap` to a kink.

        Where there is room, one or two numbers lie in each piece between the kinks, at places
        where formulas seldom agree by chance.
        """
        numbers = self.uniform(*shape, low=-2.0, high=2.0)
        flat = numbers.view(-1)
        ends = sorted({-2.0, *kinks, 2.0})
        shares = _SHARES[: max(len(flat) // (len(ends) - 1), 1)]
        inside = [low + share * (high - low) for share in shares for low, high in pairwise(ends)]
        if len(flat) >= len(inside):
            places = torch.randperm(len(flat), generator=self._generator, device="cpu")[
                : len(inside)
            ]
            flat[places] = torch.tensor(inside, **FLOAT64)
        for kink in kinks:
            near = (numbers - kink).abs() < gap
            side = torch.where(numbers < kink, -1.0, 1.0)
            numbers = torch.where(near, kink + side * gap, numbers)
        return numbers
