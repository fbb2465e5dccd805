"""Hold a case against its reference: other numbers, sizes, dtypes and outputs."""

from collections.abc import Callable, Iterator
from typing import Any

import torch

from tests.whygrad.wrong_functions.case import Case, normal
from tests.whygrad.wrong_functions.run import floats, run, same

Laws = Iterator[tuple[str, bool]]


def _others(inputs: tuple[Any, ...]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """The same numbers in other clothes, and other sizes of the first dimension."""
    yield "as given", inputs
    for i, v in enumerate(inputs):
        if torch.is_tensor(v) and v.dim() == 1 and i == 2:
            yield "None", (*inputs[:i], None, *inputs[i + 1 :])
    flipped = [v.flip(-1) if torch.is_tensor(v) and v.dim() else v for v in inputs]
    yield "other numbers", tuple(flipped)
    yield "float32", tuple(v.float() if torch.is_tensor(v) else v for v in inputs)
    strided = tuple(
        v.mT.contiguous().mT if torch.is_tensor(v) and v.dim() > 1 else v for v in inputs
    )
    yield "strided", strided
    rest = inputs[1:]
    for rows in (0, 1, inputs[0].shape[0] + 2) if inputs[0].dim() else ():
        if len(inputs) == 1 or (rest[0] is not None and inputs[0].dim() == 2):
            yield f"{rows} rows", (normal(rows, *inputs[0].shape[1:], seed=5), *rest)


def reference(case: Case, call: Callable) -> Laws:
    """Yield each way in which a case differs from its reference, if it has one."""
    if case.reference is None:
        return
    for name, inputs in _others(case.inputs):
        mine, right = run(call, inputs), run(case.reference, inputs)
        if name == "float32" and not isinstance(mine, str):
            types = [y.dtype for y in mine[0]] != [y.dtype for y in right[0]]
            yield "float32 gives another dtype", types
        elif not isinstance(right, str):
            yield f"{name}: differs from the reference", not same(mine, right)
    right = run(case.reference, case.inputs)
    for i in range(len(right[0])):
        some = run(call, case.inputs, only=i)
        yield f"output {i} alone differs", not same(some, run(case.reference, case.inputs, only=i))
    for i, v in enumerate(case.inputs):
        if torch.is_tensor(v) and len(case.inputs) > 1:
            one = [_one(f, case.inputs, i) for f in (call, case.reference)]
            yield f"gradient of input {i} alone", (one[0] is None) != (one[1] is None)


def _one(call: Callable, inputs: tuple[Any, ...], wanted: int) -> Any:
    leaves = [v.detach().clone() if torch.is_tensor(v) else v for v in inputs]
    leaves[wanted].requires_grad_()
    try:
        y = floats(call(*leaves))[0].sum()
        return torch.autograd.grad(y, leaves[wanted], allow_unused=True)[0]
    except Exception:
        return None
