"""Import, and run once, what every notebook will need."""

import gc
from importlib import import_module

_USED = (
    "ipykernel.debugger",
    "ipykernel.ipkernel",
    "ipykernel.kernelapp",
    "ipykernel.zmqshell",
    "IPython.core.completer",
    "IPython.core.interactiveshell",
    "jupyter_client.session",
    "helpers",
    "helpers.checks.check",
    "helpers.checks.progress",
    "helpers.graph",
)


def warm_up() -> None:
    """Import PyTorch, the kernel and the checks; run one small gradcheck on one thread."""
    import torch

    # A parent that ever ran an operation on several threads would leave its children hanging.
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    for name in _USED:
        import_module(name)
    from helpers.checks.evidence import evidence_of
    from helpers.checks.tasks import find

    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    torch.autograd.gradcheck(torch.square, (x,))
    torch.autograd.gradgradcheck(torch.square, (x,))
    evidence_of(find("5.1"), (torch.square,), seed=0)
    gc.collect()
    gc.freeze()
