"""Show an error that a lesson makes on purpose, and go on."""

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def show_error(*expected: type[Exception]) -> Iterator[None]:
    """Print the exception that the block raises, without its traceback.

    Args:
        expected: the exception types that may come; any `Exception` if none is named.

    Raises:
        AssertionError: the block raised nothing, so the lesson no longer tells the truth.
        Exception: whatever the block raised that was not expected.

    >>> with show_error(ZeroDivisionError):
    ...     1 / 0
    ZeroDivisionError: division by zero
    """
    kinds = expected or (Exception,)
    try:
        yield
    except kinds as error:
        message = ": ".join(filter(None, [type(error).__name__, str(error)]))
        for line in message.splitlines():
            print(_wrap(line))
    else:
        names = " or ".join(kind.__name__ for kind in kinds)
        raise AssertionError(f"this block should raise {names}, but it raised nothing")


def _wrap(line: str) -> str:
    return textwrap.fill(line, 100, subsequent_indent="  ", break_on_hyphens=False)
