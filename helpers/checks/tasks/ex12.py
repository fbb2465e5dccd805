"""List the tasks of exercise 12, Memory and speed."""

from helpers.checks.task import X_OF_ANY_SHAPE, FunctionTask, PredictionTask


def _edges(sample, n):
    """Return zeros and large numbers, where some ways to write the formula give nan."""
    return (sample.normal(n, 3) * 0 + sample.normal(3).new_tensor([0.0, 30.0, -30.0]),)


TASKS = [
    FunctionTask(
        id="12.1",
        title="GELU in one tensor",
        shares={"forward": 1, "gradient of x": 2, "memory": 2},
        minutes=20,
        hints=(
            "Which of `x`, `t` and the inside of tanh can be computed from one of the others? The "
            "lesson's `Mish` answers the same question.",
            "Save `x` alone. Backward then starts with the line that computes `t`, as forward "
            "does.",
            "In backward: `x` from `ctx.saved_tensors`, then `t` again, then inner = c (1 + 3 k "
            "x²). The gradient is the sum of (1 + t) / 2 and x (1 − t²) inner / 2, times `grad_y`.",
        ),
        names=("x",),
        inputs=lambda sample, n: (sample.normal(n, 3, scale=2.0),),
        promises={
            **X_OF_ANY_SHAPE,
            "x of 0, 30 and −30": _edges,
            "the same in float32": lambda sample, n: (_edges(sample, n)[0].float(),),
        },
        saves="by save_for_backward",
        saves_at_most=lambda x: x.nbytes,
    ),
    FunctionTask(
        id="12.2",
        title="Repair the rows that hold too much",
        shares={"memory": 4},
        minutes=10,
        hints=(
            "Write down what stands on `ctx` and what is saved, each with its shape. How many of "
            "them have the size of `x`?",
            "The formula of `grad_x` in the task needs `y`, `s` and `g`. Where does backward use "
            "`centred`, and what else has the same numbers?",
            "`centred / s` is `y`. Save `y` and `s` with `ctx.save_for_backward`, and take the "
            "mean of `grad_y * y` over each row.",
        ),
        names=("x",),
        inputs=lambda sample, n: (sample.normal(n, 4),),
        promises={
            "D = 3": lambda sample, n: (sample.normal(n, 3, scale=3.0),),
            "D = 1": lambda sample, n: (sample.normal(n, 1),),
        },
        saves="by save_for_backward",
        saves_at_most=lambda x: x.nbytes + len(x) * x.element_size(),
    ),
    PredictionTask(
        id="12.3",
        title="Five counts",
        shares={"gate": 1, "mask": 1, "view": 1, "attribute": 1, "again": 1},
        minutes=10,
        hints=(
            "For each line, list the storages that a hook is called for. Two names for one "
            "storage count once.",
            "A product saves both factors, a sigmoid its output. A bool takes one byte. A view "
            "has no storage of its own.",
            "A hook sees what is saved, but no attribute. `checkpoint` saves the inputs of the "
            "chain, whatever the chain itself would save.",
        ),
        form="five whole numbers",
    ),
]
