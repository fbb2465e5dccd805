"""Notebooks and their kernels: read, write, run."""
