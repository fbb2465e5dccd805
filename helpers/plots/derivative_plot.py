"""Plot f, f′ and f″ three ways: its own autograd, PyTorch's, and finite differences."""

from collections.abc import Callable

import torch
from torch import Tensor

from helpers.plots.canvas import canvas, to_svg
from helpers.plots.derivative_samples import (
    EVERY,
    FINITE,
    MARKS,
    OWN,
    PYTORCH,
    Panel,
    describe,
    sample,
)
from whygrad.arguments import name_of
from whygrad.figure import Figure
from whygrad.look import CURVES, PICTURE
from whygrad.rounding import short

_BLUE, _VERMILION, _INK, *_ = (curve["color"] for curve in CURVES)
_STYLES = {
    OWN: {"color": _BLUE, "linewidth": 4.5, "alpha": 0.75, "solid_capstyle": "butt"},
    PYTORCH: {"color": _INK, "linewidth": 1.6, "dashes": (4, 3)},
    FINITE: {
        "color": _VERMILION,
        "linestyle": "none",
        "marker": "o",
        "markersize": 5.5,
        "markerfacecolor": PICTURE["paper"],
        "markeredgewidth": 1.4,
    },
}


def derivatives(
    fn: Callable[[Tensor], Tensor],
    reference: Callable[[Tensor], Tensor] | None = None,
    *,
    low: float = -3.0,
    high: float = 3.0,
    order: int = 1,
    title: str | None = None,
) -> Figure:
    """Plot a function of one variable and its derivatives, side by side.

    Args:
        fn: maps a float64 tensor of shape (201,) to one of the same shape, element by element;
            `Function.apply`, a Module and a lambda will do.
        reference: the same function made of PyTorch's own operations.
        low, high: the first and the last x.
        order: 1 for f and f′, 2 for f″ as well.
        title: the title above the panels; by default `fn`'s name.

    Raises:
        TypeError: `fn` or `reference` does not return a tensor.
        ValueError: it returns another shape or dtype, or an argument is out of range.

    >>> picture = derivatives(torch.square, reference=lambda x: x * x)
    >>> print(picture.text.splitlines()[-2])
    Largest difference from PyTorch: f below 1e-8, f′ below 1e-8.
    """
    if order not in (1, 2):
        raise ValueError(f"order must be 1 (f and f′) or 2 (f″ as well): got {order!r}")
    with torch.inference_mode(False), torch.enable_grad(), torch.random.fork_rng(devices=[]):
        x, panels = sample(fn, reference, low, high, order)
    if title is None:
        named = [f"{name}:"] if (name := name_of(fn)) else []
        title = " ".join([*named, "f and f′" if order == 1 else "f, f′ and f″"])
    text = describe(title, x, panels)
    return Figure(text, _draw(title, x, panels, text))


def _draw(title: str, x: Tensor, panels: list[Panel], text: str) -> str:
    with canvas(3.0 * len(panels) + 0.6, 3.3, layout="constrained") as figure:
        figure.get_layout_engine().set(w_pad=0.12, h_pad=0.08, wspace=0.03)
        figure.suptitle(_spaced(title))
        axes = figure.subplots(1, len(panels))
        for panel, axis in zip(panels, axes, strict=True):
            _draw_panel(axis, x, panel)
        handles, labels = axes[-1].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
        return to_svg(figure, title, text)


def _spaced(text: str) -> str:
    """Keep a prime from touching the hook of its f."""
    return text.replace("f′", "f\N{HAIR SPACE}′").replace("f″", "f\N{HAIR SPACE}″")


def _draw_panel(axis, x: Tensor, panel: Panel) -> None:
    shown, notes = _to_draw(panel)
    for name, values in shown.items():
        at = x[::EVERY] if name == FINITE else x
        if values is None:  # its place in the legend stays
            at = values = x[:0]
        finite = torch.where(values.isfinite(), values, torch.nan)
        axis.plot(at.numpy(), finite.numpy(), label=name, **_STYLES[name])
    notes += _mark_lone_differences(axis, x, shown)
    axis.set_title("\n".join(notes), fontsize=9)
    axis.set(xlabel="x", ylabel=_spaced(f"{MARKS[panel.order]}(x)"))
    axis.grid(True)
    margin = 0.03 * (x[-1] - x[0]).item()
    axis.set_xlim(x[0].item() - margin, x[-1].item() + margin)
    low, high = _range(list(shown.values()))
    axis.set_ylim(low - 0.07 * (high - low), high + 0.07 * (high - low))


def _mark_lone_differences(axis, x: Tensor, shown: dict[str, Tensor | None]) -> list[str]:
    """Mark a point or two where only the values at a kink differ: the lines cannot show it."""
    own, reference = shown[OWN], shown.get(PYTORCH)
    if own is None or reference is None:
        return []
    places = torch.nonzero((own - reference).abs() > 1e-3 * own.abs().clamp(min=1.0)).flatten()
    if not 1 <= len(places) <= 2:
        return []
    at = x[places].numpy()
    axis.plot(at, own[places].numpy(), "D", color=_BLUE, markersize=7, markeredgecolor=_INK)
    axis.plot(
        at,
        reference[places].numpy(),
        "X",
        color=_INK,
        markersize=8,
        markeredgecolor=PICTURE["paper"],
    )
    return [
        f"x = {short(x[i].item(), 3)}: \u25c6 yours {short(own[i].item(), 3)}, "
        f"\u2715 PyTorch {short(reference[i].item(), 3)}"
        for i in places
    ]


def _to_draw(panel: Panel) -> tuple[dict[str, Tensor | None], list[str]]:
    """Give the values to draw by name, and what to say above the panel."""
    shown = {name: curve.values for name, curve in panel.curves.items()}
    notes = [f"{name}:\n{c.reason}" for name, c in panel.curves.items() if c.reason]
    if FINITE in shown:
        values = shown[FINITE]
        spread = values[values.isfinite()]
        # Beside a kink a finite difference can be huge, and would squash the curves.
        usual = spread.quantile(torch.tensor([0.1, 0.9]).to(spread)) if len(spread) else spread
        low, high = _range([*(v for name, v in shown.items() if name != FINITE), usual])
        inside = (values >= low - 2 * (high - low)) & (values <= high + 2 * (high - low))
        shown[FINITE] = torch.where(inside, values, torch.nan)
        if outside := int((values.isfinite() & ~inside).sum()):
            notes.append(f"{FINITE}: {outside} outside the picture")
    return shown, notes


def _range(curves: list[Tensor | None]) -> tuple[float, float]:
    """Give the lowest and highest value to show; for a constant, a range around it."""
    values = torch.cat([values for values in curves if values is not None])
    values = values[values.isfinite()]
    low, high = (values.min().item(), values.max().item()) if len(values) else (0.0, 0.0)
    size = max(abs(low), abs(high), 1e-300)
    if high - low < 1e-4 * size:
        size = size if size > 1e-6 else 1.0
        return low - size, high + size
    return low, high
