"""Exercise 14 remarks what is right and still no habit to keep, and sees what is lost in digits."""

import pytest
import torch

from helpers.checks import answer_check
from helpers.checks.references import ex14, reference
from helpers.checks.tasks.ex14 import _nearly


class OnCtx(ex14.Shrink):
    """Shrink that keeps n as an attribute."""

    @staticmethod
    def forward(ctx, x):
        ctx.n = x.norm()
        ctx.save_for_backward(x, ctx.n)
        return x / ctx.n.clamp(min=1)


def completing(save, back):
    def complete(op):
        op.register_fake(lambda x: x.new_empty(len(x)))

        def setup_context(ctx, inputs, output):
            save(ctx, inputs[0], output)

        def backward(ctx, grad_y):
            x, y = back(ctx, op)
            return grad_y[:, None] * torch.exp(x - y[:, None])

        op.register_autograd(backward, setup_context=setup_context)

    return complete


def on_ctx(ctx, x, output):
    ctx.x, ctx.y = x, output


def x_alone(ctx, x, output):
    ctx.save_for_backward(x)


def again(ctx, op):
    (x,) = ctx.saved_tensors
    return x, op(x)


@pytest.mark.parametrize(
    ("task", "answer", "said"),
    [
        ("14.1", OnCtx, "a tensor is kept as an attribute of `ctx`"),
        ("14.2", completing(on_ctx, lambda ctx, op: (ctx.x, ctx.y)), "as an attribute of `ctx`"),
        ("14.2", completing(x_alone, again), "the op runs again"),
    ],
)
def test_a_right_answer_is_remarked_on_and_the_reference_is_not(capsys, task, answer, said):
    answer_check.check(task, answer)
    out = capsys.readouterr().out
    assert "✓" in out
    assert said in out
    answer_check.check(task, reference(task))
    assert said not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (lambda n: n, ""),
        (lambda n: n + 1e-4, "something is added to n"),
        (lambda n: n + 1e-8, "something is added to n"),
        (lambda n: (n**2 + 1e-8).sqrt(), "something is added to n"),
        (lambda n: n.float(), "right to 7 digits"),
        (lambda n: 2 * n, ""),
    ],
)
def test_what_makes_the_last_digits_wrong_is_told_from_y_and_from_grad_x(more, said):
    generator = torch.Generator().manual_seed(0)
    x, g = (torch.randn(3, 3, dtype=torch.float64, generator=generator) for _ in range(2))
    n = more(x.norm())
    assert _nearly(x, g, x / n) == said
    assert _nearly(x, g, g / n - x * (x * g).sum() / n**3) == said
