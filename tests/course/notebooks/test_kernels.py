"""A kernel is interrupted by us alone, and ends with all that it started."""

import os
import select
import signal

import pytest

from course.notebooks.kernels import kernel_process
from course.notebooks.nbval_run import run_cells
from course.notebooks.student_notebook import Cell


def test_a_kernel_heeds_an_interrupt_although_its_parent_ignores_them(tmp_path):
    outcomes = []
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with kernel_process(tmp_path) as kernel:
            cells = [Cell("endless", "while True:\n    pass"), Cell("next", "1 / 0")]
            run_cells(cells, kernel, 0.5, outcomes.append)
    finally:
        signal.signal(signal.SIGINT, before)
    assert [outcome.trouble for outcome in outcomes] == ["slow", ""]
    assert outcomes[1].error == "ZeroDivisionError: division by zero"


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="watches processes as Linux does")
def test_what_a_cell_started_ends_with_the_kernel(tmp_path):
    poll = select.poll()

    def watch(_):
        poll.register(os.pidfd_open(int((tmp_path / "pid").read_text())))

    code = "import subprocess as s; _ = open('pid', 'w').write(str(s.Popen(['sleep', '60']).pid))"
    with kernel_process(tmp_path) as kernel:
        run_cells([Cell("start", code)], kernel, 60.0, watch)
    ((handle, _),) = poll.poll(20_000)
    os.close(handle)
