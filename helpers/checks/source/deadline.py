"""Stop work of our own that somebody's input makes endless."""

import gc
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SOON = 0.01  # seconds


class TooLongError(Exception):
    """The time is over."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooLongError in the block once the time is over.

    It is CPU time, so that nothing else on the machine makes it short. Where there are no timers,
    on Windows and beside the main thread, the block has all the time it wants. Python only prints
    what is raised while it collects garbage or deletes an object, and goes on: hence the timer
    waits for the end of the first, and rings again after the second.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def ring(_: int, frame: FrameType | None) -> None:
        collecting = {getattr(call, "__code__", None) for call in gc.callbacks}
        while frame:
            if frame.f_code in collecting:
                signal.setitimer(signal.ITIMER_PROF, _SOON, seconds)
                return
            frame = frame.f_back
        raise TooLongError(f"it took more than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
