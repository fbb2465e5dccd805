"""Watch custom Functions at work: which are applied, what their backwards get and return.

What a backward returned cannot be read off the gradients that arrive: the engine casts a gradient
to its input's dtype, and sums one that broadcasts, without a word. Nor can it be seen whether it
had autograd work out the gradient: that is noted while it runs.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.autograd import forward_ad
from torch.autograd.graph import Node

from whygrad.graph.nodes import hidden_tensors, saved_tensors
from whygrad.lines.log import LineLog
from whygrad.torch_private import (
    Told,
    function_of,
    next_sequence_number,
    replaced,
    watched_functions,
    wrap_engine,
)


@dataclass
class BackwardCall:
    """One call of a custom backward."""

    node: Node  # of the graph, which is also the `ctx`
    incoming: tuple  # the very tensors that backward got
    before: tuple  # copies of them, made before backward ran
    returned: object = None  # None also while it runs, or if it raised


@dataclass
class Watch:
    """What was seen.

    Attributes:
        given: the Functions applied, each with its arguments.
        made: what they returned, each with its class.
        held: what lists, tuples and dicts among the arguments held: ids, and the type of each.
        backwards: the calls of their backwards.
        autograd: how autograd was put to work by the code that is watched: by a "backward pass",
            in "forward mode", or by "recording" in a forward or in a plain backward.
        passes: how many passes run now, the forward of the block or backwards.
        noted: what else was seen, in the words of who saw it.
        log: where the lines of the methods are logged; None for no log.
    """

    given: list[tuple[type, tuple]] = field(default_factory=list)
    made: list[tuple[type, Any]] = field(default_factory=list)
    held: list[tuple[int, str]] = field(default_factory=list)
    backwards: list[BackwardCall] = field(default_factory=list)
    autograd: set[str] = field(default_factory=set)
    passes: int = 0
    noted: set[str] = field(default_factory=set)
    log: LineLog | None = None

    def apply(self, function: type, inputs: tuple, run: Callable[[], Any]) -> Any:
        """Run the forward of a Function that is applied."""
        for value in inputs:
            if type(value) in (list, tuple, dict):
                inside = value.values() if type(value) is dict else value
                self.held += [(id(one), type(value).__name__) for one in inside]
        self.given.append((function, inputs))
        before = self._nodes_of_others()
        try:
            with self._logging("forward", function, inputs):
                result = run()
            if self.log:
                self.log.returned(result)
        finally:
            self._note_recording(before)
        self.made.append((function, result))
        return result

    def set_up(self, function: type, arguments: tuple, run: Callable[[], Any]) -> Any:
        """Run the `setup_context` of a Function."""
        with self._logging("setup_context", function, arguments):
            return run()

    def backward(self, node: Node, grads: tuple, run: Callable[[], Any]) -> Any:
        """Run the backward of a Function, and note what it gets and returns."""
        recording = torch.is_grad_enabled()
        with torch.no_grad():
            copies = tuple(g.clone() if isinstance(g, torch.Tensor) else g for g in grads)
        call = BackwardCall(node, grads, copies)
        self.backwards.append(call)
        before = self._nodes_of_others()
        kept = [*saved_tensors(node)[0], *hidden_tensors(node)] if self.log else []
        with self._logging("backward", function_of(node), grads, kept):
            call.returned = run()
        if self.log:
            self.log.returned(call.returned)
        if not recording:
            self._note_recording(before)
        return call.returned

    def _logging(self, *what: Any) -> AbstractContextManager:
        return self.log.during(*what) if self.log else nullcontext()

    def _nodes_of_others(self) -> int:
        """Count the nodes that were recorded; each Function that is applied numbers one."""
        return next_sequence_number() - len(self.given)

    def _note_recording(self, before: int) -> None:
        if self._nodes_of_others() > before:
            self.autograd.add("recording")


_watches: list[Watch] = []  # those of blocks that run now; the last one is told
_installed: list[ExitStack] = []  # not empty while anybody can be told; takes it away again


@contextmanager
def watching(
    *, forward: bool = False, watch: Watch | None = None, log: LineLog | None = None
) -> Iterator[Watch]:
    """Watch every custom Function until the block ends, by `watch` if there is one already.

    The first backward pass is that of the block itself, unless the block is a `forward`: then all
    are those of the code that is watched.
    """
    watch = watch or Watch(log=log)
    watch.passes = int(forward)
    with nullcontext() if _installed else installed():
        _watches.append(watch)
        try:
            yield watch
        finally:
            _watches.pop()


def note(word: str) -> None:
    """Tell the watch of the innermost block, if there is one, what was seen there."""
    for watch in _watches[-1:]:
        watch.noted.add(word)


@contextmanager
def installed() -> Iterator[None]:
    """Put in place what `watching` needs, for all of those in the block, which takes some time."""
    _install()
    try:
        yield
    finally:
        _installed.pop().close()


@contextmanager
def unwatched() -> Iterator[None]:
    """Take away in the block what `installed` put in place, which `torch.compile` cannot trace."""
    count = len(_installed)
    while _installed:
        _installed.pop().close()
    try:
        yield
    finally:
        for _ in range(count):
            _install()


def _install() -> None:
    enter, taken_away = forward_ad.enter_dual_level, ExitStack()

    def watched_enter():
        for watch in _watches[-1:]:
            watch.autograd.add("forward mode")
        return enter()

    taken_away.callback(wrap_engine(_watched_engine))
    taken_away.enter_context(replaced(forward_ad, enter_dual_level=watched_enter))
    told = map(_telling, ("apply", "backward", "set_up"))
    taken_away.enter_context(watched_functions(*told, lambda: _watches))
    _installed.append(taken_away)


def _telling(method: str) -> Told:
    """Return what lets the last watch run a method, or runs it without one."""

    def tell(owner: Any, arguments: tuple, run: Callable[[], Any]) -> Any:
        return getattr(_watches[-1], method)(owner, arguments, run) if _watches else run()

    return tell


def _watched_engine(engine: Callable) -> Callable:
    def run(*args, **kwargs):
        if not _watches:
            return engine(*args, **kwargs)
        watch = _watches[-1]
        if watch.passes:
            watch.autograd.add("backward pass")
        watch.passes += 1
        try:
            return engine(*args, **kwargs)
        finally:
            watch.passes -= 1

    return run
