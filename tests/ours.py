"""The lessons and exercises that the house rules are for; what others add has a form of its own."""

from collections.abc import Iterable
from pathlib import Path

from helpers.checks.tasks import load, numbers

NAMES = (
    "00_autograd",
    "01_linear_function",
    "02_my_relu",
    "03_function_to_module",
    "04_gradcheck",
    "05_square",
    "06_exp",
    "07_sinh",
    "08_cube",
    "09_ctx",
    "10_bending_gradients",
    "11_torch_func",
    "12_memory_and_speed",
    "13_training_run",
    "14_compiler",
    "15_capstone",
    "21_review_first_order",
    "22_review_double_backward",
    "23_review_beyond",
)
NUMBERS = [number for number in numbers() if number in {int(name[:2]) for name in NAMES}]
TASKS = [task for number in NUMBERS for task in load(number)]


def ours(paths: Iterable[Path]) -> list[Path]:
    """Return those of lessons, exercises or notebooks that are the course's own."""
    return [path for path in paths if path.name.partition(".")[0] in NAMES]
