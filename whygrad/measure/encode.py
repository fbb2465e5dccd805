"""Write tensors and exceptions as evidence that two right answers share."""

import linecache
import math
import re
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from typing import Any

import torch
from torch.autograd import Function

from whygrad.evidence import Raised, Value, Values
from whygrad.lines.source import file_name, is_the_authors, is_theirs, uncalled
from whygrad.measure.reals import dtype_of, is_number, reals, shape_of
from whygrad.torch_private import function_behind, function_of

_DIGITS, _FEW_DIGITS = 7, 4  # after the first of the largest number; fewer below float64
_most: ContextVar[int | None] = ContextVar("most", default=None)  # numbers that are written
_BRIEF, _FIRST = 512, 8
_LONGEST, _LONGEST_LINE = 300, 1000


@contextmanager
def brief() -> Iterator[None]:
    """Write only the first numbers of large tensors in the block."""
    before = _most.set(_BRIEF)
    try:
        yield
    finally:
        _most.reset(before)


def encode(value: Any) -> Value | None:
    """Return a tensor (or number, or None) as evidence, rounded so that noise does not show."""
    if value is None:
        return None
    if not isinstance(value, torch.Tensor):
        return Value(type=type(value).__name__)
    plain = value.detach().clone()  # autograd's own zeros have no memory; a copy has
    flat, left_out = reals(plain.dequantize() if plain.is_quantized else plain), 0
    if (most := _most.get()) is not None and len(flat) > most:
        flat, left_out = flat[:_FIRST], len(flat) - _FIRST
    flat = flat.tolist()
    few = value.dtype not in (torch.float64, torch.complex128) and is_number(plain)
    data = " ".join(map(repr, _rounded(flat, _FEW_DIGITS if few else _DIGITS)))
    return Value(shape_of(value), dtype_of(value), data, left_out)


def encode_all(values: Iterable[Any] | None) -> Values | None:
    """Return several of them as evidence; None stays None."""
    return None if values is None else [encode(value) for value in values]


def rounded(number: float) -> float:
    """Return a single number, rounded as `encode` does."""
    return _rounded([number])[0]


def _rounded(numbers: list[float], after_first: int = _DIGITS) -> list[float]:
    finite = [abs(number) for number in numbers if math.isfinite(number)]
    largest = max(finite, default=0.0)
    places = after_first - (math.floor(math.log10(largest)) if largest > 0 else 0)
    # Adding 0 turns -0 into 0.
    return [round(number, places) + 0.0 if math.isfinite(number) else number for number in numbers]


def encode_raised(error: BaseException, phase: str) -> Raised:
    """Return an exception as evidence, with the author's own line."""
    frames = traceback.extract_tb(error.__traceback__)
    files = [frame.filename for frame in frames]
    # What somebody else's library raised, the author's line has called.
    counts = is_the_authors if any(map(is_the_authors, files)) else is_theirs
    while files and not counts(files[-1]):
        files.pop()
    last = frames[len(files) - 1] if files else traceback.FrameSummary("", 0, "")
    codes = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
    names = ["", *(_method(code.co_qualname) for code in codes[: len(files)])]
    message = str(error).strip()
    return Raised(
        type=type(error).__name__,
        message=message if len(message) <= _LONGEST else message[:_LONGEST] + " …",
        phase=phase,
        line=(last.line or "").strip()[:_LONGEST_LINE],
        number=last.lineno or 0,
        file=file_name(last.filename),
        method=names[-1],
        caller=names[-2] if len(files) > 1 and counts(files[-2]) else "",
        setup=_setup(error),
        uncalled=uncalled(codes[len(files) - 1]) if files else "",
    )


def _setup(error: BaseException) -> str:
    """Return what the Function that raised calls its `setup_context`, misspelt or not.

    "new style" if it has none and a rule for `torch.vmap`, which only the new style can have; "" if
    it has neither.
    """
    for frame, number in reversed([*traceback.walk_tb(error.__traceback__)]):
        known = frame.f_globals | frame.f_locals
        # The `.apply` of some versions has no frame: then it is read off the line that calls it.
        words = re.findall(r"\w+", linecache.getline(frame.f_code.co_filename, number or 0))
        of_ctx = function_of(type(known.get("ctx")))
        for given in (*map(known.get, words), of_ctx, known.get("cls")):
            if kind := function_behind(given):
                if kind.setup_context is not Function.setup_context:
                    return "setup_context"
                ruled = kind.generate_vmap_rule or kind.vmap is not Function.vmap
                return misspelt(kind, "setup_context", 0.75) or ("new style" if ruled else "")
    return ""


def misspelt(kind: type[Function], name: str, close: float) -> str:
    """Return a name that a Function has of its own and that is like one of PyTorch's, or ""."""
    own = {*dir(kind)} - {*dir(Function)}
    return next(iter(get_close_matches(name, own, 1, close)), "")


def _method(name: str) -> str:
    """Return a function's name with its class's, without those that it stands in."""
    name = name.rpartition("<locals>.")[2]
    return "" if "<" in name else name
