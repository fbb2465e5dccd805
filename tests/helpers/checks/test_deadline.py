"""Work of our own that does not end is stopped."""

import gc
import itertools
import signal
import sys
import time

import pytest

from helpers.checks.deadline import TooLongError, at_most

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there are no timers here")


def test_what_takes_too_long_is_stopped():
    with pytest.raises(TooLongError, match=r"more than 0\.05 s"), at_most(0.05):
        any(number < 0 for number in itertools.count())


def test_a_piece_of_the_work_has_its_own_time():
    with at_most(60, 0.05) as begin:
        for _ in range(3):
            begin()
            before = time.process_time()
            while time.process_time() < before + 0.03:
                pass
        begin()
        with pytest.raises(TooLongError, match=r"more than 0\.05 s"):
            any(number < 0 for number in itertools.count())


def test_pieces_have_no_more_time_than_is_left_of_all():
    with pytest.raises(TooLongError, match=r"more than 0\.1 s"), at_most(0.1, 60) as begin:
        any(begin() for _ in itertools.count())


def test_no_garbage_is_collected_before_the_block_ends():
    rounds = []
    gc.callbacks.append(lambda *_: rounds.append(gc.isenabled()))
    try:
        with at_most(60):
            kept = [[] for _ in range(100_000)]
            during = list(rounds)
    finally:
        gc.callbacks.pop()
    assert (len(kept), during, gc.isenabled()) == (100_000, [], True)


def test_an_object_that_is_deleted_swallows_one_alarm_and_no_more(monkeypatch):
    class Slow:
        def __del__(self):
            any(number < 0 for number in itertools.count())

    def work():
        Slow()
        any(number < 0 for number in itertools.count())

    unraisable = []
    monkeypatch.setattr(sys, "unraisablehook", unraisable.append)
    with pytest.raises(TooLongError), at_most(0.05):
        work()
    assert [found.exc_type for found in unraisable] == [TooLongError]


def test_what_ends_in_time_leaves_no_alarm():
    before = signal.getsignal(signal.SIGPROF)
    with at_most(60):
        pass
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGPROF) == before
