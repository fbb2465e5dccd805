"""Show that a case is wrong, by PyTorch's own tools and without the engine."""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.autograd import gradcheck, gradgradcheck

from tests.checks.wrong_functions.case import Case, normal

Laws = Iterator[tuple[str, bool]]


def evidence(case: Case) -> list[str]:
    """Name every law that a case breaks; empty if it cannot be shown to be wrong."""
    call = case.fn.apply if isinstance(case.fn, type) else case.fn
    laws = (_effects, _twice, _linear, _differences, _reference, _graph, _returned)
    return [name for law in laws for name, broken in law(case, call) if broken]


def _leaves(inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(
        v.detach().clone().requires_grad_() if isinstance(v, torch.Tensor) else v for v in inputs
    )


def _tuple(outputs: Any) -> tuple[torch.Tensor, ...]:
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    return tuple(y for y in outputs if y.is_floating_point())


def _run(call: Callable, inputs: tuple[Any, ...], scale: float = 1.0, only: int = -1) -> Any:
    """Outputs, gradients and what else there was to see; a string if it raised."""
    leaves = _leaves(inputs)
    try:
        outputs = _tuple(call(*leaves))
        some = [y for i, y in enumerate(outputs) if y.requires_grad and only in (-1, i)]
        seeds = [scale * normal(*y.shape, seed=9).to(y.dtype) for y in some]
        tensors = [v for v in leaves if isinstance(v, torch.Tensor)]
        grads = torch.autograd.grad(some, tensors, seeds, allow_unused=True, retain_graph=True)
        values = [y.detach().clone() for y in outputs]
        return values, [torch.tensor(0.0) if g is None else g for g in grads], leaves, outputs
    except Exception as error:
        return type(error).__name__


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str)
    pairs = list(itertools.zip_longest(a[0] + list(a[1]), b[0] + list(b[1])))
    return all(
        x.dtype == y.dtype and x.shape == y.shape and torch.allclose(x, y, 1e-9, 1e-11)
        for x, y in pairs
    )


def _effects(case: Case, call: Callable) -> Laws:
    leaves = [v.detach().clone() if isinstance(v, torch.Tensor) else v for v in case.inputs]
    tracked = [v.view_as(v).requires_grad_() if isinstance(v, torch.Tensor) else v for v in leaves]
    try:
        outputs = [y for y in _tuple(call(*tracked)) if y.requires_grad]
        before = [y.detach().clone() for y in outputs]
        seeds = [normal(*y.shape, seed=9).to(y.dtype) * 3 for y in outputs]
        kept = [s.clone() for s in seeds]
        tensors = [v for v in tracked if isinstance(v, torch.Tensor)]
        torch.autograd.grad(outputs, tensors, seeds, allow_unused=True)
    except Exception:
        return
    pairs = [(a, b) for a, b in zip(case.inputs, leaves, strict=True) if torch.is_tensor(a)]
    yield "changes an input", not all(torch.equal(a, b) for a, b in pairs)
    yield "changes the gradient", not all(map(torch.equal, kept, seeds))
    yield "changes an output", not all(map(torch.equal, before, outputs))


def _twice(case: Case, call: Callable) -> Laws:
    first, second = _run(call, case.inputs), _run(call, case.inputs)
    yield "raises", isinstance(first, str)
    yield "another call differs", not _same(first, second)
    if isinstance(first, str):
        return
    _run(call, tuple(-v / 2 if torch.is_tensor(v) else v for v in case.inputs))
    outputs, leaves = [y for y in first[3] if y.requires_grad], first[2]
    seeds = [normal(*y.shape, seed=9).to(y.dtype) for y in outputs]
    tensors = [v for v in leaves if isinstance(v, torch.Tensor)]
    try:
        again = torch.autograd.grad(outputs, tensors, seeds, allow_unused=True, retain_graph=True)
    except RuntimeError as error:
        yield f"a second backward raises {error}", bool(outputs)
        return
    except IndexError:
        yield "a second backward raises", True
        return
    again = [torch.tensor(0.0) if g is None else g for g in again]
    values = [y.detach() for y in first[3]]
    yield "a second backward differs", not _same(first, (values, again))


def _linear(case: Case, call: Callable) -> Laws:
    first = _run(call, case.inputs)
    for scale in (-1.0, 100.0, 1e-4):
        other = _run(call, case.inputs, scale)
        if isinstance(first, str) or isinstance(other, str):
            return
        pairs = zip(first[1], other[1], strict=True)
        close = all(torch.allclose(scale * a, b, 1e-7, 1e-12) for a, b in pairs)
        yield f"not linear for {scale}", not close


def _differences(case: Case, call: Callable) -> Laws:
    def floats(*inputs: Any) -> Any:
        return _tuple(call(*inputs))

    for order, check in ((1, gradcheck), (2, gradgradcheck))[: case.order]:
        try:
            check(floats, _leaves(case.inputs))
        except Exception as error:
            yield f"order {order}: {str(error).splitlines()[0]}", True
    if case.order == 2:
        yield "order 2 for a constant gradient", not _constant(floats, case)


def _constant(call: Callable, case: Case) -> bool:
    """Differentiate the gradient that a constant incoming gradient gives."""

    def grads(*leaves: Any) -> tuple[torch.Tensor, ...]:
        outputs = call(*leaves)
        seeds = [normal(*y.shape, seed=9) for y in outputs]
        tensors = [v for v in leaves if isinstance(v, torch.Tensor)]
        return torch.autograd.grad(outputs, tensors, seeds, create_graph=True)

    try:
        return gradcheck(grads, _leaves(case.inputs))
    except Exception:
        return False


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
        if len(inputs) == 1 or rest[0] is not None and inputs[0].dim() == 2:
            yield f"{rows} rows", (normal(rows, *inputs[0].shape[1:], seed=5), *rest)


def _reference(case: Case, call: Callable) -> Laws:
    if case.reference is None:
        return
    for name, inputs in _others(case.inputs):
        mine, right = _run(call, inputs), _run(case.reference, inputs)
        if name == "float32" and not isinstance(mine, str):
            types = [y.dtype for y in mine[0]] != [y.dtype for y in right[0]]
            yield "float32 gives another dtype", types
        elif not isinstance(right, str):
            yield f"{name}: differs from the reference", not _same(mine, right)
    right = _run(case.reference, case.inputs)
    for i in range(len(right[0])):
        some = _run(call, case.inputs, only=i)
        yield f"output {i} alone differs", not _same(
            some, _run(case.reference, case.inputs, only=i)
        )
    for i, v in enumerate(case.inputs):
        if torch.is_tensor(v) and len(case.inputs) > 1:
            one = [_one(f, case.inputs, i) for f in (call, case.reference)]
            yield f"gradient of input {i} alone", (one[0] is None) != (one[1] is None)


def _one(call: Callable, inputs: tuple[Any, ...], wanted: int) -> Any:
    leaves = [v.detach() if torch.is_tensor(v) else v for v in inputs]
    leaves[wanted] = leaves[wanted].clone().requires_grad_()
    try:
        y = _tuple(call(*leaves))[0].sum()
        return torch.autograd.grad(y, leaves[wanted], allow_unused=True)[0]
    except Exception:
        return None


def _graph(case: Case, call: Callable) -> Laws:
    first = _run(call, case.inputs)
    if isinstance(first, str):
        return
    tensors = [v for v in first[2] if isinstance(v, torch.Tensor)]
    shared = {v.untyped_storage().data_ptr() for v in tensors}
    output = first[3][0]
    copies = case.reference is not None
    yield "returns its input", copies and output.untyped_storage().data_ptr() in shared
    yield "no Function in the graph", not _nodes(output.grad_fn)


def _nodes(node: Any) -> bool:
    if node is None:
        return False
    if hasattr(node, "_forward_cls"):
        return True
    return any(_nodes(parent) for parent, _ in node.next_functions)


def _returned(case: Case, call: Callable) -> Laws:
    """What backward returned before PyTorch cast and summed it, and strided gradients."""
    try:
        leaves = _leaves(case.inputs)
        (output,) = _tuple(call(*leaves))
        seed = normal(*output.shape, seed=9).to(output.dtype)
        plain = output.grad_fn.apply(seed.clone())
    except (AttributeError, RuntimeError, TypeError, ValueError, IndexError):
        return  # another law shows it
    yield "backward returns a list", isinstance(plain, list)
    grads = plain if isinstance(plain, tuple) else (plain,)
    pairs = [p for p in zip(leaves, grads, strict=False) if all(map(torch.is_tensor, p))]
    yield "another shape", any(v.shape != g.shape for v, g in pairs)
    yield "another dtype", any(v.dtype != g.dtype for v, g in pairs)
    try:
        other = output.grad_fn.apply(seed.mT.contiguous().mT if seed.dim() > 1 else seed)
    except (IndexError, RuntimeError) as error:
        yield f"a strided gradient raises {error}", "view" in str(error)
        return
    others = other if isinstance(other, tuple) else (other,)
    both = [p for p in zip(grads, others, strict=True) if all(map(torch.is_tensor, p))]
    yield "a strided gradient differs", not all(torch.allclose(a, b) for a, b in both)
