"""Conclude from measurements alone what is right and what is not; needs no PyTorch."""

from whygrad.judge.stages import judge_function

__all__ = ["judge_function"]
