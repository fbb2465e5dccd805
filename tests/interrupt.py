"""Programs that heed Ctrl-C, whatever started the tests.

A shell lets a job in the background ignore SIGINT (`make test &` in a script, `trap '' INT`), and
what that job starts inherits it: Python then raises no KeyboardInterrupt.
"""

import subprocess
import sys
from typing import Any

# The program takes this one's place, so that it has the process that the test knows.
_AS_IN_A_TERMINAL = """\
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""


def start_interruptible(command: list[str], **options: Any) -> subprocess.Popen:
    """Start a program as a terminal would, so that SIGINT reaches it."""
    return subprocess.Popen([sys.executable, "-c", _AS_IN_A_TERMINAL, *command], **options)
