"""What is watched, and what is not."""

import torch
from torch.autograd import Function

from whygrad.measure.watch import installed, unwatched, watching


class Fourfold(Function):
    @staticmethod
    def forward(ctx, x):
        return 4 * x

    @staticmethod
    def backward(ctx, grad_y):
        return 4 * grad_y


def test_nothing_is_watched_in_an_unwatched_block_and_all_is_after_it():
    x = torch.ones(2, requires_grad=True)
    node = type(Fourfold.apply(x).grad_fn).__base__  # the class of all such nodes
    before = dict(vars(node))
    with installed(), watching() as watch:
        assert vars(node) != before
        with unwatched():
            assert vars(node) == before
            Fourfold.apply(x).sum().backward()
        assert watch.given == [] == watch.backwards
        Fourfold.apply(x).sum().backward()
    assert watch.given == [(Fourfold, (x,))]
    assert len(watch.backwards) == 1
    assert vars(node) == before
