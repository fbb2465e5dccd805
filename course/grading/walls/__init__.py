"""Walls around the kernels that run submissions."""

from course.grading.walls.bwrap_command import why_not
from course.grading.walls.walls import Walls, WallsError

__all__ = ["Walls", "WallsError", "why_not"]
