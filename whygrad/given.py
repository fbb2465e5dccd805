"""Turn what `diagnose` was given into one row of tensors and plain values, and calls of these."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import torch
from torch.nn import Module

from whygrad.arguments import callable_of, constants, input_names
from whygrad.measure.run_once import Holding
from whygrad.modules import parameters, with_parameters


@dataclass(frozen=True)
class Given:
    """The arguments of a callable, and the parameters of a module, one after the other.

    Attributes:
        arguments: as they were given.
        values: the tensors and plain values in them, then the module's parameters.
        names: of these.
        constant: the places of those that no gradient is asked for.
        module: whose parameters stand behind the arguments, or None.
        outputs: the places of the outputs to look at, of how many; None for all.
        projections: by place, what keeps a matrix symmetric or the like.
    """

    arguments: tuple
    values: tuple
    names: list[str]
    constant: frozenset[int]
    module: Module | None = None
    outputs: tuple[list[int], int] | None = None
    projections: Mapping[int, Callable[[torch.Tensor], torch.Tensor]] = field(default_factory=dict)

    def bind(self, fn: Any) -> Holding:
        """Return a callable of the row of values that calls `fn` as it is meant to be called."""
        call = callable_of(fn)

        def run(*values: Any) -> Any:
            rest = iter(map(self._projected, range(len(values)), values))
            arguments = [_closed(one, rest) for one in self.arguments]
            if self.module is None:
                return self._chosen(call(*arguments))
            return self._chosen(with_parameters(call, arguments, self.module, list(rest)))

        return Holding(run, self.constant)

    def of_outputs(self, names: list[str]) -> list[str]:
        """Return, of names for all outputs, those of the outputs that are looked at."""
        places, count = self.outputs or ([], -1)
        return [names[place] for place in places] if len(names) == count else names

    def judging(self, outputs: tuple[list[int], int] | None) -> "Given":
        """Return the same, of which these outputs are looked at."""
        return replace(self, outputs=outputs)

    def holding(self, constant: frozenset[int]) -> "Given":
        """Return the same, with further constants."""
        return replace(self, constant=self.constant | constant)

    def projecting(self, projections: Mapping[int, Callable[..., torch.Tensor]]) -> "Given":
        """Return the same, of which some matrices are always changed as a whole."""
        return replace(self, projections=projections)

    def _projected(self, place: int, value: Any) -> Any:
        project = self.projections.get(place)
        return project(value) if project and isinstance(value, torch.Tensor) else value

    def _chosen(self, result: Any) -> Any:
        places, count = self.outputs or ([], -1)
        if not isinstance(result, tuple | list) or len(result) != count:
            return result
        return tuple(result[place] for place in places)


def read_given(
    fn: Any, inputs: tuple, reference: Any, constant: Sequence[int | str] | int | str
) -> Given:
    """Read the arguments; a list, tuple or dict that holds tensors is opened.

    Raises:
        ValueError: `constant` names no input, or all of them.
    """
    given = input_names(fn, reference, len(inputs))
    opened = [list(_open(*pair)) for pair in zip(inputs, given, strict=True)]
    names = [name for one in opened for name, _ in one]
    values = [value for one in opened for _, value in one]
    module = fn if isinstance(fn, Module) else None
    own = list(parameters(module)) if module is not None else []
    inside = {name: [one for one, _ in part] for name, part in zip(given, opened, strict=True)}
    named = [constant] if isinstance(constant, int | str) else list(constant)
    spread = [one for name in named for one in _inside(name, given, inside)]
    every = (*values, *(parameter for _, parameter in own))
    names += [f"module.{name}" if name in names else name for name, _ in own]
    held = constants(every, names, spread, len(values))
    row = tuple(v.detach() if isinstance(v, torch.Tensor) else v for v in every)
    return Given(inputs, row, names, held, module)


def _inside(name: int | str, given: list[str], inside: dict[str, list[str]]) -> list[int | str]:
    """Return the names of what an argument holds, where it is one."""
    if isinstance(name, int) and 0 <= name < len(given):
        name = given[name]
    return list(inside.get(name, [name]))


def _is_opened(value: Any) -> bool:
    """Tell whether an argument is a list, tuple or dict with a tensor in it, or a sparse leaf."""
    if _is_sparse_leaf(value):
        return True
    if type(value) not in (list, tuple, dict):
        return False
    items = value.values() if isinstance(value, dict) else value
    return any(isinstance(item, torch.Tensor) or _is_opened(item) for item in items)


def _is_sparse_leaf(value: Any) -> bool:
    """Tell whether an argument is a sparse tensor whose gradient is asked for.

    One that requires none is a constant, also beside dense tensors that require none.
    """
    if not isinstance(value, torch.Tensor) or not value.requires_grad:
        return False
    return value.layout == torch.sparse_coo


def _open(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if not _is_opened(value):
        yield name, value
        return
    if _is_sparse_leaf(value):
        # Its numbers are what can be moved; where they stand stays.
        yield f"{name}.values()", value.detach().coalesce().values().requires_grad_()
        return
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _open(item, f"{name}[{key!r}]")


def _closed(template: Any, rest: Iterator) -> Any:
    """Put the next values back into a list, tuple or dict, as they were taken out of it."""
    if not _is_opened(template):
        value = next(rest)
        # Each call draws the same numbers, as it does from the global generators.
        return _again(value) if isinstance(value, torch.Generator) else value
    if _is_sparse_leaf(template):
        return _sparse(template, next(rest))
    if isinstance(template, dict):
        return {key: _closed(item, rest) for key, item in template.items()}
    return type(template)(_closed(item, rest) for item in template)


def _sparse(like: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    places = like.detach().coalesce().indices()
    return torch.sparse_coo_tensor(
        places, values, like.shape, is_coalesced=True, check_invariants=True
    )


def _again(generator: torch.Generator) -> torch.Generator:
    copy = torch.Generator(generator.device)
    copy.set_state(generator.get_state())
    return copy
