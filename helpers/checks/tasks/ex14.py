"""List the tasks of exercise 14, Compiler."""

import logging
from collections.abc import Callable
from functools import lru_cache
from inspect import signature, unwrap
from itertools import count
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from helpers.checks.task import PredictionTask, ValuesTask

if TYPE_CHECKING:
    import torch

    from whygrad.sample import Sample

_fresh = count(1)


def _compiled_whole(answer: Any, x: "torch.Tensor", grad_y: "torch.Tensor") -> list[Any]:
    """Compile a Function as one graph; return what became of it, its value and its gradient."""
    import torch

    from helpers.checks.values import NOT_LOOKED_AT
    from whygrad.measure.quiet import quiet
    from whygrad.measure.watch import unwatched

    x.requires_grad_()
    with unwatched():
        if said := _no_function(answer):
            return [said, NOT_LOOKED_AT, NOT_LOOKED_AT]
        apply = getattr(answer, "apply", answer)
        with quiet():
            y = apply(x)  # an ordinary mistake raises in its own line
            if not isinstance(y, torch.Tensor):
                return [f"no graph: a {type(y).__name__}", NOT_LOOKED_AT, NOT_LOOKED_AT]
            if (node := _custom_node(y)) is None:
                return ["no Function", NOT_LOOKED_AT, NOT_LOOKED_AT]
            _note_tensors(node)
            torch.autograd.grad(y, x, grad_y, allow_unused=True)
        try:
            y, grad_x = _run_compiled(apply, x, grad_y)
        except Exception as error:
            return [_in_short(error), NOT_LOOKED_AT, NOT_LOOKED_AT]
    x, said = x.detach(), "None from backward"
    return ["one graph", *(said if v is None else _nearly(x, grad_y, v) or v for v in (y, grad_x))]


def can_tell_n(x: "torch.Tensor", grad_y: "torch.Tensor") -> bool:
    """Tell whether n can be told from a y and a grad_x, which are then a grad_y + b x."""
    return bool(x.norm() > 1 and (x * grad_y).sum().abs() < 0.99 * x.norm() * grad_y.norm())


def _nearly(x: "torch.Tensor", grad_y: "torch.Tensor", value: "torch.Tensor") -> str:
    """Say what makes a y or a grad_x wrong in its last digits alone; "" if nothing does."""
    import torch

    if value.shape != x.shape or not can_tell_n(x, grad_y):
        return ""
    n, g, value = x.norm(), grad_y, value.double()
    terms = torch.stack([g.flatten(), x.flatten()], 1)
    a, b = factors = torch.linalg.lstsq(terms, value.flatten()).solution
    is_y = a.abs() < 1e-3 * b.abs()
    told = [1 / b] if is_y else [1 / a, (-(x * g).sum() / b).abs() ** (1 / 3)]
    more = [one**power - n**power for one in told for power in (1, 2, 3)]
    off = [(terms @ factors - value.flatten()).norm() / value.norm(), *(t / n - 1 for t in told)]
    if any(abs(one * 10**digits - 1) < 1e-2 for one in more for digits in range(2, 11)):
        return "something is added to n"
    lost = max(map(abs, off))
    return "right to 7 digits" if 1e-11 < lost < 1e-6 else ""


def _no_function(answer: Any) -> str:
    from torch.autograd import Function

    if isinstance(answer, Function):
        return "an object"
    if isinstance(answer, type) and not issubclass(answer, Function):
        return "no Function"
    below = getattr(unwrap(answer), "__module__", "") if hasattr(answer, "__wrapped__") else ""
    compiled = (below or "").startswith("torch.")  # Function.apply, in something else
    return "another apply" if compiled or "apply" in getattr(answer, "__dict__", ()) else ""


def _custom_node(y: "torch.Tensor") -> Any:
    """Return the node of a custom Function in the graph of y; None if there is none."""
    from torch.autograd.function import FunctionCtx

    seen, waiting = set(), [y.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        if isinstance(node, FunctionCtx):
            return node
        seen.add(node)
        waiting += [before for before, _ in node.next_functions]
    return None


def _note_tensors(node: Any) -> None:
    from whygrad.graph.nodes import hidden_tensors
    from whygrad.measure.watch import note

    if hidden_tensors(node):
        note("tensors on ctx")


class _NewOp:
    """A new op, and what an answer registers for it."""

    def __init__(self, answer: Callable) -> None:
        self._answer, self._op = answer, None
        self.fake: Callable | None = None
        self.backward: Callable | None = None
        self.setup_context: Callable | None = None
        self.trouble: dict[str, str] = {}

    @property
    def op(self) -> Callable:
        """The op, with all that the answer registers."""
        if self._op is None:
            self._op = op = new_op()
            self._fake_of, self._autograd_of = op.register_fake, op.register_autograd
            op.register_fake, op.register_autograd = self.register_fake, self.register_autograd
            try:
                returned = self._answer(op)
                if returned is None and _is_empty(self._answer):
                    raise NotImplementedError
            except BaseException:
                self._op = None
                raise
            for name, own in (
                ("register_fake", self.register_fake),
                ("register_autograd", self.register_autograd),
            ):
                if getattr(op, name) != own:
                    self.trouble[name] = "assigned"
        return self._op

    def register_fake(self, fake: Callable | None = None) -> Callable:
        """As the method of the op does."""
        self.fake = fake
        if not callable(fake):
            self.trouble["register_fake"] = "brackets"
            return lambda function: function
        if not _takes_one(fake):
            self.trouble["register_fake"] = "a fake with other arguments"
            return fake
        return self._fake_of(fake)

    def register_autograd(
        self, backward: Callable, *others: Any, setup_context: Callable | None = None
    ) -> None:
        """As the method of the op does."""
        self.backward, self.setup_context = backward, setup_context
        free, names = _parameters(setup_context)
        if others:
            self.trouble["register_autograd"] = "setup_context without its name"
        elif setup_context and not free and not {"inputs", "output"} <= {*names}:
            self.trouble["register_autograd"] = "setup_context with other names"
        else:
            self._autograd_of(backward, setup_context=setup_context)


def _is_empty(function: Callable) -> bool:
    """Tell whether a function uses no name of others, nor any of its own, as with `...` alone."""
    code = getattr(function, "__code__", None)
    return bool(code) and not (code.co_names or code.co_freevars or code.co_nlocals > 1)


def _takes_one(function: Callable) -> bool:
    try:
        signature(function).bind(None)
    except TypeError:
        return False
    except ValueError:  # of a function that does not tell
        return True
    return True


def _parameters(function: Callable | None) -> tuple[bool, list[str]]:
    """Return whether a function takes any names, and the names that it takes."""
    try:
        found = signature(function).parameters if function else {}
    except (TypeError, ValueError):
        return True, []
    return any(one.kind is one.VAR_KEYWORD for one in found.values()), [*found]


def new_op() -> Any:
    """Return an op of which nothing is registered but its forward."""
    import torch
    from scipy import special

    runs = []

    @torch.library.custom_op(f"exercise14::log_sum_exp_{next(_fresh)}", mutates_args=())
    def op(x: torch.Tensor) -> torch.Tensor:
        runs.append(x.shape)
        return torch.as_tensor(special.logsumexp(x.numpy(), axis=1))

    op.runs = runs  # to be counted
    return op


def _registered(new: _NewOp, x: "torch.Tensor", grad_y: "torch.Tensor") -> list[Any]:
    """Return what a new op gives, with what was registered for it."""
    import torch

    from helpers.checks.measure_values import plain
    from helpers.checks.values import NOT_LOOKED_AT, equal
    from whygrad.measure.watch import unwatched

    with unwatched():
        op, due = new.op, torch.softmax(x, 1) * grad_y[:, None]
        fake = fake_said(new.fake, x, new.trouble.get("register_fake", ""))
        x.requires_grad_()

        def is_due(grad_x: Any) -> bool:
            return isinstance(grad_x, torch.Tensor) and equal(plain(grad_x), plain(due))

        try:
            grad_x = _gradient_said(new, x, grad_y)
        except Exception:
            if not is_due(_exchanged(new, x, grad_y)):
                raise
            grad_x = "two tensors exchanged"
        is_right = is_due(grad_x)
        if not is_right and is_due(_exchanged(new, x, grad_y)):
            grad_x = "two tensors exchanged"
        if fake != _fake_due(x) or not is_right:
            return [fake, grad_x, NOT_LOOKED_AT]
        try:
            compiled = _run_compiled(op, x, grad_y)[1]
        except Exception as error:
            compiled = _in_short(error)
    return [fake, grad_x, compiled]


def _fake_due(x: "torch.Tensor") -> str:
    return f"[{len(x)}], float64; for float32: [{len(x)}], float32"


def fake_said(fake: Callable | None, x: "torch.Tensor", trouble: str = "") -> str:
    """Say in short what a fake gives for a float64 x and for a float32 x."""
    if trouble or fake is None:
        return trouble or "no fake"
    (shape, first), (other, second) = (_fake_of(fake, x, name) for name in ("float64", "float32"))
    if not shape:
        return first
    return f"{shape}, {first}; for float32: {f'{other}, ' if other else ''}{second}"


def one_of(value: Any) -> str:
    """Name the type of a value, such as "an int"."""
    kind = type(value).__name__
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _fake_of(fake: Callable, x: "torch.Tensor", dtype: str) -> tuple[str, str]:
    """Return the shape and the dtype that a fake gives; or "" and what it gives else."""
    import torch

    from whygrad.torch_private import view_base

    meta = torch.empty_like(x, device="meta", dtype=getattr(torch, dtype))
    try:
        with torch.no_grad():
            shown = fake(meta)
    except RecursionError:
        return "", "calls the op"
    except Exception as error:
        if "meta" not in str(error):
            raise
        return "", "asks for numbers"
    if not isinstance(shown, torch.Tensor):
        return "", f"returns {one_of(shown)}"
    if shown is meta or view_base(shown) is not None:
        return "", "a part of x"
    return str([*shown.shape]), str(shown.dtype).removeprefix("torch.")


def _gradient_said(new: _NewOp, x: "torch.Tensor", grad_y: "torch.Tensor") -> Any:
    """Return the gradient of an op; or say in short what it lacks."""
    import torch

    from whygrad.measure.watch import note

    if said := new.trouble.get("register_autograd"):
        return said
    if new.backward is None:
        return "no backward"
    y, before = None, (x.detach().clone(), grad_y.clone())
    new.op.runs.clear()
    try:
        y = new.op(x)
        once = y.detach().clone()
        grad_x = torch.autograd.grad(y, x, grad_y)[0]
        _note_tensors(y.grad_fn)
        if len(new.op.runs) > 1:
            note("op runs again")
    except Exception as error:
        if new.setup_context is None:
            return "no setup_context"
        if _holds_inputs(y):
            return "a tuple saved"
        for said, short in _SAID_OF_BACKWARD.items():
            if said in str(error):
                return short
        raise
    kept = zip(("x", "grad_y", "y"), (x, grad_y, y), (*before, once), strict=True)
    return next((f"changes {name}" for name, now, was in kept if not now.equal(was)), grad_x)


def _exchanged(new: _NewOp, x: "torch.Tensor", grad_y: "torch.Tensor") -> Any:
    """Return what backward gives if the two tensors that were saved come in the other order."""
    import torch

    try:
        node = new.op(x).grad_fn
        one, other = (tensor.clone() for tensor in node.saved_tensors)
        other_way = {"saved_tensors": (other, one), "needs_input_grad": (True,)}
        with torch.no_grad():
            return new.backward(SimpleNamespace(**vars(node), **other_way), grad_y.clone())
    except Exception:
        return None


def _holds_inputs(y: "torch.Tensor | None") -> bool:
    """Tell whether a tuple of one tensor, as `inputs` is, was put on the `ctx` of an op."""
    import torch

    kept = getattr(getattr(y, "grad_fn", None), "__dict__", {}).values()
    return any(
        isinstance(one, tuple) and len(one) == 1 and isinstance(one[0], torch.Tensor)
        for one in kept
    )


_SAID_OF_BACKWARD = {
    "save_for_backward can only save variables, but argument 0 is of type tuple": "a tuple saved",
    "appears to not have been used in the graph": "None from backward",
    "returned an invalid gradient at index 0": "another shape than x",
    "returned a gradient different than None at position": "a gradient too many",
    "must match the size of tensor b": "two shapes that do not fit",
}


def _run_compiled(fn: Callable, x: "torch.Tensor", grad_y: "torch.Tensor") -> list[Any]:
    """Return the value and the gradient of a compiled function; what is logged stays unsaid."""
    import torch

    from whygrad.measure.quiet import quiet

    logging.disable(logging.CRITICAL)
    try:
        with quiet():
            y = _compiled(fn)(x)
            return [y.detach(), *torch.autograd.grad(y, x, grad_y, allow_unused=True)]
    finally:
        logging.disable(logging.NOTSET)


@lru_cache(maxsize=1)
def _compiled(fn: Callable) -> Callable:
    import torch

    torch.compiler.reset()
    return torch.compile(lambda x: fn(x), backend="aot_eager", fullgraph=True, dynamic=False)


# What PyTorch says, and what is reported of it; the first that is found counts.
_SAID = {
    "builtin `print`": "no graph: print",
    "Data-dependent branching": "no graph: if",
    "torch.compiler.disable": "no graph: disable",
    "tolist()": "no graph: item",
    "unbacked": "no graph: item",
    "data-dependent expression": "no graph: item",
    "ufunc": "no graph: SciPy",
    "no fake impl": "no fake",
    "not supported for tensor subclasses": "backward leaves PyTorch",
}


def _in_short(error: Exception) -> str:
    message = str(error)
    # The last line of the user's code: below it come marks, and after an empty line more words.
    told = message.partition("from user code:")[2].strip().partition("\n\n")[0]
    known = next((short for said, short in _SAID.items() if said in message), "")
    own = (("scipy", "SciPy"), ("logging.", "logging"))
    known = known or next((f"no graph: {short}" for word, short in own if word in told), "")
    if known:
        return f"{known} in backward" if ", in backward\n" in told else known
    lines = [line.strip() for line in told.splitlines() if line.strip(" ^~")]
    return f"no graph: {lines[-1] if lines else message.splitlines()[0]}"


# Of one size, so that the compiler reads the answer once.
def _long(sample: "Sample", n: int) -> tuple:
    return sample.normal(3, 3), sample.normal(3, 3)


def _short(sample: "Sample", n: int) -> tuple:
    return 0.1 * sample.normal(3, 3), sample.normal(3, 3)


def _zeros(sample: "Sample", n: int) -> tuple:
    return 0 * sample.normal(3, 3), sample.normal(3, 3)


def _at_one(sample: "Sample", n: int) -> tuple:
    """Return an x whose norm is exactly 1, where the case of g still holds."""
    x = 0 * sample.normal(3, 3)
    x[1, 2] = 1
    return x, sample.normal(3, 3)


def _precise(sample: "Sample", n: int) -> tuple:
    """Return an x and a large gradient almost along it: grad_x is a difference of large terms."""
    x = sample.normal(3, 3)
    return x, 1e7 * x + sample.normal(3, 3)


def _far(sample: "Sample", n: int) -> tuple:
    """Return an x of which float32 does not hold the digits that exp(x - y) needs."""
    return 0.1 * sample.normal(n, 4) - 600, sample.normal(n)


def _high(sample: "Sample", n: int) -> tuple:
    """Return an x whose exp is inf, also in float64."""
    return 0.1 * sample.normal(n, 4) + 800, sample.normal(n)


def _apart(sample: "Sample", n: int) -> tuple:
    """Return an x whose rows are so far apart that one row's largest number helps no other."""
    rows = sample.normal(n)
    return sample.normal(n, 4) + 900 * (rows.argsort() - 1)[:, None], rows


TASKS = [
    ValuesTask(
        id="14.1",
        title="Repair what breaks the graph",
        shares={"graph": 2, "y": 1, "grad_x": 2},
        minutes=15,
        hints=(
            "Compile it with fullgraph=True. The last lines of the message mostly name the line of "
            "yours that stands in the way; if none is yours, look for item(). Repair it, and "
            "compile again: there are several.",
            "Let n stay a tensor: no item() in forward, no print, and no if that asks about n. A "
            "tensor goes through save_for_backward.",
            "max(n, 1) of a tensor is n.clamp(min=1). In backward, work out both cases, and let "
            "torch.where(n > 1, …, grad_y) choose.",
        ),
        names=("graph", "y", "grad_x"),
        inputs=_long,
        promises={
            "an x with n < 1": _short,
            "an x with n = 1": _at_one,
            "an x of zeros": _zeros,
            "a large grad_y along x": _precise,
        },
        untouched=("x", "grad_y"),
        call=_compiled_whole,
    ),
    ValuesTask(
        id="14.2",
        title="Tell what the op lacks",
        shares={"fake": 1, "grad_x": 2, "compiled": 1},
        minutes=20,
        hints=(
            "Write the two parts one after the other. With the fake alone, a call of the op with "
            'a tensor of device="meta" gives a shape and a dtype.',
            "The result has one number for each row, and the dtype of x: new_empty makes such a "
            "tensor of x. What backward needs are the input and the output of the op.",
            "grad_y and y have the shape (N,), x has (N, D). With [:, None] behind them, the "
            "first two become columns: grad_y[:, None] * torch.exp(x - …).",
        ),
        names=("fake", "grad_x", "compiled"),
        inputs=lambda sample, n: (sample.normal(n, 4), sample.normal(n)),
        promises={
            "an x of about −600": _far,
            "an x of about 800": _high,
            "rows that are far apart": _apart,
        },
        untouched=("x", "grad_y"),
        prepare=_NewOp,
        call=_registered,
    ),
    PredictionTask(
        id="14.3",
        title="What the compiler does",
        shares={"masks": 1, "asks": 1, "sorts": 1, "bessel": 1, "shows": 1, "dawson": 1},
        minutes=10,
        hints=(
            "The compiler reads with tensors that have a shape and a dtype, and no numbers. Which "
            "of these lines needs a number?",
            "A comparison with a tensor as its result is an operation like any other; an if needs "
            "yes or no. NumPy's functions are known to the compiler, those of SciPy are not.",
            "The compiler reads backward together with forward. A graph break is for Python that "
            "can run as always; a box that does not tell its shape has no such way out.",
        ),
        form="six texts",
        items=("masks", "asks", "sorts", "bessel", "shows", "dawson"),
        words=("one graph", "break", "raises", "wrong numbers"),
    ),
]
