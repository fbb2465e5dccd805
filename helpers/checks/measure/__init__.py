"""Run a student's object on seeded inputs and note numbers and facts; judge nothing."""

from helpers.checks.measure.function import measure_function
from helpers.checks.measure.trial import Probe
from helpers.checks.measure.values import measure_value, measure_values

__all__ = ["Probe", "measure_function", "measure_value", "measure_values"]
