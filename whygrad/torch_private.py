"""Every private name of PyTorch that the project uses; where one is missing, less is shown."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import cache, partial
from inspect import getattr_static
from typing import Any

import torch
from torch.autograd import Function, function
from torch.autograd.function import BackwardCFunction, FunctionCtx
from torch.autograd.graph import Node

# What each is for, and what happens in a PyTorch without it. No verdict depends on one.
NAMES = {
    "_engine_run_backward": "gradients fast, and notes of backward passes; else `autograd.grad`, "
    "no function is marked as recorded during backward, and none within another is seen",
    "_get_sequence_nr": "notes of backward passes, and what is recorded inside a Function; else "
    "none is marked, and nothing is seen",
    "_sequence_nr": "the order of functions that are ready at once; else as they are found",
    "_input_metadata": "shapes and numbers of a function's outputs; else they are not shown",
    "_saved_": "what PyTorch's own functions saved for backward; else it is not shown",
    "_base": "which tensor a view belongs to; else it is not shown",
    "_set_grad_enabled": "what switches recording off; else no decorator is named",
    "_version": "which tensors an operation writes into; else none is seen",
    "_forward_cls": "the class behind the node of a custom Function; else known by its name, and "
    "nobody knows whether it is PyTorch's own",
    "_python_dispatch": "the operations that a Function runs; else none is seen",
    "custom_function_call": "Functions applied inside a transform; else they are not seen",
    "_functorch": "whether a tensor is inside a transform, such as `torch.vmap`; else none is",
}
_SAVED = "_saved_"

# Gets a Function or a node, what it is given, and what runs it; returns what this does.
Told = Callable[[Any, tuple, Callable[[], Any]], Any]


def _get(owner: object, name: str) -> Any:
    """Give a private attribute, or None where this PyTorch has none of that name."""
    return getattr(owner, name, None)


def is_custom(node: Node) -> bool:
    """Tell whether a node belongs to a `torch.autograd.Function`."""
    return isinstance(node, FunctionCtx)


def function_of(context: Any) -> Any:
    """Return the Function to which a `ctx`, or its class, belongs; None if that is not known."""
    return _get(context, "_forward_cls")


def function_behind(fn: Any) -> type[Function] | None:
    """Return the Function that is given, itself or by its `.apply`; None for anything else."""
    owner = getattr(fn, "__self__", None) if getattr(fn, "__name__", "") == "apply" else fn
    return owner if isinstance(owner, type) and issubclass(owner, Function) else None


def apply_of(kind: type[Function]) -> Callable[..., Any]:
    """Return PyTorch's own `.apply` of a Function, which takes what forward does."""
    return getattr_static(Function, "apply").__get__(None, kind)


def made_by(node: Node, functions: tuple[type, ...]) -> bool:
    """Tell whether the node of a custom Function belongs to one of some classes."""
    forward = function_of(node)
    if forward is not None:
        return issubclass(forward, functions)
    names = {f"{kind.__name__}Backward" for base in functions for kind in _family(base)}
    return type(node).__name__ in names


def is_of_pytorch(node: Node) -> bool:
    """Tell whether a node is PyTorch's own: no custom Function's, or that of one it brings along.

    `torch.utils.checkpoint` is such a Function.
    """
    home = getattr(function_of(node), "__module__", "")
    return not is_custom(node) or home.partition(".")[0] == "torch"


def is_plumbing(kind: type) -> bool:
    """Tell whether a Function is one by which PyTorch works inside, such as those of its hooks."""
    home = kind.__module__.split(".")
    if home[0] != "torch":
        return False
    layers = home == ["torch", "nn", "modules", "_functions"]
    hidden = any(part.startswith("_") for part in home) and not layers
    return hidden or kind.__name__.startswith("_") or kind.__name__ == "BackwardHookFunction"


def _family(kind: type) -> Iterator[type]:
    yield kind
    for child in kind.__subclasses__():
        yield from _family(child)


def view_base(tensor: torch.Tensor) -> torch.Tensor | None:
    """Give the tensor that a view belongs to; None for a tensor that is no view."""
    return _get(tensor, "_base")


def sets_recording(function: Any) -> bool:
    """Tell whether a call that a torch function mode sees switches recording on or off."""
    return function is _get(torch._C, "_set_grad_enabled")


def version_of(tensor: torch.Tensor) -> int:
    """Give a number that grows with each write into a tensor, or into what shares its memory.

    It is -1 of a tensor that counts none, as one made in inference mode.
    """
    try:
        return _get(tensor, "_version") or 0
    except RuntimeError:
        return -1


def outputs_of(node: Node) -> Sequence[Any]:
    """Give the shape and dtype of each output of a node's operation, as far as PyTorch tells."""
    return _get(node, "_input_metadata") or ()


def saved_by(node: Node) -> dict[str, Any]:
    """Give what a node of PyTorch's own saved for backward, by name.

    Raises:
        RuntimeError: it is freed already, or was changed in place since.
    """
    return {slot.removeprefix(_SAVED): _get(node, slot) for slot in _slots(type(node))}


@cache
def _slots(kind: type) -> tuple[str, ...]:
    return tuple(sorted(name for name in dir(kind) if name.startswith(_SAVED)))


def sequence_number(node: Node) -> int:
    """Give a number that is larger the later a thread recorded the node; -1 if there is none."""
    number = _get(node, "_sequence_nr")
    return number() if number else -1


def next_sequence_number() -> int:
    """Give the number of the next node that this thread records; -1 if there is none."""
    number = _get(torch.autograd, "_get_sequence_nr")
    return number() if number else -1


def wrap_engine(wrap: Callable[[Callable], Callable]) -> Callable[[], None]:
    """Put `wrap(engine)` in the place of the function through which all backward passes run.

    Return what puts back the one that was there.
    """
    engine = _get(torch.autograd, "_engine_run_backward")
    if engine is None:
        return lambda: None
    torch.autograd._engine_run_backward = wrap(engine)
    return lambda: setattr(torch.autograd, "_engine_run_backward", engine)


def gradients(
    outputs: Iterable[torch.Tensor],
    inputs: Sequence[torch.Tensor],
    grad_outputs: Iterable[torch.Tensor | None],
    *,
    create_graph: bool = False,
    retain_graph: bool = True,
) -> list[torch.Tensor | None]:
    """Return what `torch.autograd.grad` does; unused inputs have None.

    Outputs without a history or without an incoming gradient are left out.

    Its check of the incoming gradients' shapes, which we know to be right, is left out: it imports
    sympy on first use, which takes 0.3 s.
    """
    pairs = [
        (out, grad)
        for out, grad in zip(outputs, grad_outputs, strict=True)
        if out.requires_grad and grad is not None
    ]
    if not pairs or not inputs:
        return [None for _ in inputs]
    outputs, grad_outputs = zip(*pairs, strict=True)
    inputs = tuple(inputs)
    engine = _get(torch.autograd, "_engine_run_backward")
    if engine is None:
        how = {"retain_graph": retain_graph, "create_graph": create_graph, "allow_unused": True}
        found = torch.autograd.grad(outputs, inputs, grad_outputs, **how)
    else:
        run = (outputs, grad_outputs, retain_graph, create_graph, inputs, True)
        try:
            found = engine(*run, accumulate_grad=False)
        except RuntimeError as error:
            # A checkpoint of this kind does not know which gradients are asked for.
            if create_graph or not retain_graph or "use_reentrant" not in str(error):
                raise
            found = _accumulated(outputs, inputs, grad_outputs)
    return list(found)


def _accumulated(
    outputs: tuple[torch.Tensor, ...],
    inputs: tuple[torch.Tensor, ...],
    grad_outputs: tuple[torch.Tensor, ...],
) -> list[torch.Tensor | None]:
    """Return the gradients of leaves as `.backward()` leaves them there, and put theirs back."""
    before = [leaf.grad for leaf in inputs]
    for leaf in inputs:
        leaf.grad = None
    try:
        torch.autograd.backward(outputs, grad_outputs, retain_graph=True)
        return [leaf.grad for leaf in inputs]
    finally:
        for leaf, grad in zip(inputs, before, strict=True):
            leaf.grad = grad


def _just_run(owner: Any, arguments: tuple, run: Callable[[], Any]) -> Any:
    return run()


@contextmanager
def watched_functions(
    apply: Told = _just_run,
    backward: Told = _just_run,
    setup: Told = _just_run,
    is_asked: Callable[[], Any] = lambda: True,
) -> Iterator[None]:
    """Be told of every custom Function at work, until the block ends.

    Nothing is put in the place of `Function.apply`, which can be taken from its class before, and
    is written in C in some versions: each call of it makes a node, then runs forward.

    Args:
        apply: runs each forward: it gets the class of the Function, its inputs in the order of
            forward's arguments, however `.apply` was called, and what runs it. Inside a transform,
            such as `torch.vmap`, it runs all that the transform makes of the call.
        backward: runs each custom backward: it gets the node, the incoming gradients and what
            runs it.
        setup: runs each `setup_context`: it gets the class, its arguments and what runs it.
        is_asked: whether anybody wants to know of the next forward.
    """
    transformed = _get(function, "custom_function_call")
    began, run = BackwardCFunction.__init__, BackwardCFunction.apply
    waiting: dict[type, ExitStack] = {}

    def begin(self):
        began(self)
        cls = function_of(self) if is_asked() else None
        if cls is not None and cls not in waiting:
            wait(cls, "forward", watched_forward)

    def wait(cls, method, watched):
        watched = staticmethod(partial(watched, cls, getattr(cls, method)))
        waiting[cls] = ExitStack()
        waiting[cls].enter_context(replaced(cls, **{method: watched}))

    def watched_forward(cls, forward, *inputs):  # `cls` is what PyTorch's own frames call it
        waiting.pop(cls, ExitStack()).close()
        has_setup = cls.setup_context is not Function.setup_context
        given = inputs if has_setup else inputs[1:]  # without its ctx
        result = apply(cls, given, partial(forward, *inputs))
        if has_setup:  # PyTorch takes it from the class next
            wait(cls, "setup_context", watched_setup)
        return result

    def watched_setup(cls, setup_context, *arguments, **keywords):
        waiting.pop(cls, ExitStack()).close()
        values = (*arguments, *keywords.values())
        return setup(cls, values, partial(setup_context, *arguments, **keywords))

    def watched_call(cls, *inputs, **keywords):
        return apply(cls, inputs, partial(transformed, cls, *inputs, **keywords))

    def watched_backward(self, *grads):
        return backward(self, grads, partial(run, self, *grads))

    transforms = {"custom_function_call": watched_call} if transformed else {}
    with (
        replaced(BackwardCFunction, __init__=begin, apply=watched_backward),
        replaced(function, **transforms),
    ):
        try:
            yield
        finally:
            for left in waiting.values():
                left.close()


@contextmanager
def replaced(owner: Any, **others: Any) -> Iterator[None]:
    """Give a class or a module other attributes in the block, and after it what it had before."""
    own = {name: vars(owner).get(name) for name in others}
    for name, value in others.items():
        setattr(owner, name, value)
    try:
        yield
    finally:
        for name, value in own.items():
            if value is None:
                delattr(owner, name)  # it is inherited
            else:
                setattr(owner, name, value)


def is_inside_transform(tensor: torch.Tensor) -> bool:
    """Tell whether a tensor stands for others in `torch.vmap` or another transform of its kind."""
    home = _get(torch._C, "_functorch")
    return home is not None and home.is_functorch_wrapped_tensor(tensor)


def unwrapped(value: Any) -> Any:
    """Return what is inside a transform's tensor, the first item of a batch; others as they are."""
    home = _get(torch._C, "_functorch")
    while isinstance(value, torch.Tensor) and is_inside_transform(value):
        batch = home.maybe_get_bdim(value)
        value = home.get_unwrapped(value)
        value = value if batch < 0 else value.select(batch, 0)
    return value


def noting_operations(note: Callable[[str, tuple, dict, Any], None]) -> AbstractContextManager:
    """Be told of every operation in a block: its name, arguments, keywords and result."""
    kind = _noting_mode()
    if kind is None:
        return nullcontext()
    mode = kind()
    mode.note = note
    return mode


@cache
def _noting_mode() -> type | None:
    home = _get(torch.utils, "_python_dispatch")
    if home is None:
        return None

    class NotingMode(home.TorchDispatchMode):
        note: Callable[[str, tuple, dict, Any], None]

    def noting(self, operation, types, args=(), kwargs=None):
        result = operation(*args, **(kwargs or {}))
        self.note(operation.overloadpacket.__name__, args, kwargs or {}, result)
        return result

    # One that stands in the class's body, PyTorch wraps, and loads its compiler: seconds of work.
    NotingMode.__torch_dispatch__ = noting
    return NotingMode
