"""Go on as another program."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping

_CAN_REPLACE = os.name != "nt"


def hand_over(command: list[str], environ: Mapping[str, str]) -> int:
    """Run `command` in place of this process; on Windows, below it, and return its status."""
    if _CAN_REPLACE:
        os.execve(command[0], command, dict(environ))
    with subprocess.Popen(command, env=dict(environ)) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:  # the program got it as well, and decides what to do
                continue
