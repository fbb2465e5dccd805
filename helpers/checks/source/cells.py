"""Find the cells that an answer was written in, from the objects that it made."""

import inspect
import linecache
from collections.abc import Iterable, Iterator
from types import CodeType
from typing import Any


def sources_of(answers: Iterable[Any]) -> list[str]:
    """Return the code of each cell that defines one of these classes or functions."""
    files = dict.fromkeys(code.co_filename for answer in answers for code in _codes(answer))
    return ["".join(linecache.getlines(name)) for name in files]


def _codes(answer: Any) -> Iterator[CodeType]:
    if isinstance(owner := getattr(answer, "__self__", None), type):
        answer = owner  # the class of `Square.apply`
    members = vars(answer).values() if isinstance(answer, type) else [answer]
    for member in members:
        written = getattr(member, "__func__", member)
        if callable(written):  # below the decorators of others, such as `custom_fwd`
            written = inspect.unwrap(written)
        code = getattr(written, "__code__", None)
        if isinstance(code, CodeType):
            yield code
