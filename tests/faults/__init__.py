"""Deliberate faults, each a change of one text, and what finds out which tests see them."""
