"""The graders that `make bench-grade` compares, one module each."""
