"""Stop work of our own that somebody's input makes endless."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class TooLongError(Exception):
    """The time is over."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooLongError in the block once the time is over; only in a main thread of Unix."""

    def ring(*_: object) -> None:
        raise TooLongError(f"it took more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
