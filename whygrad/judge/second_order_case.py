"""One wrong block of second derivatives with all that was tried on it."""

from dataclasses import dataclass

import numpy as np

from whygrad.judge.arrays import close, read_array
from whygrad.judge.inquiry import Inquiry
from whygrad.judge.second_order_blocks import Block, read_blocks


@dataclass(frozen=True)
class SecondCase:
    """A block that is wrong, with what was tried on it.

    Attributes:
        function: the second Function that works out the gradient.
        block: the derivatives as they were measured first.
        other: the same for other incoming gradients.
        weighted: what came back for other incoming gradients of the second Function.
        incoming: the incoming gradients, of both measurements, and their names.
        row: all blocks of this gradient.
    """

    function: str
    block: Block
    other: Block
    weighted: np.ndarray | None
    incoming: list[tuple[str, np.ndarray, np.ndarray]]
    row: list[Block]

    def is_(self, here: np.ndarray, there: np.ndarray) -> bool:
        """Tell whether these numbers came back, both times."""
        mine, other = self.block.yours, self.other.yours
        return (
            mine is not None
            and other is not None
            and close(mine.values, here, self.block.relative)
            and close(other.values, there, self.block.relative)
        )


def second_case(inquiry: Inquiry, block: Block) -> SecondCase:
    """Put together what was tried on a block."""
    second = inquiry.base.second
    there = read_blocks(inquiry, second.other_incoming, inquiry.expected.second_other)
    weighted = read_blocks(inquiry, second.other_weights)
    same = [(b.row, b.column) == (block.row, block.column) for b in there]
    grads = [
        [read_array(grad).values for grad in run.grad_outputs]
        for run in (second.tracked, second.other_incoming)
    ]
    found = next(b for b, it_is in zip(weighted, same, strict=True) if it_is).yours
    return SecondCase(
        function=second.tracked.ways[block.row].own[0],
        block=block,
        other=next(b for b, it_is in zip(there, same, strict=True) if it_is),
        weighted=None if found is None else found.values,
        incoming=list(zip(inquiry.incoming, *grads, strict=False)),
        row=[b for b in read_blocks(inquiry) if b.row == block.row],
    )
