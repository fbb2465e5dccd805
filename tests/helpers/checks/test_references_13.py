"""Exercise 13 remarks what is kept, knows a dtype by its name, and puts autocast back."""

import pytest
import torch

from helpers.checks import answer_check
from helpers.checks.answer_check import examine
from helpers.checks.references import ex13, reference
from helpers.checks.tasks import find


@pytest.mark.parametrize("kept", ["a mask", "numbers"])
def test_a_tensor_on_ctx_is_remarked_and_the_random_state_of_checkpoint_is_not(capsys, kept):
    class Dropout(ex13.Dropout):
        @staticmethod
        def forward(ctx, x, p):
            ctx.kept = torch.rand(x.shape) >= p
            ctx.kept = ctx.kept if kept == "a mask" else ctx.kept.to(x.dtype)
            ctx.p = p
            return x * ctx.kept / (1 - p)

        @staticmethod
        def backward(ctx, grad_y):
            return grad_y * ctx.kept / (1 - ctx.p), None

    answer_check.check("13.2", Dropout)
    assert "a tensor is kept as an attribute of `ctx`" in capsys.readouterr().out
    answer_check.check("13.2", reference("13.2"))
    assert "attribute" not in capsys.readouterr().out


class _LeavesAutocastOn(ex13.REFERENCES["13.1"]):
    @staticmethod
    def forward(ctx, x, W, scale):
        y = ex13.REFERENCES["13.1"].forward(ctx, x, W, scale)
        torch.set_autocast_enabled("cpu", True)
        return y


def test_a_check_leaves_autocast_as_it_was_whatever_an_answer_does():
    found = examine(find("13.1"), (_LeavesAutocastOn,))
    assert "autocast is left on" in repr(found)
    assert not torch.is_autocast_enabled("cpu")
