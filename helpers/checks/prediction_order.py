"""Tell whether the numbers of a prediction are the right ones, and stand in other places."""

from itertools import permutations
from typing import Any

from helpers.checks.prediction_form import listed
from helpers.checks.values import equal

_MOST = 4  # places; more are not tried


def in_another_order(mine: Any, due: Any) -> bool:
    """Tell whether a list holds the numbers of another one, all different, in another order."""
    if not (_numbers(mine) and _numbers(due)) or len(mine) != len(due) or len(due) < 2:
        return False
    different = all(not equal(a, b) for p, a in enumerate(due) for b in due[:p])
    return different and not equal(mine, due) and equal(sorted(mine), sorted(due))


def places_changed(mine: list, due: list, parts: list[str]) -> tuple[str, int]:
    """Say which places of lists of numbers have changed, if they have in all that are wrong.

    Returns:
        The words, "" if nothing of the kind fits; and in how many of the lists.
    """
    wrong = [pair for pair in zip(mine, due, strict=True) if not equal(*pair)]
    count = len(parts)
    fits = all(_numbers(a) and _numbers(b) and len(a) == len(b) == count for a, b in wrong)
    if not wrong or not fits or not 2 <= count <= _MOST:
        return "", 0
    for order in [*permutations(range(count))][1:]:
        if all(equal(one, [other[place] for place in order]) for one, other in wrong):
            return f"{_moved(parts, order)} The order is: {', '.join(parts)}.", len(wrong)
    return "", 0


def _moved(parts: list[str], order: tuple[int, ...]) -> str:
    moved = [part for place, part in enumerate(parts) if order[place] != place]
    if len(moved) > 2:
        return "These are the right numbers, in another order."
    names = (part if part.startswith("for ") else f"for “{part}”" for part in moved)
    return f"The numbers {' and '.join(names)} have changed places."


def said_of_order(items: list[str]) -> str:
    """Say that numbers are right and stand in another order than that of the items."""
    order = f" The order is: {listed(items)}." if items else ""
    return f"These are the right numbers, in another order.{order}"


def _numbers(values: Any) -> bool:
    return isinstance(values, list) and all(
        isinstance(one, int | float) and not isinstance(one, bool) for one in values
    )
