"""A kernel is interrupted by us alone, whatever this process does with interrupts."""

import signal

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
