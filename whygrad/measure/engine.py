"""Take gradients without a check of shapes that we know to be right, and that is slow to load."""

from collections.abc import Sequence

import torch


def gradients(
    outputs: Sequence[torch.Tensor],
    inputs: Sequence[torch.Tensor],
    grad_outputs: Sequence[torch.Tensor],
    *,
    create_graph: bool = False,
) -> list[torch.Tensor | None]:
    """Return what `torch.autograd.grad` does; the graph is kept, unused inputs have None.

    Its check of the incoming gradients' shapes imports sympy on first use, which takes 0.3 s.
    """
    # By its name in torch.autograd, where whygrad.graph notes which nodes a backward records.
    found = torch.autograd._engine_run_backward(
        tuple(outputs),
        tuple(grad_outputs),
        True,
        create_graph,
        tuple(inputs),
        True,
        accumulate_grad=False,
    )
    return list(found)
