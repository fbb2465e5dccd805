"""Find second derivatives that stand in the place of another one."""

from collections.abc import Iterator

from whygrad.judge.arrays import close
from whygrad.judge.inquiry import Inquiry
from whygrad.judge.second_order_blocks import Block
from whygrad.judge.second_order_case import SecondCase
from whygrad.verdict import Finding

SWAPPED, WRONG = "second-order-swapped", "second-order-wrong"


def swapped(inquiry: Inquiry, case: SecondCase) -> Iterator[Finding]:
    """Find two that are right in each other's place."""
    one = case.block
    for other in case.row:
        if other.column != one.column and _is_of(one, other) and _is_of(other, one):
            yield Finding(
                SWAPPED,
                f"{one.name} by {one.target} and by {other.target}",
                "",
                f"`{case.function}.backward` returns its gradients in another order than "
                f"`{case.function}.forward` takes its arguments.",
            )
            return


def _is_of(one: Block, other: Block) -> bool:
    """Tell whether a derivative is the right one by another target."""
    known = one.yours is not None and other.due is not None
    return known and close(one.yours.values, other.due.values, one.relative)


def misplaced(inquiry: Inquiry, case: SecondCase) -> Iterator[Finding]:
    """Find one that is right in another place, while what stands there is wrong as well."""
    one = case.block
    for other in case.row:
        wrong = one.kind == other.kind == "wrong"
        if wrong and other.column != one.column and _is_of(one, other):
            why = (
                f"What `{case.function}.backward` returns for {one.target} belongs to "
                f"{other.target}: gradients are returned in the order of the arguments of "
                f"`{case.function}.forward`."
            )
            look = (
                "Put the arguments of that forward, without `ctx`, beside what its backward "
                f"returns. {_after_it(case, other)}"
            )
            detail = f"It is the right one by {other.target}: it stands in the wrong place."
            yield Finding(WRONG, one.about, detail, why, look)


def _after_it(case: SecondCase, other: Block) -> str:
    """Say what is wrong besides the order, if it is known."""
    name, here, _ = case.incoming[0]
    words, due = f"Then look at the one by {case.block.target}", case.block.due
    fits = other.yours and due and other.yours.shape == due.shape == here.shape
    if fits and close(other.yours.values * here, due.values, other.relative):
        return f"{words}: it lacks the factor {name}."
    return f"{words}, too."
