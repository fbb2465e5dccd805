"""Explain a wrong second derivative that a second Function worked out, by its numbers."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from whygrad.judge.arrays import close
from whygrad.judge.gradient_case import ratio
from whygrad.judge.inquiry import Inquiry, in_numbers
from whygrad.judge.second_order_blocks import Block
from whygrad.judge.second_order_case import SecondCase, second_case
from whygrad.judge.second_order_places import SWAPPED, misplaced, swapped
from whygrad.judge.second_order_ways import has_way
from whygrad.rounding import times
from whygrad.verdict import Finding

SIGN, FACTOR = "second-order-sign", "second-order-factor"
IGNORED, MISSING = "second-order-grad-output-ignored", "second-order-missing"
WRONG = "second-order-wrong"


def in_second_function(inquiry: Inquiry, bad: list[Block]) -> list[Finding]:
    """Find what a Function that backward applies does wrong in its own backward."""
    ways = inquiry.base.tracked.ways
    cases = [second_case(inquiry, block) for block in bad if ways[block.row].own]
    for law in _LAWS:
        for case in cases:
            if found := next(law(inquiry, case), None):
                return [found if found.name == SWAPPED else _beside(found, bad)]
    if not cases or not has_way(inquiry, cases[0].block):
        return []
    return [_beside(_unexplained(cases[0]), bad)]


def _beside(finding: Finding, bad: list[Block]) -> Finding:
    """Say which other derivatives are wrong: a law explains one."""
    also = [block.about for block in bad if block.about != finding.about]
    if not also:
        return finding
    detail = f"{finding.detail} Wrong, too: {', '.join(also[:3])}."
    return replace(finding, detail=detail.strip())


def _missing(inquiry: Inquiry, case: SecondCase) -> Iterator[Finding]:
    block = case.block
    if block.kind == "missing" and has_way(inquiry, block):
        yield Finding(
            MISSING,
            block.about,
            "",
            f"`{case.function}.backward` returns None or zeros for {block.target}, though "
            f"{block.name} depends on it.",
            _look(case),
        )


def _proportional(inquiry: Inquiry, case: SecondCase) -> Iterator[Finding]:
    here, there = _factor(case.block), _factor(case.other)
    if here is None or there is None or abs(here - there) > 1e-3 * abs(here):
        return
    if abs(here + 1) < max(1e-4, 2 * case.block.relative):
        yield Finding(
            SIGN, case.block.about, in_numbers(case.block.line), _where(case), _look(case)
        )
    elif abs(here - 1) > max(1e-4, 2 * case.block.relative):
        detail = times(here)
        yield Finding(FACTOR, case.block.about, detail, _where(case), _look(case))


def _factor(block: Block) -> float | None:
    if block.yours is None or block.due is None or block.yours.shape != block.due.shape:
        return None
    return ratio(block.yours.values.reshape(-1), block.due.values.reshape(-1), block.relative)


def _where(case: SecondCase) -> str:
    said = f"It is what `{case.function}.backward` returns for {case.block.target}."
    others = [block for block in case.row if block is not case.block and block.kind != "right"]
    alike = [block.target for block in others if _off_alike(case.block, block)]
    if not alike:
        return said
    return (
        f"{said} What it returns for {' and '.join(alike)} is off by the same factor, place by "
        "place. So look first at what both are made of."
    )


def _off_alike(one: Block, other: Block) -> bool:
    """Tell whether two derivatives differ from the right ones by the same factors."""
    if None in (one.yours, one.due, other.yours, other.due) or one.column == other.column:
        return False
    if one.due.values.size < 2 or one.yours.shape != other.yours.shape:
        return False
    mine, due = one.yours.values * other.due.values, other.yours.values * one.due.values
    return bool(mine.any()) and close(mine, due, one.relative)


def _ignored(inquiry: Inquiry, case: SecondCase) -> Iterator[Finding]:
    """The same, whatever comes in."""
    block, other = case.block, case.other
    if block.yours is None or block.kind == "missing":
        return
    if close(block.yours.values, case.weighted, block.relative):
        detail = (
            f"What `{case.function}.backward` returns for {block.target} is the same whatever "
            "comes in: this product lacks its own incoming gradient."
        )
        why = "Each gradient that a backward returns is a product with what comes in."
        yield Finding(IGNORED, block.about, detail, why)
    elif block.by_incoming is None and other.yours is not None:
        name = case.incoming[0][0]
        if close(block.yours.values, other.yours.values, block.relative):
            detail = f"It is the same for every {name}."
            why = f"{block.name} has the factor {name}, and its derivative by {block.target}, too."
            yield Finding(IGNORED, block.about, detail, why)


def _once_too_often(inquiry: Inquiry, case: SecondCase) -> Iterator[Finding]:
    block, other = case.block, case.other
    for name, here, there in case.incoming:
        if _fit(block, here) and case.is_(block.due.values * here, other.due.values * there):
            if block.by_incoming is None:
                why = f"{block.name} has the factor {name} once only."
            else:
                why = (
                    f"{block.name} is a product with {name}. Differentiated by {name}, only the "
                    "other factor stays."
                )
            detail = f"It is the right one times {name}: this factor is there once too often."
            yield Finding(WRONG, block.about, detail, why, f"Leave {name} out of this product.")


def _other_rule(inquiry: Inquiry, case: SecondCase) -> Iterator[Finding]:
    """The slope itself where its derivative is due."""
    block = case.block
    if block.by_incoming is not None or not case.incoming:
        return
    slope = next((b for b in case.row if b.by_incoming == 0), None)
    name, here, _ = case.incoming[0]
    if slope is None or slope.due is None or block.yours is None or not _fit(slope, here):
        return
    if close(block.yours.values, slope.due.values * here, block.relative):
        why = (
            f"The factor beside {name} is that of {block.name} itself. By {block.target}, this "
            "factor has to be differentiated."
        )
        yield Finding(WRONG, block.about, in_numbers(block.line), why, _look(case))


def _fit(block: Block, incoming: np.ndarray) -> bool:
    return block.due is not None and block.due.shape == incoming.shape


def _unexplained(case: SecondCase) -> Finding:
    about = case.block.about
    return Finding(WRONG, about, in_numbers(case.block.line), _where(case), _look(case))


def _look(case: SecondCase) -> str:
    return (
        f"Write down the formula of `{case.function}.forward`. Differentiate it by "
        f"{case.block.target}, with all else held fixed, and multiply by the incoming gradient of "
        f"`{case.function}.backward`."
    )


_LAWS = (
    *(swapped, _missing, misplaced, _proportional, _ignored),
    *(_once_too_often, _other_rule),
)
