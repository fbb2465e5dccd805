"""Turn a Matplotlib figure into an SVG that is the same every time, on an opaque light card."""

import io
from collections.abc import Callable

import matplotlib
from matplotlib.figure import Figure as Canvas

from whygrad.figure import Figure, describe_svg
from whygrad.look import CURVES, PICTURE, PLOT

# Two lines that may coincide: the wide one lies below, and the dashed one leaves gaps.
BELOW = {
    "color": CURVES[0]["color"],
    "linewidth": 4.5,
    "alpha": 0.75,
    "solid_capstyle": "butt",
}
ABOVE = {"color": PICTURE["ink"], "linewidth": 1.6, "dashes": (4, 3)}

# In addition to Matplotlib's defaults: letters as paths, on paper.
_SETTINGS = {
    "svg.hashsalt": "autograd-course",
    "font.family": PLOT["font"],
    "font.size": 9.5,
    "figure.facecolor": PICTURE["paper"],
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.w_pad": 0.1,
    "figure.constrained_layout.h_pad": 0.08,
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
    "lines.markersize": 5.5,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
}


def paint(
    title: str, text: str, width: float, height: float, draw: Callable[[Canvas], None]
) -> Figure:
    """Draw a figure, with one legend for all of its panels.

    The reader's own Matplotlib settings neither change nor matter.

    Args:
        title: the title above the figure.
        text: its text form, for those who cannot see it.
        width, height: in inches.
        draw: a function that draws into the empty figure.
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        canvas = Canvas(figsize=(width, height))
        canvas.suptitle(spaced(title))
        draw(canvas)
        handles, labels = canvas.axes[-1].get_legend_handles_labels()
        if labels:
            canvas.legend(handles, labels, loc="outside lower center", ncols=len(labels))
        buffer = io.StringIO()
        canvas.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return Figure(text, describe_svg(buffer.getvalue(), title, text))


def spaced(words: str) -> str:
    """Keep a prime from touching the hook of its f."""
    return words.replace("f′", "f\N{HAIR SPACE}′").replace("f″", "f\N{HAIR SPACE}″")
