"""List the tasks of exercise 7, Sinh."""

from helpers.checks.task import X_OF_ANY_SHAPE, FunctionTask, PredictionTask

TASKS = [
    FunctionTask(
        id="7.1",
        title="A wave that dies away",
        shares={"forward": 1, "gradient of x": 1, "second order": 2},
        minutes=20,
        hints=(
            "The lesson's `Sinh` does the same with two intermediates. What does its backward "
            "take, what does it return, and what hides the extra outputs?",
            "Forward saves the three intermediates and returns four tensors. Backward then has "
            "four incoming gradients after `ctx`, and still one gradient to return, since there is "
            "one input.",
            "The derivatives of the four outputs are d (c − s), −d, c and −s. Multiply each by its "
            "own incoming gradient, and add them up. `wave` takes the first output.",
        ),
        names=("x",),
        inputs=lambda sample, n: (sample.normal(n, 3),),
        promises={
            **X_OF_ANY_SHAPE,
            "a 0 in x": lambda sample, n: (sample.with_0(n, 3),),
        },
        order=2,
        once=("exp", "sin", "cos"),
    ),
    FunctionTask(
        id="7.2",
        title="Rows of one size",
        shares={"derivatives of grad_x": 3, "derivatives of grad_w": 1},
        minutes=20,
        hints=(
            "The formulas are right. Which factor in them depends on `x`, but is a constant to "
            "autograd?",
            "`ctx.r` was computed in forward, where nothing is recorded. `save_for_backward` would "
            "not give it a history. The lesson has two ways that do.",
            "The shorter way: `x` is saved, so backward can compute the root mean square of its "
            "rows again, and use that. The other way: return `r` too. Its derivative with respect "
            "to `x` is u / D, which gives a further term of `grad_x`.",
        ),
        by_hand=False,
        names=("x", "w"),
        inputs=lambda sample, n: (sample.normal(n, 4), sample.normal(4)),
        promises={
            "D = 3": lambda sample, n: (sample.normal(n, 3, scale=2.0), sample.normal(3)),
            "D = 1": lambda sample, n: (sample.normal(n, 1), sample.normal(1)),
            "rows of about 0.001": lambda sample, n: (1e-3 * sample.normal(n, 4), sample.normal(4)),
            "a 0 in x and in w": lambda sample, n: (sample.with_0(n, 4), sample.with_0(4)),
        },
        order=2,
    ),
    PredictionTask(
        id="7.3",
        title="Kept, returned, counted",
        shares={"kept": 1, "returned": 1, "counted": 1},
        minutes=10,
        hints=(
            "A factor brings its term only if there is a way from it back to `x`, and if every "
            "node on that way hands the gradient on.",
            "`x` is a saved input and has a history. `g` has one in the second loss. `s` has one "
            "only if it is returned, and its gradient then arrives at backward as `grad_s`.",
            "At x = 1 the terms are: through `x`, 4 s g; through `s`, 8 x² g; through `g`, 4 x s "
            "times the derivative of `g`, which is 4 x³ for the second loss and 0 for the first. "
            "Which of them does each Function have?",
        ),
        form="three lists of two numbers each",
        entries=("for y", "for half of y squared"),
    ),
]
