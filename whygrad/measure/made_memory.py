"""Follow the memory that operations make: what of it is alive, and how much was at most."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from whygrad.evidence.trial import HeldElsewhere
from whygrad.graph.nodes import hidden_tensors, saved_tensors
from whygrad.measure.marks import Marks
from whygrad.measure.reals import memory_of
from whygrad.measure.run_facts import custom, nodes
from whygrad.measure.run_once import Call, forward, items
from whygrad.torch_private import noting_operations, view_base


@dataclass
class MadeMemory:
    """Pieces of memory, each known by a reference that does not hold it.

    Attributes:
        most: the most bytes that were alive at once, after any operation.
    """

    most: int = 0
    _pieces: dict[int, tuple[StorageWeakRef, int, torch.Size]] = field(default_factory=dict)

    def follow(self, values: Iterable[Any]) -> None:
        """Follow from now on what is behind the tensors among some values."""
        for value in values:
            if isinstance(value, torch.Tensor) and value.layout == torch.strided and value.numel():
                storage = value.untyped_storage()
                piece = (StorageWeakRef(storage), storage.nbytes(), value.shape)
                self._pieces[storage.data_ptr()] = piece

    def alive(self) -> dict[int, tuple[int, torch.Size]]:
        """Return what is held by anybody now: its place, its bytes, and a shape that it had."""
        self._pieces = {place: p for place, p in self._pieces.items() if not p[0].expired()}
        return {place: (size, shape) for place, (_, size, shape) in self._pieces.items()}

    def _note(self, name: str, args: tuple, kwargs: dict, result: Any) -> None:
        given = _places((*args, *kwargs.values()))
        self.follow(value for value in items(result) if _places([value]) - given)
        self.most = max(self.most, sum(size for size, _ in self.alive().values()))


@contextmanager
def following() -> Iterator[MadeMemory]:
    """Follow the memory that operations in a block make; what a view shares is not new."""
    made = MadeMemory()
    with noting_operations(made._note):
        yield made


def peak_bytes(fn: Callable[[], Any]) -> int:
    """Return the most bytes that the operations in `fn()` had made and that were alive at once.

    It is counted after each operation: what one of them needs inside, and frees, is not seen.
    """
    with following() as made:
        fn()
    return made.most


def held_elsewhere(call: Call, inputs: tuple) -> HeldElsewhere | None:
    """Say what a forward leaves alive beside its graph: in a list of the module, for instance.

    Attributes of `ctx` are left out. A saved view of an output holds the output, and that its node.
    None where there is nothing, or where forward raised.
    """
    with following() as made:
        run = forward(call, inputs)
    if not run.outputs:
        return None
    run.made.clear()  # the watch itself holds what a Function gave and got inside of forward
    run.watch.given.clear()
    run.marks = Marks()
    behind = custom(nodes(run.outputs))
    on_ctx = _places(tensor for node in behind for _, tensor in hidden_tensors(node))
    saved = [tensor for node in behind for _, tensor in saved_tensors(node)[0]]
    known = _places((*run.inputs, *run.before, *run.outputs, *saved)) | on_ctx
    views = _places(tensor for tensor in saved if view_base(tensor) is not None)
    views &= _places(run.outputs)
    if made.alive().keys() - known:
        gc.collect()
    hidden = [piece for place, piece in made.alive().items() if place not in known]
    made.follow(run.inputs)
    if views:  # what the graph reaches goes with them
        views |= _places((*run.inputs, *saved))
    del run, behind, saved
    if made.alive().keys() - on_ctx:
        gc.collect()
    left = {place: piece for place, piece in made.alive().items() if place not in on_ctx}
    pieces = hidden or [*left.values()]
    is_view = bool(left) and not hidden and left.keys() <= views
    size = sum(size for size, _ in pieces)
    return HeldElsewhere(size, [*pieces[0][1]], bool(left), is_view) if size else None


def _places(values: Iterable[Any]) -> set[int]:
    return {memory_of(value) for value in values if isinstance(value, torch.Tensor)}
