"""Time `whygrad.diagnose` beside PyTorch's gradcheck and gradgradcheck."""

import statistics
from collections.abc import Callable, Iterator
from functools import partial

import torch
from table import Row, alternate, some
from ten_functions import FUNCTIONS, Square
from ten_wrong_functions import WRONG_FUNCTIONS
from torch.autograd import gradcheck, gradgradcheck

from whygrad import diagnose

RUNS = 5
MOST_AT_SECOND_ORDER = 6
MOST_IF_WRONG = 20
LARGE = 100_000
MOST_CALLS = 100


def diagnosing() -> Iterator[Row]:
    """Time ten right Functions and ten wrong ones on a dozen numbers, and one on 100,000."""
    for order, theirs, most in (
        (1, "gradcheck", None),
        (2, "gradcheck and gradgradcheck", MOST_AT_SECOND_ORDER),
    ):
        rows = [_row(function, inputs, order) for function, inputs in some(FUNCTIONS)]
        yield from rows
        yield _median(f"diagnose, order {order}, over {theirs}", rows, most)
    rows = [_row(*case, is_wrong=True) for case in some(WRONG_FUNCTIONS)]
    yield from rows
    yield _median("diagnose, wrong, over gradcheck (and gradgradcheck)", rows, MOST_IF_WRONG)
    yield from _large()


def _median(what: str, rows: list[Row], most: float | None) -> Row:
    return Row(f"{what}: median", "–", "–", statistics.median(row.ratio for row in rows), most)


def _row(
    function: type, inputs: tuple[torch.Tensor, ...], order: int, *, is_wrong: bool = False
) -> Row:
    leaves = [value.clone().requires_grad_() for value in inputs]

    def check() -> None:
        gradcheck(function.apply, leaves, raise_exception=False)
        if order == 2:
            gradgradcheck(function.apply, leaves, raise_exception=False)

    what = f"diagnose {function.__name__}{', wrong' if is_wrong else ''}, order {order}"
    return _timed(what, partial(_diagnose, function, inputs, order, is_wrong), check)


def _large() -> Iterator[Row]:
    """An input whose Jacobian nobody can hold: the slow mode of gradcheck would fill 80 GB."""
    x = torch.randn(LARGE, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    leaf = x.clone().requires_grad_()
    check = partial(gradcheck, Square.apply, (leaf,), fast_mode=True)
    what = f"diagnose Square on {LARGE:,} numbers, over gradcheck's fast mode"
    yield _timed(what, partial(_diagnose, Square, (x,), 1), check)
    ours, theirs = _calls(partial(_diagnose, Square, (x,), 1)), _calls(check)
    what = f"its calls of Square, over the {MOST_CALLS} that are allowed"
    yield Row(what, str(ours), str(theirs), ours / MOST_CALLS, 1)


def _diagnose(
    function: type, inputs: tuple[torch.Tensor, ...], order: int, is_wrong: bool = False
) -> None:
    found = diagnose(function, *inputs, order=order)
    if found.ok is is_wrong:
        raise RuntimeError(f"{function.__name__} is misjudged: {found.message}")


def _timed(what: str, ours: Callable[[], object], theirs: Callable[[], object]) -> Row:
    times, (ratio, _) = alternate(ours, theirs, runs=RUNS)
    mine, checked = (f"{each * 1e3:.1f} ms" for each in times)
    return Row(what, mine, checked, ratio)


def _calls(action: Callable[[], object]) -> int:
    """Count the calls of Square's forward."""
    calls, forward = [], Square.forward

    def counted(ctx, x):
        calls.append(1)
        return forward(ctx, x)

    Square.forward = staticmethod(counted)
    try:
        action()
    finally:
        Square.forward = staticmethod(forward)
    return len(calls)
