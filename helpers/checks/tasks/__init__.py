"""The tasks of the exercises, one file per exercise, without answers."""
