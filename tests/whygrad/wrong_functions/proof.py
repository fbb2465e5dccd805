"""Show that a case is wrong, by PyTorch's own tools and without the engine."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch.autograd import gradcheck, gradgradcheck

from tests.whygrad.wrong_functions.case import Case, normal
from tests.whygrad.wrong_functions.proof_reference import reference
from tests.whygrad.wrong_functions.run import floats, leaves, run, same

Laws = Iterator[tuple[str, bool]]


def evidence(case: Case) -> list[str]:
    """Name every law that a case breaks; empty if it cannot be shown to be wrong."""
    call = case.fn.apply if isinstance(case.fn, type) else case.fn
    laws = (_effects, _twice, _linear, _differences, reference, _graph, _returned)
    return [name for law in laws for name, broken in law(case, call) if broken]


def _effects(case: Case, call: Callable) -> Laws:
    plain = [v.detach().clone() if isinstance(v, torch.Tensor) else v for v in case.inputs]
    tracked = [v.view_as(v).requires_grad_() if isinstance(v, torch.Tensor) else v for v in plain]
    try:
        outputs = [y for y in floats(call(*tracked)) if y.requires_grad]
        before = [y.detach().clone() for y in outputs]
        seeds = [normal(*y.shape, seed=9).to(y.dtype) * 3 for y in outputs]
        kept = [s.clone() for s in seeds]
        tensors = [v for v in tracked if isinstance(v, torch.Tensor)]
        torch.autograd.grad(outputs, tensors, seeds, allow_unused=True)
    except Exception:
        return
    pairs = [(a, b) for a, b in zip(case.inputs, plain, strict=True) if torch.is_tensor(a)]
    yield "changes an input", not all(torch.equal(a, b) for a, b in pairs)
    yield "changes the gradient", not all(map(torch.equal, kept, seeds))
    yield "changes an output", not all(map(torch.equal, before, outputs))


def _twice(case: Case, call: Callable) -> Laws:
    first, second = run(call, case.inputs), run(call, case.inputs)
    yield "raises", isinstance(first, str)
    yield "another call differs", not same(first, second)
    if isinstance(first, str):
        return
    run(call, tuple(-v / 2 if torch.is_tensor(v) else v for v in case.inputs))
    outputs = [y for y in first[3] if y.requires_grad]
    seeds = [normal(*y.shape, seed=9).to(y.dtype) for y in outputs]
    tensors = [v for v in first[2] if isinstance(v, torch.Tensor)]
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
    yield "a second backward differs", not same(first, (values, again))


def _linear(case: Case, call: Callable) -> Laws:
    first = run(call, case.inputs)
    for scale in (-1.0, 100.0, 1e-4):
        other = run(call, case.inputs, scale)
        if isinstance(first, str) or isinstance(other, str):
            return
        pairs = zip(first[1], other[1], strict=True)
        close = all(torch.allclose(scale * a, b, 1e-7, 1e-12) for a, b in pairs)
        yield f"not linear for {scale}", not close


def _differences(case: Case, call: Callable) -> Laws:
    def outputs_of(*inputs: Any) -> Any:
        return floats(call(*inputs))

    for order, check in ((1, gradcheck), (2, gradgradcheck))[: case.order]:
        try:
            check(outputs_of, leaves(case.inputs))
        except Exception as error:
            yield f"order {order}: {str(error).splitlines()[0]}", True
    if case.order == 2:
        yield "order 2 for a constant gradient", not _constant(outputs_of, case)


def _constant(call: Callable, case: Case) -> bool:
    """Differentiate the gradient that a constant incoming gradient gives."""

    def grads(*inputs: Any) -> tuple[torch.Tensor, ...]:
        outputs = call(*inputs)
        seeds = [normal(*y.shape, seed=9) for y in outputs]
        tensors = [v for v in inputs if isinstance(v, torch.Tensor)]
        return torch.autograd.grad(outputs, tensors, seeds, create_graph=True)

    try:
        return gradcheck(grads, leaves(case.inputs))
    except Exception:
        return False


def _graph(case: Case, call: Callable) -> Laws:
    first = run(call, case.inputs)
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
        made = leaves(case.inputs)
        (output,) = floats(call(*made))
        seed = normal(*output.shape, seed=9).to(output.dtype)
        plain = output.grad_fn.apply(seed.clone())
    except (AttributeError, RuntimeError, TypeError, ValueError, IndexError):
        return  # another law shows it
    yield "backward returns a list", isinstance(plain, list)
    grads = plain if isinstance(plain, tuple) else (plain,)
    pairs = [p for p in zip(made, grads, strict=False) if all(map(torch.is_tensor, p))]
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
