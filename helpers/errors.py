"""Show an error that a lesson makes on purpose, and go on."""

import textwrap
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def show_error(expected: type[Exception] = Exception) -> Iterator[None]:
    """Print the exception that the block raises, without its traceback.

    Args:
        expected: the exception type that may come.

    Raises:
        AssertionError: the block raised nothing, so the lesson no longer tells the truth.
        Exception: whatever the block raised that was not expected.

    >>> with show_error(ZeroDivisionError):
    ...     1 / 0
    ZeroDivisionError: division by zero
    """
    try:
        yield
    except expected as error:
        message = f"{type(error).__name__}: {error}".removesuffix(": ")
        for line in message.splitlines():
            print(textwrap.fill(line, 100, subsequent_indent="  ", break_on_hyphens=False))
    else:
        raise AssertionError(f"this block should raise {expected.__name__}, but it raised nothing")
