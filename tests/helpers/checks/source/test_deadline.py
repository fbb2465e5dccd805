"""Work of our own that does not end is stopped."""

import itertools
import signal

import pytest

from helpers.checks.source.deadline import TooLongError, at_most


def test_what_takes_too_long_is_stopped():
    with pytest.raises(TooLongError, match=r"more than 0\.05 s"), at_most(0.05):
        any(number < 0 for number in itertools.count())


def test_what_ends_in_time_leaves_no_alarm():
    before = signal.getsignal(signal.SIGPROF)
    with at_most(60):
        pass
    assert signal.getitimer(signal.ITIMER_PROF) == (0.0, 0.0)
    assert signal.getsignal(signal.SIGPROF) == before
