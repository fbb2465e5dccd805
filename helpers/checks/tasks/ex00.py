"""Tasks of exercise 0, Autograd from the inside."""

from helpers.checks.task import PredictionTask, ValuesTask


def neuron(draw, n):
    """Return x (n, 2), target (n,), w (2,) and b () of a linear neuron."""
    return draw.normal(n, 2), draw.normal(n), draw.normal(2), draw.normal()


TASKS = [
    PredictionTask(
        id="0.1",
        title="Predict what .grad holds",
        shares={"x.grad after line 1": 0.5, "x.grad after line 2": 0.5, "x.grad after line 3": 1},
        minutes=5,
        hints=(
            "`backward` adds to `.grad`. Nothing here empties it.",
            "z = 3 x² has the derivative 6 x. How often has it been added after each line?",
            "In the last line, `x.detach()` is a constant with the value 2: 3 · 2 · x has the "
            "derivative 6.",
        ),
        form="a list of three numbers",
        carried="By your numbers this line adds {change}. Work out what it adds by itself.",
    ),
    ValuesTask(
        id="0.2",
        title="Two gradients by hand",
        shares={"grad_w": 2, "grad_b": 1},
        minutes=15,
        hints=(
            "Start at the loss and go back: from the mean to the errors, from those to `w` and "
            "`b`.",
            "The gradient of the loss with respect to one prediction is 2 (prediction − target) / "
            "N.",
            "Call that `g`, of shape (N,). `w` gets the product of the transposed `x` with `g`; "
            "`b` gets the sum of `g`.",
        ),
        by_hand=True,
        names=("grad_w", "grad_b"),
        inputs=neuron,
        promises={"a single row": lambda draw, n: neuron(draw, 1)},
        untouched=("x", "target", "w", "b"),
        any_dtype=True,
    ),
    ValuesTask(
        id="0.3",
        title="Repair a training loop",
        shares={"values": 3},
        minutes=10,
        hints=(
            "The first step is right. What is different in the second?",
            "Print `w.grad` in each step, and compare it with the gradient of that step alone.",
            "What a training step does first is missing here: nothing empties `.grad`.",
        ),
        names=("w", "b"),
        inputs=lambda draw, n: (*neuron(draw, n), 0.1, 3),
        promises={
            "another learning rate": lambda draw, n: (*neuron(draw, n), 0.03, 3),
            "a single step, with a single row": lambda draw, n: (*neuron(draw, 1), 0.1, 1),
        },
        untouched=("x", "target", "w", "b"),
        any_dtype=True,
    ),
]
