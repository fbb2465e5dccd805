"""Read what was handed in, and the notebook that it answers."""
