"""Log what each line of an author's Function runs: a torch function mode inside its methods.

Such a mode sees calls as the author writes them: `.data` and `.detach()` differ, and `F.softmax` is
one step. It works above autograd, so whether a result has a history is known. A dispatch mode works
below autograd, and a mode around `torch.autograd.grad` would be off while backward runs.

The log changes no result, stride or graph. It is off inside `torch.compile` and inside the
transforms of `torch.func`. It has a few steps of each line, and `MOST` in all.
"""

import linecache
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from types import FrameType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from whygrad.lines.source import (
    author_frame,
    file_name,
    file_of,
    method_name,
    names,
)
from whygrad.lines.step import Seen, Step, Write
from whygrad.lines.tensors import FEW, LONGEST, cast, cut, key_of, name_of, not_finite, seen
from whygrad.torch_private import is_inside_transform, version_of

MOST, OF_A_LINE = 200, 12  # steps
_OPERATIONS = 500  # that are looked at in one method
# What takes numbers out of a tensor, and with them its history.
TAKES_OUT = {
    **dict.fromkeys(("numpy", "__array__"), "NumPy"),
    **dict.fromkeys(("item", "tolist", "__float__", "__int__", "__complex__"), "a plain number"),
}
_CUTS = {
    **TAKES_OUT,
    "detach": "`.detach()`",
    "detach_": "`.detach_()`",
    "data": "`.data`",
    "tensor": "`torch.tensor(…)`",
}


_wanted: ContextVar[bool] = ContextVar("wanted", default=False)


@contextmanager
def lines_logged() -> Iterator[None]:
    """Log lines in the block: of code that is diagnosed, never of a reference."""
    before = _wanted.set(True)
    try:
        yield
    finally:
        _wanted.reset(before)


def logs_lines() -> bool:
    """Return whether lines are logged."""
    return _wanted.get()


class LineLog(TorchFunctionMode):
    """A log of the methods that run inside `during`.

    Args:
        inputs: what the callable is called with; a tensor of these has the role "input 0" or so.
    """

    def __init__(self, inputs: Sequence[Any] = ()) -> None:
        super().__init__()
        self._steps: list[Step] = []
        self._alive: list[Any] = []  # all tensors of the log, so that addresses stay unique
        self._phase, self._records, self._left = "", False, 0
        self._of_line: Counter[tuple[str, int]] = Counter()  # steps
        self._own: set[str] = set()
        self._roles: dict[int, str] = {}
        self._roots: dict[int, frozenset[str]] = {}
        self._made: dict[int, int] = {}  # the step that made a tensor
        self._seen: dict[tuple[int, int], Seen] = {}  # of a tensor and its version
        self._outside: frozenset[str] = frozenset()  # roots of what left PyTorch
        self._inputs = inputs
        self._role("input", inputs)

    @contextmanager
    def during(
        self,
        phase: str,
        function: type | None,
        tensors: Sequence[Any],
        kept: Iterable[tuple[str, torch.Tensor]] = (),
    ) -> Iterator[None]:
        """Log the block, which runs a method of a Function.

        Args:
            phase: "forward", "setup_context", "backward" or "jvp".
            function: whose method; None if that is not known.
            tensors: its arguments.
            kept: what is kept for backward, with the name of its place on `ctx`.
        """
        inside = any(map(is_inside_transform, _tensors(tensors)))
        if self._phase or inside or torch.compiler.is_compiling():
            records, self._records = self._records, False  # none is recorded in a forward
            try:
                yield
            finally:
                self._records = records
            return
        if function is not None:
            self._own.add(file_of(function))
        self._phase, self._records = phase, torch.is_grad_enabled()
        self._left = _OPERATIONS
        if phase == "backward":
            self._role("incoming", tensors)
        for label, tensor in kept:
            self._note_kept(label, tensor)
        try:
            with self:
                yield
        finally:
            self._phase = ""

    def steps(self) -> list[Step]:
        """Return the steps."""
        return self._steps

    def facts(self) -> list[Step]:
        """Return those steps alone that write in place, cast, or give no finite number."""
        return [one for one in self._steps if one.writes or one.cast or one.not_finite]

    def __torch_function__(self, function, types, args=(), kwargs=None) -> Any:
        """Run an operation, and log it if a line of the author's called it."""
        kwargs = kwargs or {}
        if torch.compiler.is_compiling():
            return function(*args, **kwargs)
        read = [*{id(t): t for t in _tensors((*args, *kwargs.values()))}.values()]
        versions = [*map(version_of, read)]
        result = function(*args, **kwargs)
        self._left -= 1
        if self._left < 0 or any(map(is_inside_transform, read)):
            return result
        written = [t for t, v in zip(read, versions, strict=True) if version_of(t) != v]
        made, grad = [*_tensors((result,))], torch.is_grad_enabled()
        with suppress(Exception), torch.no_grad():  # no trouble of ours is the author's
            self._log(sys._getframe(1), _operation(function), read, made, written, grad)
        return result

    def _log(
        self, frame: FrameType, name: str, read: list, made: list, written: list, grad: bool
    ) -> None:
        taken = name in TAKES_OUT and bool(read)
        author = author_frame(frame, self._own) if made or written or taken else None
        if author is None:
            return
        file, number = author.f_code.co_filename, author.f_lineno
        line = cut(linecache.getline(file, number).strip())
        known = [*names(author)]
        facts = self._facts(read, made, known) | {"ends": self._end(name, read, made, grad)}
        self._alive += [*read, *made]
        roots = self._follow(read, made, written, taken)
        self._of_line[file, number] += 1
        is_more = self._of_line[file, number] > OF_A_LINE and not (written or any(facts.values()))
        if is_more or len(self._steps) >= MOST:
            return
        self._steps.append(
            Step(
                phase=self._phase,
                method=cut(method_name(author.f_code)),
                file=file_name(file),
                line=number,
                code=line,
                operation=name[:LONGEST],
                reads=[self._read(t, known, line, written) for t in read[:FEW]],
                writes=[self._write(t, known, line) for t in written[:FEW]],
                made=self._look((made or written)[0]) if made or written else Seen(),
                roots=sorted(roots)[:20],
                **facts,
            )
        )
        self._made |= {key_of(tensor): len(self._steps) - 1 for tensor in made}

    def _follow(self, read: list, made: list, written: list, taken: bool) -> frozenset[str]:
        """Note what the results depend on: inputs, incoming gradients, kept tensors."""
        roots = frozenset().union(*(self._roots.get(key_of(t), frozenset()) for t in read))
        if taken:
            self._outside |= roots
        elif not read:
            roots = self._outside  # it may hold any number that left PyTorch before
        for tensor in (*made, *written):
            key = key_of(tensor)
            self._roots[key] = self._roots.get(key, frozenset()) | roots
        return roots

    def _look(self, tensor: torch.Tensor) -> Seen:
        key = id(tensor), version_of(tensor)
        if key not in self._seen:
            self._seen[key] = seen(tensor)
        return self._seen[key]

    def _read(self, tensor: torch.Tensor, known: list, line: str, written: list) -> Seen:
        is_written = any(tensor is one for one in written)  # then its numbers are the new ones
        numbers = {"numbers": ""} if is_written else {}
        return replace(self._look(tensor), name=name_of(tensor, known, line), **numbers)

    def _write(self, tensor: torch.Tensor, known: list, line: str) -> Write:
        """Name a tensor that was written into, what it is a view of, and what it is."""
        key, size = key_of(tensor), tensor.numel()
        larger = (name for name, one in known if one.numel() > size and key_of(one) == key)
        role = self._roles.get(key, "" if key in self._made else "outside")[:LONGEST]
        return Write(name_of(tensor, known, line), cut(next(larger, "")), role)

    def _facts(self, read: list, made: list, known: list) -> dict[str, str]:
        floats, first = [*filter(_is_float, read)], next(filter(_is_float, made[:1]), None)
        if first is None:
            return {}
        return {"cast": cast(floats, first), "not_finite": not_finite(floats, first, known)}

    def _end(self, name: str, read: list, made: list, grad: bool) -> str:
        """Say what ended the history of the tensors read; "" if nothing did."""
        if name in TAKES_OUT and self._records:
            for tensor in read:  # `.detach().numpy()` is for NumPy
                step = self._made.get(key_of(tensor))
                if step is not None and self._steps[step].ends:
                    self._steps[step] = replace(self._steps[step], ends=TAKES_OUT[name])
        results = [*filter(_is_float, made)]
        lost = bool(results) and not any(t.requires_grad for t in results)
        had = self._records and any(t.requires_grad for t in read)
        if not had or not (lost or name in TAKES_OUT):
            return ""
        return _CUTS.get(name) or ("`no_grad`" if not grad else "")

    def _note_kept(self, label: str, tensor: torch.Tensor) -> None:
        """Note a tensor on `ctx`; if forward made it, and no history leads to it, note that too."""
        key = key_of(tensor)
        label = label.replace("saved ", "ctx.saved_tensors")
        self._alive.append(tensor)
        self._roles.setdefault(key, f"kept {label}")
        # A view that forward made is a leaf, though it requires a gradient.
        made = tensor.is_leaf and not any(tensor is one for one in self._inputs)
        if self._records and tensor.is_floating_point() and made:
            step = self._made.get(key, self._last_taken_out())
            if step is not None and self._steps[step].phase != "backward":
                self._steps[step] = replace(self._steps[step], kept=label[:LONGEST])

    def _last_taken_out(self) -> int | None:
        steps = enumerate(self._steps)
        return max((n for n, step in steps if step.operation in TAKES_OUT), default=None)

    def _role(self, kind: str, values: Sequence[Any]) -> None:
        for place, value in enumerate(values):
            if isinstance(value, torch.Tensor):
                self._alive.append(value)
                role = self._roles.setdefault(key_of(value), f"{kind} {place}")
                self._roots.setdefault(key_of(value), frozenset((role,)))


def _tensors(values: Iterable[Any]) -> Iterator[torch.Tensor]:
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, tuple | list):
            yield from (one for one in tuple(value) if isinstance(one, torch.Tensor))


def _is_float(tensor: torch.Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def _operation(function: Any) -> str:
    name = getattr(function, "__name__", type(function).__name__)
    owner = getattr(function, "__self__", None)  # that of `x.data` is a descriptor
    return getattr(owner, "__name__", "") if name in ("__get__", "__set__") else name
