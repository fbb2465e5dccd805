"""Plots for the lessons: derivatives, losses, runs in bands, growth by size, heat maps."""

from helpers.plots.curve_plots import bands, growth, losses
from helpers.plots.derivative_plot import derivatives
from helpers.plots.heatmap_plot import heatmaps

__all__ = ["bands", "derivatives", "growth", "heatmaps", "losses"]
