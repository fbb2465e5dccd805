"""Walls around the kernels that run submissions."""

from course.grading.walls.bubblewrap import why_not
from course.grading.walls.walls import Walls, WallsError

__all__ = ["Walls", "WallsError", "why_not"]
