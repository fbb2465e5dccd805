"""Stop work of our own that somebody's input makes endless."""

import gc
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class TooLongError(BaseException):
    """The time is over. It is no Exception: what measures an answer notes those, and goes on."""


@contextmanager
def at_most(seconds: float, each: float | None = None) -> Iterator[Callable[[], None]]:
    """Raise TooLongError in the block once the time is over.

    The block is given a function that says: a piece of the work begins. From then on it has
    `each` seconds, and no more than is left of all.

    It is CPU time, so that nothing else on the machine makes it short. Where there are no timers,
    on Windows and beside the main thread, the block has all the time it wants.

    Python swallows what is raised while it collects garbage or deletes an object. Hence garbage
    waits until the block has ended, and the alarm rings again.
    """
    if (
        not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield lambda: None
        return

    end, each = time.process_time() + seconds, each or seconds
    told = seconds

    def begin() -> None:
        nonlocal told
        left = end - time.process_time()
        told = each if each < left else seconds
        if left <= 0:
            ring()
        signal.setitimer(signal.ITIMER_PROF, min(each, left), each)

    def ring(*_: object) -> None:
        raise TooLongError(f"it took more than {told:g} s")

    collects = gc.isenabled()
    before = signal.signal(signal.SIGPROF, ring)
    gc.disable()
    begin()
    try:
        yield begin
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        if collects:
            gc.enable()
