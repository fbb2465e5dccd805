"""List the tasks of exercise 6, Exp."""

from helpers.checks.task import FunctionTask, PredictionTask, of_any_shape

TASKS = [
    FunctionTask(
        id="6.1",
        title="The inverse",
        shares={"forward": 1, "gradient of x": 1, "second order": 1},
        minutes=10,
        hints=(
            "Look at how the lesson's `Exp` keeps its output. Only the two formulas are different.",
            "Give the inverse a name before you save it, and return the very tensor that has this "
            "name: no copy, and no second computation.",
            "Backward reads the output from `ctx.saved_tensors`. The derivative is the negative of "
            "its square; the incoming gradient is one more factor.",
        ),
        names=("x",),
        inputs=lambda sample, n: (sample.away(n, 3, gap=0.3),),
        promises={
            **of_any_shape(lambda sample, *shape: sample.away(*shape, gap=0.3)),
            "x of about 0.01": lambda sample, n: (0.01 * sample.away(n, 3, gap=0.3),),
            "x of about 100": lambda sample, n: (100 * sample.away(n, 3, gap=0.3),),
        },
        order=2,
        saves="output",
    ),
    FunctionTask(
        id="6.2",
        title="Growth that stops growing",
        shares={"second order": 4},
        minutes=10,
        hints=(
            "Both formulas are right. Ask of each saved tensor: is it an input, the output, or "
            "neither?",
            "`factor` is made in forward and not returned, so it comes back without a history. If "
            "`start` is 1, it even has the numbers of `y`, but it is still a different tensor.",
            "Save the product that forward returns, under one name. It holds `start` already, so "
            "backward multiplies by it instead of by `start` and `factor`.",
        ),
        names=("x", "rate", "start"),
        inputs=lambda sample, n: (sample.normal(n, 4), sample.uniform(4, low=0.4, high=1.2), 2.5),
        promises={
            "`start` = 1": lambda sample, n: (sample.normal(n, 2), sample.normal(2), 1.0),
            "`start` = 0": lambda sample, n: (sample.normal(n, 2), sample.normal(2), 0.0),
            "a 0 in x and in rate": lambda sample, n: (sample.with_0(n, 4), sample.with_0(4), 2.5),
        },
        order=2,
        saves="by save_for_backward",
    ),
    PredictionTask(
        id="6.3",
        title="Three roots",
        shares={"root": 1, "root_copy": 1, "root_input": 1},
        minutes=10,
        hints=(
            "The first derivative is the same for all three. For the second one, ask for each "
            "Function: does the tensor that backward read from `ctx` have a way back to `x`?",
            "g = 3 y² always depends on `x`. The divisor 2 y depends on `x` for autograd only if "
            "it was read from a saved output, or computed in backward from a saved input.",
            "At x = 4: y = 2, its derivative is 0.25, and g = 12. The term through `g` is 6 y · "
            "0.25 divided by 2 y. The one through the divisor is −g / (2 y²) times 0.25.",
        ),
        form="three lists of two numbers each",
        entries=("first", "second"),
    ),
    FunctionTask(
        id="6.4",
        title="Softmax",
        shares={"forward": 1, "gradient of x": 2, "second order": 1},
        minutes=10,
        hints=(
            "The formula of the gradient holds only `y` and the incoming gradient. So what is "
            "there to save, and what must forward return?",
            "The sum over k runs along a row and gives one number for each of the N rows. Which "
            "shape must it have, so that it is subtracted from every number of its row?",
            "Multiply the incoming gradient by `y`. Sum that over dim 1 with `keepdim=True`, which "
            "gives (N, 1). Subtract the sum from the incoming gradient, and multiply by `y`.",
        ),
        names=("x",),
        inputs=lambda sample, n: (sample.normal(n, 4),),
        promises={
            "as many rows as columns": lambda sample, n: (sample.normal(4, 4),),
            "C = 1": lambda sample, n: (sample.normal(n, 1),),
        },
        order=2,
    ),
]
