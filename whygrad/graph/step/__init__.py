"""A real backward pass, recorded and shown step by step."""

from whygrad.graph.step.show import Steps, step

__all__ = ["Steps", "step"]
