"""Log what each line of an author's Function runs: a torch function mode inside its methods.

Such a mode sees calls as the author writes them: `.data` and `.detach()` differ, and `F.softmax` is
one step. It works above autograd, so whether a result has a history is known. A dispatch mode works
below autograd, and a mode around `torch.autograd.grad` would be off while backward runs.

The log changes no result, stride or graph. It is off inside `torch.compile` and inside the
transforms of `torch.func`. It has a few steps of each line, and `MOST` in all.
"""

import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from types import FrameType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from whygrad.lines.source import (
    author_frames,
    file_name,
    file_of,
    first_call,
    method_name,
    names,
    saved,
    statement,
)
from whygrad.lines.step import DECORATORS, NO_GRAD, RETURN, SET_GRAD, TAKES_OUT, Seen, Step, Write
from whygrad.lines.tensors import FEW, LONGEST, cast, cut, key_of, name_of, not_finite, seen
from whygrad.torch_private import is_inside_transform, sets_recording, version_of, view_base

MOST, OF_A_LINE = 200, 12  # steps
_OPERATIONS = 500  # that are looked at in one method
Origins = frozenset[int | str]
NOTHING: Origins = frozenset()
_CUTS = {
    **TAKES_OUT,
    "detach": "`.detach()`",
    "detach_": "`.detach_()`",
    "data": "`.data`",
    "tensor": "`torch.tensor(…)`",
}


class LineLog(TorchFunctionMode):
    """A log of the methods that run inside `during`.

    Args:
        inputs: what the callable is called with; a tensor of these has the role "input 0" or so.
    """

    def __init__(self, inputs: Sequence[Any] = ()) -> None:
        super().__init__()
        self._steps: list[Step | None] = []  # None is one that is left out
        self._alive: list[Any] = []  # all tensors of the log, so that addresses stay unique
        self._phase, self._records, self._left = "", False, 0
        self._off = "`inference_mode`"  # what has switched recording off, if no call that was seen
        self._of_line: dict[tuple[str, int], deque[int]] = {}  # steps without a fact
        self._dropped = 0
        self._times: Counter[tuple] = Counter()  # how often each place of the code ran
        self._own: set[str] = set()
        self._outside_frame: FrameType | None = None  # what has run the method
        self._ended: Step | None = None  # where the last method returned
        self._roles: dict[int, str] = {}
        self._made: dict[int, Step] = {}  # what made a tensor, by its id, and last in a memory
        # Steps and roles whose numbers are in a tensor, by its id; or in a memory, since it has a
        # role, since a tensor was made in it, or since it was written into.
        self._of_tensor: dict[int, Origins] = {}
        self._of_memory: dict[int, Origins] = {}
        self._written: dict[int, Origins] = {}
        self._taken: Origins = frozenset()  # those whose numbers left PyTorch
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
        self._ended = None
        if any(map(is_inside_transform, _tensors(tensors))) or torch.compiler.is_compiling():
            yield
            return
        if function is not None:
            self._own.add(file_of(function))
        with first_call(self._own) as called, self._logged(phase, tensors, kept):
            yield
        self._ended = next(map(partial(_returning, phase), called), None)

    @contextmanager
    def _logged(
        self, phase: str, tensors: Sequence[Any], kept: Iterable[tuple[str, torch.Tensor]]
    ) -> Iterator[None]:
        if self._phase:
            records, self._records = self._records, False  # none is recorded in a forward
            try:
                yield
            finally:
                self._records = records
            return
        self._phase, self._records = phase, torch.is_grad_enabled()
        self._left, self._outside_frame = _OPERATIONS, sys._getframe(4)
        if phase == "backward":
            self._role("incoming", tensors)
        for label, tensor in kept:
            self._note_kept(label, tensor)
        try:
            with self:
                yield
        finally:
            self._phase, self._outside_frame = "", None

    def returned(self, result: Any) -> None:
        """Note which steps are in what a method returned, if no other method runs around it.

        A method that returned None alone is noted with the line where it ended.
        """
        if result is None and self._ended:
            self._steps.append(self._ended)
        several = result if isinstance(result, tuple | list) else (result,)
        origins = NOTHING.union(*map(self._origins, _tensors(() if self._phase else several)))
        for place, step in enumerate(self._steps):
            if step and place in origins:
                step.is_used = True

    def steps(self) -> list[Step]:
        """Return the steps."""
        return [step for step in self._steps if step]

    def __torch_function__(self, function, types, args=(), kwargs=None) -> Any:
        """Run an operation, and log it if a line of the author's called it."""
        kwargs = kwargs or {}
        if torch.compiler.is_compiling():
            return function(*args, **kwargs)
        read = [*{id(t): t for t in _tensors((*args, *kwargs.values()))}.values()]
        if self._left <= 0 or any(map(is_inside_transform, read)):
            return function(*args, **kwargs)
        self._left -= 1
        if not self._left and self._steps:
            self._steps[-1].is_last = True
        versions, old = [*map(version_of, read)], [*zip(read, self._looks(read), strict=False)]
        had = any(tensor.requires_grad for tensor in read)
        if sets_recording(function) and torch.is_grad_enabled():
            self._note_off(sys._getframe(1))
        result, name = function(*args, **kwargs), _operation(function)
        written = [t for t, before in zip(read, versions, strict=True) if version_of(t) != before]
        if any(written[0] is not one for one in written):  # views of one memory
            into = kwargs.get("out", args[0] if args else None)
            written = [one for one in written if one is into] or written
        made = [*_tensors((result,))]
        ends = self._end(name, read, made, had) if self._records else ""
        with suppress(Exception), torch.no_grad():  # no trouble of ours is the author's
            self._log(sys._getframe(1), name, old, made, written, ends)
        return result

    def _looks(self, tensors: Iterable[torch.Tensor]) -> list[Seen]:
        """Look at tensors, before they can be written into."""
        looks: list[Seen] = []
        with suppress(Exception), torch.no_grad():
            looks += map(seen, tensors)
        return looks

    def _note_off(self, frame: FrameType) -> None:
        authors = author_frames(frame, self._own, self._outside_frame)
        code = statement(authors[0])[1] if authors else ""
        self._off = SET_GRAD if "set_grad_enabled" in code else NO_GRAD
        while frame not in (None, self._outside_frame, *authors[:1]):
            self._off = DECORATORS.get(frame.f_code.co_name, self._off)
            frame = frame.f_back

    def _log(
        self, frame: FrameType, name: str, old: list, made: list, written: list, ends: str
    ) -> None:
        taken = name in TAKES_OUT and bool(old)
        authors = (
            author_frames(frame, self._own, self._outside_frame) if made or written or taken else []
        )
        if not authors:
            return
        author, method = authors[0], authors[-1]
        file, (number, line) = author.f_code.co_filename, statement(author)
        caller_line, caller = (number, line) if author is method else statement(method)
        is_own = (caller_line, caller) == (number, line)  # a lambda or so may stand in it
        kept = {key_of(tensor) for tensor in saved(method)} if written else set()
        read = [tensor for tensor, _ in old]
        known = [*names(author), *(names(method) if author is not method else ())]
        facts = self._facts(read, made, known)
        self._alive += [*read, *made]
        flows = [] if name.startswith("new_") else read  # that takes the dtype, and no numbers
        origins = self._follow(flows, made, written, taken)
        place = author.f_code, author.f_lasti, method.f_lasti
        self._times[place] += 1
        self._keep(
            (file, number),
            Step(
                phase=self._phase,
                method=cut(method_name(author.f_code)),
                file=file_name(file),
                line=number,
                code=line,
                operation=name[:LONGEST],
                caller="" if is_own else caller,
                caller_line=caller_line,
                times=self._times[place],
                reads=[replace(look, name=name_of(t, known, line)) for t, look in old[:FEW]],
                writes=[self._write(t, known, line, kept) for t in written[:FEW]],
                made=[seen(tensor) for tensor in (made or written)[:FEW]],
                roots=sorted(one for one in origins if isinstance(one, str))[:20],
                ends=ends,
                **facts,
            ),
            [one for one in made if all(one is not other for other in read)],
        )

    def _keep(self, line: tuple[str, int], step: Step, made: list) -> None:
        """Keep a step, the last ones of each line, and those with a fact."""
        if len(self._steps) - self._dropped >= MOST:
            self._steps[-1].is_last = True
            return
        self._steps.append(step)
        self._made |= {key: step for tensor in made for key in (id(tensor), key_of(tensor))}
        if not step.has_fact:
            kept = self._of_line.setdefault(line, deque())
            kept.append(len(self._steps) - 1)
            if len(kept) > OF_A_LINE:
                self._steps[kept.popleft()], self._dropped = None, self._dropped + 1

    def _follow(self, read: list, made: list, written: list, taken: bool) -> Origins:
        """Note and return what is in the results: this step, those before it, and roles."""
        origins = NOTHING.union((len(self._steps),), *map(self._origins, filter(_is_float, read)))
        if taken:
            self._taken |= origins
        elif not read:
            origins |= self._taken  # it may hold any number that left PyTorch before
        for tensor in filter(_is_float, made):
            self._of_tensor[id(tensor)] = origins
            self._of_memory.setdefault(key_of(tensor), origins)  # not that of a view
        self._written |= {key_of(t): self._origins(t) | origins for t in filter(_is_float, written)}
        return origins

    def _origins(self, tensor: torch.Tensor) -> Origins:
        key = key_of(tensor)
        own = self._of_tensor.get(id(tensor))
        if own is None:  # given from outside, wrapped anew, or made without PyTorch's knowing
            own = self._of_memory.get(key, self._taken)
        return own | self._written.get(key, NOTHING)

    def _write(self, tensor: torch.Tensor, known: list, line: str, before: set[int]) -> Write:
        """Name a tensor that was written into, what it is a view of, and what it is."""
        key, own, size = key_of(tensor), name_of(tensor, known, line), tensor.numel()
        role = self._roles.get(key, "" if key in self._made else "outside")
        others = [(n, one) for n, one in known if n.isidentifier() and key_of(one) == key]
        # Those of the method come last.
        others = [(n, one) for n, one in others[::-1] if n != own and one.numel() >= size]
        whole = [(n, one) for n, one in others if view_base(one) is None]
        other, one = max(whole or others, key=lambda pair: pair[1].numel(), default=("", tensor))
        relation = "another name of" if one is tensor else "which shares memory with"
        base = cut(f"{relation} `{other}`") if other and role else ""
        return Write(own, base, (role or ("saved before" if key in before else ""))[:LONGEST])

    def _facts(self, read: list, made: list, known: list) -> dict[str, str]:
        floats, first = [*filter(_is_float, read)], next(filter(_is_float, made[:1]), None)
        if first is None:
            return {}
        return {"cast": cast(floats, first), "not_finite": not_finite(floats, first, known)}

    def _end(self, name: str, read: list, made: list, had: bool) -> str:
        """Say what ended the history that tensors had; "" if nothing did."""
        if name in TAKES_OUT:
            for tensor in read:  # `.detach().numpy()` is for NumPy
                step = self._made.get(key_of(tensor))
                if step and step.ends:
                    step.ends = TAKES_OUT[name]
        results = [*filter(_is_float, made)]
        lost = bool(results) and not any(tensor.requires_grad for tensor in results)
        if not had or not (lost or name in TAKES_OUT):
            return ""
        return _CUTS.get(name) or ("" if torch.is_grad_enabled() else self._off)

    def _note_kept(self, label: str, tensor: torch.Tensor) -> None:
        """Note a tensor on `ctx`; if forward made it, and no history leads to it, note that too."""
        key = key_of(tensor)
        label = label.replace("saved ", "ctx.saved_tensors")
        self._alive.append(tensor)
        self._note_role(key, f"kept {label}")
        # A view that forward made is a leaf, though it requires a gradient.
        made = tensor.is_leaf and not any(tensor is one for one in self._inputs)
        if self._records and tensor.is_floating_point() and made:
            made_by = self._made.get(id(tensor)) or self._made.get(key)
            step = made_by or self._last_taken_out()
            if step and step.phase != "backward":
                step.kept = label[:LONGEST]

    def _last_taken_out(self) -> Step | None:
        taken = (step for step in self.steps()[::-1] if step.operation in TAKES_OUT)
        return next(taken, None)

    def _role(self, kind: str, values: Sequence[Any]) -> None:
        for place, value in enumerate(values):
            if isinstance(value, torch.Tensor):
                self._alive.append(value)
                self._note_role(key_of(value), f"{kind} {place}")

    def _note_role(self, key: int, role: str) -> None:
        if key not in self._roles:
            self._roles[key] = role
            self._of_memory[key] = self._of_memory.get(key, NOTHING) | {role}


def _returning(phase: str, frame: FrameType) -> Step:
    """Return the step of a method that has ended: its last line."""
    code, (line, text) = frame.f_code, statement(frame)
    return Step(phase, cut(method_name(code)), file_name(code.co_filename), line, text, RETURN)


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
