"""Say in words and numbers what a plot of derivatives shows."""

from torch import Tensor

from helpers.plots.sample import EVERY, FINITE, MARKS, OWN, POINTS, PYTORCH, Curve, Panel
from whygrad.numbers import difference, short, threshold

_SHOWN = 50  # the table has each fiftieth point: five in all
_NOISE = {(PYTORCH, 0): 1e-9, (PYTORCH, 1): 1e-9, (PYTORCH, 2): 1e-9} | {
    (FINITE, 1): 1e-8,
    (FINITE, 2): 1e-6,
}


def describe(title: str, x: Tensor, panels: list[Panel]) -> str:
    """Write a table of five points, then how far the curves are apart."""
    lines = [f"{title} at five of {POINTS} points", *_table(x, panels)]
    for name in (PYTORCH, FINITE):
        parts = [
            f"{MARKS[p.order]} {_apart(x, panels[0], p, name)}"
            for p in panels
            if name in p.curves and _both(p, name)
        ]
        if parts:
            lines.append(f"Largest difference from {name}: {', '.join(parts)}.")
    return "\n".join([*lines, *_not_finite(panels)])


def _both(panel: Panel, name: str) -> bool:
    return panel.curves[OWN].values is not None and panel.curves[name].values is not None


def _table(x: Tensor, panels: list[Panel]) -> list[str]:
    head = [short(v, 3) for v in x[::_SHOWN].tolist()]
    rows = []
    for panel in panels:
        for i, (name, curve) in enumerate(panel.curves.items()):
            mark = MARKS[panel.order] if i == 0 else ""
            rows.append((mark, name, _cells(panels[0], panel, name, curve)))
    width = max(
        len(cell) for cells in [head, *(r[2] for r in rows if len(r[2]) > 1)] for cell in cells
    )
    labels = [("", "x", head), *rows]
    return [
        f"{mark:<3} {name:<18}  "
        + (cells[0] if len(cells) == 1 else "  ".join(f"{c:>{width}}" for c in cells))
        for mark, name, cells in labels
    ]


def _cells(first: Panel, panel: Panel, name: str, curve: Curve) -> list[str]:
    if curve.values is None:
        return [curve.reason]
    zero = _limit(first, panel, name) if name == FINITE else 1e-12 * _size(curve.values)
    values = curve.values[:: _SHOWN // EVERY if name == FINITE else _SHOWN]
    return [short(v, zero=zero) for v in values.tolist()]


def _limit(first: Panel, panel: Panel, name: str) -> float:
    known = [p.curves[OWN].values for p in (first, panel)]
    scale = max(_size(values) for values in known if values is not None)
    return threshold(_NOISE[name, panel.order], scale)


def _size(values: Tensor) -> float:
    finite = values[values.isfinite()].abs()
    return finite.max().item() if len(finite) else 0.0


def _apart(x: Tensor, first: Panel, panel: Panel, name: str) -> str:
    every = EVERY if name == FINITE else 1
    gaps = (panel.curves[OWN].values[::every] - panel.curves[name].values).abs()
    gaps, at = gaps[gaps.isfinite()], x[::every][gaps.isfinite()]
    if not len(gaps):
        return "nowhere both finite"
    worst = gaps.max().item()
    limit = _limit(first, panel, name)
    words = difference(worst, limit)
    # The place is told only where it stands out: among near-equal ones chance would decide.
    if worst >= limit and (gaps > 0.9 * worst).sum() == 1:
        words += f" at x = {short(at[gaps.argmax()].item())}"
    return words


def _not_finite(panels: list[Panel]) -> list[str]:
    lines = []
    for panel in panels:
        for name, curve in panel.curves.items():
            if name == FINITE or curve.values is None:
                continue
            count = int((~curve.values.isfinite()).sum())
            if count:
                lines.append(
                    f"Not finite: {MARKS[panel.order]} by {name}, at {count} of {POINTS} points."
                )
    return lines
