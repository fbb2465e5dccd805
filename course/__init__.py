"""The course itself: its set-up, its notebooks and the command `course`."""
