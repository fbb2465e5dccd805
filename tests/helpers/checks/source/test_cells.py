"""The cells of an answer are found, whatever decorates its methods."""

import linecache

import torch

from helpers.checks.source.cells import sources_of

CELL = """
class Twice(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu")
    def forward(ctx, x):
        return 2 * x
"""


def test_a_method_below_a_decorator_of_pytorch_is_its_author_s():
    name, space = "<cell of Twice>", {"torch": torch}
    linecache.cache[name] = (len(CELL), None, CELL.splitlines(True), name)
    exec(compile(CELL, name, "exec"), space)
    assert sources_of([space["Twice"]]) == [CELL]
