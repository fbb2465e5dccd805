"""Turn a Matplotlib figure into SVG or PNG that is the same every time, on an opaque light card."""

import io
from collections.abc import Iterator
from contextlib import contextmanager

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from whygrad.figure import describe_svg

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart.
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
INK, FAINT = "#1a1a1a", "#d9d9d9"

# Beside Matplotlib's defaults: letters as paths, a white card, the font that comes with it.
_SETTINGS = {
    "svg.hashsalt": "autograd-course",
    "font.size": 9.5,
    "axes.titlesize": 10.5,
    "figure.titlesize": 12,
    "text.color": INK,
    "axes.edgecolor": "#666666",
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": FAINT,
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
    """Choose ink or white, whichever has more contrast with a colour (WCAG 2's luminance)."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in background]
    luminance = sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return "white" if luminance < 0.2 else INK


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
