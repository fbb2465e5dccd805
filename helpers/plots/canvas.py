"""Turn a Matplotlib figure into SVG or PNG that is the same every time, on an opaque light card."""

import io
from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from whygrad.figure import describe_svg
from whygrad.look import PICTURE, PLOT

# Beside Matplotlib's defaults: letters as paths, on paper.
_SETTINGS = {
    "svg.hashsalt": "autograd-course",
    "font.family": PLOT["font"],
    "font.size": 9.5,
    "figure.facecolor": PICTURE["paper"],
    "axes.facecolor": PICTURE["paper"],
    "axes.titlesize": 10.5,
    "figure.titlesize": 12,
    "text.color": PICTURE["ink"],
    "axes.edgecolor": PICTURE["frame"],
    "axes.labelcolor": PICTURE["ink"],
    "xtick.color": PICTURE["ink"],
    "ytick.color": PICTURE["ink"],
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": PICTURE["rule"],
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
}


@contextmanager
def canvas(width: float, height: float, **options) -> Iterator[Canvas]:
    """Give an empty figure of a size in inches; the reader's own Matplotlib settings stay apart.

    Render it inside the block, where the settings hold.
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        figure = Canvas(figsize=(width, height), **options)
        FigureCanvasAgg(figure)
        yield figure


def readable_on(background: tuple[float, float, float]) -> str:
    """Choose one of two inks, whichever has more contrast with a colour (WCAG 2's luminance)."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in background]
    luminance = sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return PICTURE["light_ink" if luminance < 0.179 else "dark_ink"]


def to_svg(figure: Canvas, title: str, description: str) -> str:
    """Render as SVG, with a title and a description for those who cannot see it."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return describe_svg(buffer.getvalue(), title, description)


def to_png(figure: Canvas) -> bytes:
    """Render as PNG, at twice the pixels of a plain screen."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=192, metadata={"Software": None})
    return buffer.getvalue()
