"""Call the answers of exercises 13 and 14: under autocast and checkpoint, compiled, on a new op.

What happens is told in short texts, and in PyTorch's own words where these name the cause. The
module imports torch, so the lists of tasks import it when they call an answer.
"""

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from inspect import unwrap
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function, grad
from torch.utils.checkpoint import checkpoint

from helpers.checks.measure import plain
from helpers.checks.values import NOT_LOOKED_AT, equal
from whygrad.arguments import callable_of
from whygrad.graph.nodes import hidden_tensors, visiting_order
from whygrad.lines.source import is_the_authors
from whygrad.measure.quiet import quiet
from whygrad.measure.watch import note, unwatched
from whygrad.torch_private import function_behind, is_custom, view_base

_ALLOWED = {"allow_unused": True, "materialize_grads": True}  # zeros where no gradient comes
# Words that say what is wrong with an op. What follows "cast" may be other numbers each time.
_NAMES_THE_CAUSE = re.compile(
    "no fake impl registered|no autograd formula was registered|Unable to cast"
    "|.*meta (device|tensor).*|.*(required positional|unexpected keyword) argument.*"
    "|.*can only save variables.*|returned an invalid gradient.*|.*must match the size.*"
    "|returned a gradient different than None|maximum recursion depth"
)


def scores(answer: Any, x: Tensor, W: Tensor, scale: float) -> list[Any]:
    """Call Scores without autocast, under it, and under it with a bfloat16 `x` and in backward.

    `x` is (N, D), `W` (M, D), and `scale` a plain number. Returned are what of the caller's was
    changed; without autocast y, the digits of the gradients, and both gradients; for each call
    under it the dtype of y, and the digits of the gradients.

    Raises:
        TypeError: the answer is no Function, or does not return one tensor.
    """
    function, changed = _function(answer), []
    with torch.autocast("cpu", enabled=False):  # afterwards it is as before, whatever is left
        call = _Scores(function, (x.float(), W.float()), scale, False, changed)
        if call.y.shape != call.due.shape:
            return ["as before", call.y, *[NOT_LOOKED_AT] * 7]
        function.apply(x.float() + 1, W.float() + 1, scale + 1)  # changes nothing that is kept
        grads, said = call.gradients(False), call.digits(False)
        values = [call.y, said if "digits" in said else "float32", *grads]
        for low in (False, True):
            inputs = x.bfloat16() if low else x.float(), W.float()
            try:
                call = _Scores(function, inputs, scale, True, changed)
            except RuntimeError as error:
                values += [f"raises: {error}", NOT_LOOKED_AT]
                continue
            said = call.digits(low)
            if low and "digits" in said and "digits" not in call.digits(False):
                said = f"inside the block alone, {said}"
            dtype = plain(call.y.dtype)
            lost = _lost(call.y, call.due) if dtype == "float32" else ""
            values += [f"{dtype}, {lost}" if lost else dtype, said]
    return [[*changed, "as before"][0], *values]


class _Scores:
    """A call of Scores, beside what is right for its inputs, in float64."""

    def __init__(self, function, inputs, scale, autocast, changed):
        self._changed, self._scale = changed, scale
        self._inputs = [one.detach().clone().requires_grad_() for one in inputs]
        self._exact = [one.detach().double() for one in self._inputs]
        self.due = scale * self._exact[0] @ self._exact[1].T
        with _autocast(autocast, changed, x=self._inputs[0], W=self._inputs[1]):
            self.y = _tensor(function.apply(*self._inputs, scale))
        count = torch.arange(self.due.numel()).reshape(self.due.shape)
        self._grad_y = ((count % 7 - 3) * 1.001).to(self.y.dtype)

    def gradients(self, autocast):
        (x, W), grad_y = self._inputs, self._grad_y.clone()
        with _autocast(autocast, self._changed, x=x, W=W, grad_y=grad_y):
            return grad(self.y, (x, W), grad_y, retain_graph=True, **_ALLOWED)

    def digits(self, autocast):
        """Say which digits of the gradients are wrong; autograd's own cast does not count."""
        try:
            found = self.gradients(autocast)
        except RuntimeError as error:
            return f"raises: {error}"
        (x, W), grad_y = self._exact, self._grad_y.double()
        due = self._scale * grad_y @ W, self._scale * grad_y.T @ x
        named = zip(("grad_x", "grad_W"), map(_lost, found, due), strict=True)
        return ", ".join(f"{name}: {lost}" for name, lost in named if lost) or "float32"


@contextmanager
def _autocast(enabled: bool, changed: list[str], **things: Tensor) -> Iterator[None]:
    """Switch autocast on or off in the block, and note what of the caller's it changes."""

    def states() -> dict[str, tuple]:
        found = {f"{name} was changed": (t.dtype, t.tolist()) for name, t in things.items()}
        return found | {f"{name} got an attribute": {**vars(t)} for name, t in things.items()}

    before = states()
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=enabled):
        yield
        if torch.is_autocast_enabled("cpu") != enabled:
            changed.append(f"autocast is left {'off' if enabled else 'on'}")
    changed += [text for text, now in states().items() if now != before[text]]


def _lost(value: Tensor, due: Tensor) -> str:
    """Say which digits are wrong, beside those that a cast to the dtype of the value takes."""
    off = (value.double() - due.to(value.dtype).double()).norm() / due.norm()
    return "" if off <= 1e-4 else "digits of bfloat16" if off < 0.1 else "wrong numbers"


def dropped(answer: Any, x: Tensor, p: float) -> list[str]:
    """Call Dropout without checkpoint and with both kinds of it.

    `x` has any shape and some 10,000 elements, and `p` is the probability of 0. Returned are how
    elements are dropped; the share that is; the share that differs in the next call; what is wrong
    with y and grad_x; the share whose gradient passes where x is 0; the share that differs after a
    backward; what is wrong with grad_x under both kinds of checkpoint. Shares are rounded to 10%.

    Raises:
        TypeError: the answer is no Function, or does not return one tensor.
        ValueError: it writes into `x`.
    """
    function, x = _function(answer), x.detach().requires_grad_()
    before = x.detach().clone()
    grad_y = (torch.arange(x.numel()) % 6 - 2.5).reshape(x.shape).to(x.dtype)  # nowhere 0

    def run(x: Tensor) -> Tensor:
        return _tensor(function.apply(x, p))

    def of_y(outputs: list[Tensor]) -> tuple[str, bool]:
        due = torch.where(outputs[0] == 0, 0.0, x / (1 - p))
        return _strayed(outputs[0], due), any((y == 0).any() for y in outputs)

    def of_gradient(y: Tensor) -> str:
        x.grad, given = None, grad_y.clone()
        y.backward(given)  # the older kind of checkpoint knows no autograd.grad
        if not torch.equal(given, grad_y):
            return "grad_y was changed"
        found = torch.zeros_like(x) if x.grad is None else x.grad
        return _strayed(found, torch.where(y == 0, 0.0, grad_y / (1 - p)))

    # So many calls that what is always dropped together shows.
    outputs, others = ([run(one) for _ in range(20)] for one in (x, x.detach()))
    if not torch.equal(x, before):
        raise ValueError("forward writes into x, which belongs to the caller")
    masks, said = [y == 0 for y in outputs], of_y(outputs)
    is_other = said[0] == "0% wrong" and said != of_y(others)
    nothing = torch.zeros_like(x, requires_grad=True)
    (at_zero,) = grad(run(nothing), nothing, grad_y.clone(), **_ALLOWED)
    found = [
        _how_dropped(masks),
        _share(masks[0]),
        _share(masks[0] != masks[1]),
        "another y if x needs no gradient" if is_other else said[0],
        of_gradient(outputs[0]),
        "nan" if at_zero.isnan().any() else f"passes for {_share(at_zero != 0)}",
    ]
    both = run(x), run(x)
    both[0].backward(grad_y.clone())
    after = run(x) == 0
    renewed = min((after != (one == 0) for one in both), key=torch.sum)
    kinds = (checkpoint(run, x, use_reentrant=kind) for kind in (False, True))
    return [*found, _share(renewed), *map(of_gradient, kinds)]


def _share(where: Tensor) -> str:
    """Return how many are True, to 10%, which other random numbers give as well."""
    return f"{round(where.double().mean().item(), 1):.0%}"


def _strayed(values: Tensor, due: Tensor) -> str:
    """Say how many elements are wrong, and by which factor if all have the same one."""
    share = f"{_share((values - due).abs() > 1e-4)} wrong"
    times = (values / due)[due != 0]
    if not len(times) or values[due == 0].any():
        return share
    factor = times[0].abs()
    is_one = times.max() - times.min() < 1e-3 * factor and abs(factor - 1) > 1e-3
    return f"{share}, each {times[0].item():.2f} times what is due" if is_one else share


def _how_dropped(masks: list[Tensor]) -> str:
    counts = {int(mask.sum()): mask for mask in masks}
    if len(counts) == 1:
        return "one by one" if torch.equal(*masks[:2]) else "as many in each call"
    most = counts[max(counts)]
    strips = {"rows": most.diff(dim=-1), "columns": most.diff(dim=0)}
    return next((f"in whole {name}" for name in strips if not strips[name].any()), "one by one")


def compiled_whole(answer: Any, x: Tensor, grad_y: Tensor) -> list[Any]:
    """Compile Shrink, or a callable around it, as one graph.

    `x` and `grad_y` have the same shape, any, in float64. Returned are what became of the graph,
    and y and grad_x from the compiled Function. Raises TypeError if it does not return one tensor,
    and what it raises itself without the compiler.
    """
    apply = callable_of(answer)
    if unwrap(apply) != apply and function_behind(unwrap(apply)):
        return ["compiled already", NOT_LOOKED_AT, NOT_LOOKED_AT]
    x.requires_grad_()
    with unwatched():
        with quiet():
            y = _tensor(apply(x))  # an ordinary mistake raises in its own line
            grad(y, x, grad_y, allow_unused=True)
        node = next(filter(is_custom, visiting_order([y.grad_fn])), None)
        if node is None:
            return ["no Function", NOT_LOOKED_AT, NOT_LOOKED_AT]
        if hidden_tensors(node):
            note("tensors on ctx")
        try:
            found = _run_compiled(apply, x, grad_y)
        except Exception as error:
            return [_graph_break(error), NOT_LOOKED_AT, NOT_LOOKED_AT]
    n, size = x.norm(), x.abs().max() + grad_y.abs().max()
    y = x / n if n > 1 else x.clone()
    due = y, *grad(y, x, grad_y, retain_graph=True)
    return ["one graph", *(_rounded(*pair, size) for pair in zip(found, due, strict=True))]


def _rounded(value: Tensor | None, due: Tensor, size: Tensor) -> Any:
    """Return the value, or a text if it is right but for digits that terms of this size have."""
    if value is None or value.shape != due.shape:
        return value
    return "last digits lost" if 1e-13 < (value - due).abs().max() / size < 1e-3 else value


def registered(completed: Callable[[], Any], x: Tensor, grad_y: Tensor) -> list[Any]:
    """Try what an answer has registered for the op that `completed` returns.

    `x` is (N, D), `grad_y` (N,). Returned are the shape and the dtype that the fake gives, for
    float64 and float32; the gradient; and, if both are right, the gradient of the compiled op.
    PyTorch's words replace what is missing. What else the answer raises is not caught.
    """
    with unwatched():
        op, due = completed(), torch.softmax(x, 1) * grad_y[:, None]
        shapes = f"[{len(x)}], float64; for float32: [{len(x)}], float32"
        found = [_fake_of(op, x), _gradient_of(op, x.requires_grad_(), grad_y)]
        if not equal(plain(found), plain([shapes, due])):
            return [*found, NOT_LOOKED_AT]
        try:
            return [*found, _run_compiled(op, x, grad_y)[1]]
        except Exception as error:
            return [*found, _graph_break(error)]


def _fake_of(op: Any, x: Tensor) -> str:
    found = []
    for dtype in (torch.float64, torch.float32):
        given = torch.empty_like(x, device="meta", dtype=dtype)
        try:
            shown = op(given)
        except Exception as error:
            return _named(error)
        if not isinstance(shown, Tensor):
            return "Unable to cast"  # as PyTorch says of anything but None
        if shown is given or view_base(shown) is not None:
            return "a part of x"
        found.append(f"{[*shown.shape]}, {plain(shown.dtype)}")
    return "; for float32: ".join(found)


def _gradient_of(op: Any, x: Tensor, grad_y: Tensor) -> Any:
    op.runs.clear()
    try:
        y = op(x)
        given, before = x.detach().clone(), y.detach().clone()
        (first,) = (grad_x,) = grad(y, x, grad_y, allow_unused=True, retain_graph=True)
        if x.equal(given) and y.equal(before):  # else a second backward raises
            op((2 * x.detach()).requires_grad_())
            (grad_x,) = grad(y, x, grad_y, allow_unused=True)
    except Exception as error:
        return _named(error)
    if hidden_tensors(y.grad_fn):
        note("tensors on ctx")
    if len(op.runs) > 2:
        note("op runs again")
    if not y.equal(before):
        return "changes y"
    return first if first is None or equal(plain(first), plain(grad_x)) else "that of another call"


def _named(error: Exception) -> str:
    """Return PyTorch's words if they name the cause; raise any other error, for its line."""
    if found := _NAMES_THE_CAUSE.search(str(error)):
        return found[0]
    raise error


def _run_compiled(fn: Callable, x: Tensor, grad_y: Tensor) -> list[Any]:
    """Return the value and the gradient of a compiled function; what is logged stays unsaid."""
    logging.disable(logging.CRITICAL)
    try:
        with quiet():
            y = _compiled(fn)(x)
            return [y.detach(), *grad(y, x, grad_y, allow_unused=True)]
    finally:
        logging.disable(logging.NOTSET)


@lru_cache(maxsize=1)
def _compiled(fn: Callable) -> Callable:
    torch.compiler.reset()
    return torch.compile(lambda x: fn(x), backend="aot_eager", fullgraph=True, dynamic=False)


def _graph_break(error: Exception) -> str:
    """Return the answer's line at which the compiler stopped, and PyTorch's words for it."""
    frames = getattr(error, "real_stack", None) or ()
    lines = [frame.line for frame in frames if is_the_authors(frame.filename)]
    words = str(error).removeprefix("backend='aot_eager' raised:\n").partition("\n")[0]
    return f"no graph: {lines[-1]} ({words})" if lines else f"no graph: {words}"


def _function(answer: Any) -> type[Function]:
    if isinstance(answer, type) and issubclass(answer, Function):
        return answer
    raise TypeError(f"hand over the class of the Function itself, not a {type(answer).__name__}")


def _tensor(y: Any) -> Tensor:
    if isinstance(y, Tensor):
        return y
    given = "None: its `return` is missing" if y is None else f"a {type(y).__name__}, and no tensor"
    raise TypeError(f"forward returned {given}")
