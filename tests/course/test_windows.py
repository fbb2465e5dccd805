"""The commands without what Windows lacks. It is played here: no test of ours runs on Windows."""

import json
import os
import subprocess
import sys

import pytest

from course.checkout import PACKAGE_ROOT as ROOT
from course.cli import COMMANDS

# What Python has on Linux and not on Windows, as far as PyTorch and Jupyter do without it here.
PLAYED = """
import json, os, signal, sys
for name in ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"):
    sys.modules[name] = None
for name in ("chown", "fork", "forkpty", "geteuid", "getloadavg", "killpg", "sched_getaffinity",
             "setsid", "sysconf"):
    delattr(os, name)
for name in ("ITIMER_PROF", "SIGALRM", "SIGHUP", "SIGPROF", "SIGUSR1", "setitimer"):
    delattr(signal, name)
from course import grade, hand_over
from course.cli import main
from course.notebooks import kernels
hand_over._CAN_REPLACE = kernels._GROUPS = False
grade._ON_WINDOWS = True
statuses = []
for words in json.loads(sys.argv[1]):
    try:
        statuses.append(main(words))
    except SystemExit as stop:
        statuses.append(stop.code)
print(json.dumps(statuses))
"""


@pytest.mark.slow
def test_every_command_does_its_work_or_says_a_sentence(tmp_path):
    doing = [["doctor"], ["check", "05"], ["lab", "--version"], ["setup"]]
    refusing = ["grade", str(tmp_path), "-o", str(tmp_path / "report"), "--no-sandbox"]
    helping = [[name, "--help"] for name in sorted(COMMANDS.keys() - {"lab"})]
    calls = [*helping, *doing, refusing]
    result = subprocess.run(
        [sys.executable, "-c", PLAYED, json.dumps(calls)],
        cwd=ROOT,
        # The encoding of a pipe in Western Europe; an unknown build ends the set-up at once.
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "TORCH": "nonsense"},
        capture_output=True,
        encoding="cp1252",
    )
    assert "Traceback" not in result.stderr
    statuses = dict(zip(map(tuple, calls), json.loads(result.stdout.splitlines()[-1]), strict=True))
    expected = {tuple(call): 0 for call in calls}
    # An exercise that nobody has answered passes no check.
    expected |= {("check", "05"): 1, ("setup",): 1, tuple(refusing): 2}
    assert statuses == expected, result.stdout + result.stderr
    assert r"\N{CHECK MARK} torch" in result.stdout
    assert "run it in WSL" in result.stderr
