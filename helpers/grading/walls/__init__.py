"""Walls around the kernels that run submissions."""

from helpers.grading.walls.bubblewrap import why_not
from helpers.grading.walls.walls import Walls, WallsError

__all__ = ["Walls", "WallsError", "why_not"]
