"""Where the tests run in the background, interrupts still reach what a test starts."""

import signal
import subprocess
import sys

from tests.interrupt import start_interruptible


def test_a_program_heeds_an_interrupt_although_its_parent_ignores_them():
    code = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        heard = start_interruptible([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert heard.communicate(timeout=60)[0] == "True\n"
    finally:
        signal.signal(signal.SIGINT, before)
