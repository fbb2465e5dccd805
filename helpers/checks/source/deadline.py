"""Stop work of our own that somebody's input makes endless."""

import gc
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class TooLongError(BaseException):
    """The time is over. It is no Exception: what measures an answer notes those, and goes on."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise TooLongError in the block once the time is over.

    It is CPU time, so that nothing else on the machine makes it short. Where there are no timers,
    on Windows and beside the main thread, the block has all the time it wants.

    Python swallows what is raised while it collects garbage or deletes an object. Hence garbage
    waits until the block has ended, and the alarm rings again.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return

    def ring(*_: object) -> None:
        raise TooLongError(f"it took more than {seconds:g} s")

    collects = gc.isenabled()
    before = signal.signal(signal.SIGPROF, ring)
    gc.disable()
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        if collects:
            gc.enable()
