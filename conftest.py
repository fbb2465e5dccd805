"""Set up nbval for the stored notebooks, and keep every test away from the user's progress."""

import os
import sys
from pathlib import Path

import pytest

SANITIZE = Path(__file__).parent / "course" / "notebooks" / "nbval_sanitize.cfg"
# What runs inside the walls calls Linux as soon as it is imported, also in search of doctests.
collect_ignore = [] if sys.platform.startswith("linux") else ["course/grading/inside"]


def pytest_configure(config: pytest.Config) -> None:
    """Set nbval up where it is asked to run; what the command line sets wins."""
    os.environ["COURSE_PROGRESS"] = "off"
    # As `course build` runs its kernels: threads of several processes wait for each other's cores.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    option = config.option
    if not (getattr(option, "nbval", False) or getattr(option, "nbval_lax", False)):
        return
    if not (option.nbval_sanitize_with or option.sanitize_with):
        option.nbval_sanitize_with = str(SANITIZE)
    if not option.nbval_kernel_name:
        # Not a kernel of the same name that the user has installed elsewhere.
        option.nbval_current_env = True
