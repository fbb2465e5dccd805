"""Plots for the lessons: a function's derivatives, loss curves, matrices as heat maps."""

from helpers.plots.derivative_plot import derivatives
from helpers.plots.heatmap_plot import heatmaps
from helpers.plots.loss_plot import losses

__all__ = ["derivatives", "heatmaps", "losses"]
