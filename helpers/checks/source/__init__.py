"""Look at the source of answers, without running it: what it uses beyond what an answer needs."""
