"""Look at the source of answers, without running it."""
