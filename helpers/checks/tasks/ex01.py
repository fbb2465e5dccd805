"""Tasks of exercise 1, LinearFunction: gradients by shapes."""

from helpers.checks.task import FunctionTask, PredictionTask


def rows(draw, n, inner=4, outer=2):
    """Return x (n, inner), V (inner, outer) and c (outer,): each row of x is a sample."""
    return draw.normal(n, inner), draw.normal(inner, outer), draw.normal(outer)


def columns(draw, n, inner=4, outer=2):
    """Return X (inner, n), W (outer, inner) and b (outer,): each column of X is a sample."""
    return draw.normal(inner, n), draw.normal(outer, inner), draw.normal(outer)


TASKS = [
    FunctionTask(
        id="1.1",
        title="A linear map in another layout",
        shares={
            "forward": 1,
            "gradient of x": 1,
            "gradient of V": 1,
            "gradient of c": 0.5,
            "without c": 0.5,
        },
        minutes=20,
        hints=(
            "Write the shape of every tensor beside it. A gradient has the shape of its input.",
            "`grad_y` is (N, out). Which product with `V`, (in, out), gives (N, in)? Which product "
            "with `x`, (N, in), gives (in, out)?",
            "grad_x = grad_y Vᵀ, grad_V = xᵀ grad_y, and `grad_c` is `grad_y` summed over the "
            "batch. Without `c`, backward returns `None` for it.",
        ),
        names=("x", "V", "c"),
        inputs=rows,
        promises={
            "no c": lambda draw, n: (draw.normal(n, 4), draw.normal(4, 2), None),
            "in = 1": lambda draw, n: rows(draw, n, 1, 4),
            "out = 1": lambda draw, n: rows(draw, n, 3, 1),
        },
    ),
    FunctionTask(
        id="1.2",
        title="Repair a map of columns",
        shares={"gradients": 2, "without b": 1},
        minutes=15,
        hints=(
            "Write the shapes beside the three gradients. Which of them does not have the shape of "
            "its input when the three sizes N, in and out all differ?",
            "Here a sample is a column. So the batch is in a different dimension of `grad_Y` than "
            "in lesson 1.",
            "`b` is added to every column, so its gradient is the sum over the columns. And what "
            "comes back for `b` if there is no `b`?",
        ),
        names=("X", "W", "b"),
        incoming=("grad_Y",),
        inputs=columns,
        promises={
            "no b": lambda draw, n: (draw.normal(4, n), draw.normal(2, 4), None),
            "in = 1": lambda draw, n: columns(draw, n, 1, 5),
            "out = 1": lambda draw, n: columns(draw, n, 3, 1),
        },
    ),
    PredictionTask(
        id="1.3",
        title="Predict four numbers",
        shares={
            "rows of grad_V": 0.5,
            "columns of grad_V": 0.5,
            "length of grad_c": 0.5,
            "how many come back": 0.5,
        },
        minutes=5,
        hints=(
            "A gradient has the shape of its input, whatever the formula is.",
            "Backward returns one thing for each argument of forward, tensor or not.",
            "`forward(ctx, x, V, c, scale)` has four arguments besides `ctx`. PyTorch does not ask "
            "whether they need a gradient.",
        ),
        form="a list of four whole numbers",
    ),
]
