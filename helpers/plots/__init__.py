"""Plots for the lessons: derivatives, losses, runs in bands, growth by size, heat maps."""

from helpers.plots.band_plot import bands
from helpers.plots.derivative_plot import derivatives
from helpers.plots.growth_plot import growth
from helpers.plots.heatmap_plot import heatmaps
from helpers.plots.loss_plot import losses

__all__ = ["bands", "derivatives", "growth", "heatmaps", "losses"]
