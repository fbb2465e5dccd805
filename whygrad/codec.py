"""Write dataclasses as JSON data, and read them again: types are checked here, and nowhere else.

The data may come from a process that ran somebody's code. Reading it runs none of it, takes time
in proportion to its size, and goes no deeper than evidence does.
"""

from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache
from inspect import get_annotations
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

Kind = TypeVar("Kind")
VERSION = 2  # of the format
_DEEPEST = 24  # fields in lists in fields
_LONGEST = 2000  # characters of a text


class EvidenceError(ValueError):
    """Data that is no evidence, or not of this format."""


def record(kind: type[Kind]) -> type[Kind]:
    """Make a dataclass whose fields are empty by default, for what is measured piece by piece.

    A field that may be None is None then, and any other one an empty list, a text, False or 0.

    >>> @record
    ... class Kept:
    ...     count: int
    ...     names: list[str]
    ...     most: int | None
    >>> Kept(names=["x"])
    Kept(count=0, names=['x'], most=None)
    """
    for name, hint in get_annotations(kind).items():
        inside = get_args(hint)
        empty = inside[0] if get_origin(hint) is Annotated else get_origin(hint) or hint
        may_be_none = hint is Any or NoneType in inside
        default = None if may_be_none else field(default_factory=empty)
        setattr(kind, name, getattr(kind, name, default))
    return dataclass(kind)


def encoded(evidence: Any) -> dict[str, Any]:
    """Return evidence as JSON data, with the version of the format."""
    return {"version": VERSION, **to_json(evidence)}


def decoded(kind: type[Kind], data: Any) -> Kind:
    """Return what `encoded` made data of.

    Raises:
        EvidenceError: the data does not fit, or is of another version.
    """
    if not isinstance(data, dict) or data.get("version") != VERSION:
        raise EvidenceError(f"it is no evidence of version {VERSION}")
    return from_json(kind, {key: one for key, one in data.items() if key != "version"})


def to_json(value: Any) -> Any:
    """Return a dataclass, and what it holds, as JSON data; default fields are left out.

    >>> from whygrad.evidence import Value
    >>> to_json([Value([2], "float64", "1.0 2.0"), None])
    [{'shape': [2], 'dtype': 'float64', 'data': '1.0 2.0'}, None]
    """
    if is_dataclass(value):
        held = ((each, getattr(value, each.name)) for each in fields(value))
        return {each.name: to_json(one) for each, one in held if one != _default(each)}
    if isinstance(value, list | tuple):
        return [to_json(one) for one in value]
    if isinstance(value, dict):
        return {key: to_json(one) for key, one in value.items()}
    return value


def _default(each: Field) -> Any:
    made = each.default_factory
    return each.default if made is MISSING else made()


def from_json(kind: type[Kind], data: Any) -> Kind:
    """Return what `to_json` made data of.

    Args:
        kind: a dataclass. Its annotations say what fits: other dataclasses, lists and tuples of one
            kind, dicts, plain types, `Any`, and unions of one of these with None or plain types.
            The last argument of an `Annotated` reads the data itself.
        data: as it came.

    Raises:
        EvidenceError: the data does not fit.
    """
    return _read(kind, data, "the evidence", _DEEPEST)


def _read(kind: Any, data: Any, name: str, depth: int) -> Any:
    if depth == 0:
        raise EvidenceError(f"{name} is too deep")
    origin, inside = get_origin(kind), get_args(kind)
    if kind is Any or (data is None and NoneType in inside):
        return data
    if origin is Annotated:
        return inside[-1](data)
    if origin in (Union, UnionType):
        fitting = type(data) if type(data) in inside else inside[0]
        return _read(fitting, data, name, depth)
    if is_dataclass(kind):
        return _read_fields(kind, data, name, depth)
    made = origin or kind
    plain = dict if isinstance(data, dict) else type(data)  # a notebook's dict, too
    if plain is not (list if made is tuple else made):  # a bool is no int
        raise EvidenceError(f"{name} is no {kind}")
    if made is dict:
        return {key: _read(inside[1], one, name, depth - 1) for key, one in data.items()}
    if made in (list, tuple):
        return made(_read(inside[0], one, name, depth - 1) for one in data)
    if kind is str and len(data) > _LONGEST:
        raise EvidenceError(f"{name} is too long")
    return data


def _read_fields(kind: Any, data: Any, name: str, depth: int) -> Any:
    known = _annotations(kind)
    if not isinstance(data, dict) or not data.keys() <= known.keys():
        raise EvidenceError(f"{name} is no {kind.__name__}")
    read = {key: _read(known[key], one, key, depth - 1) for key, one in data.items()}
    try:
        return kind(**read)
    except TypeError:
        raise EvidenceError(f"{name} lacks a part") from None


@cache
def _annotations(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {each.name: hints[each.name] for each in fields(kind)}
