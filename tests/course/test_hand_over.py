"""Another program in place of this one, or below it where the system cannot."""

import os
import subprocess
import sys

import pytest

from course import hand_over

SAYS = [sys.executable, "-c", "import os, sys; print(os.getpid()); sys.exit(7)"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no exec that replaces a process")
def test_it_takes_the_place_of_this_process():
    code = (
        f"import os; from course.hand_over import hand_over; print(os.getpid(), flush=True); "
        f"hand_over({SAYS!r}, os.environ)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    before, after = result.stdout.split()
    assert before == after
    assert result.returncode == 7


def test_below_this_process_its_status_is_handed_back_and_ctrl_c_is_its_own(monkeypatch, capfd):
    wait = subprocess.Popen.wait
    pressed = iter([True])

    def interrupted(process, *arguments, **more):
        if next(pressed, False):
            raise KeyboardInterrupt
        return wait(process, *arguments, **more)

    monkeypatch.setattr(hand_over, "_CAN_REPLACE", False)
    monkeypatch.setattr(hand_over.subprocess.Popen, "wait", interrupted)
    assert hand_over.hand_over(SAYS, os.environ) == 7
    assert int(capfd.readouterr().out) != os.getpid()
