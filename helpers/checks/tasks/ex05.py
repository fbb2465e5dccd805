"""List the tasks of exercise 5, Square."""

from helpers.checks.task import X_OF_ANY_SHAPE, FunctionTask, PredictionTask

TASKS = [
    FunctionTask(
        id="5.1",
        title="Square from memory",
        shares={"forward": 1, "gradient of x": 1, "second order": 1},
        minutes=10,
        hints=(
            "Backward needs to know which `x` forward was called with. Forward has to keep it.",
            "What is kept with `ctx.save_for_backward` comes back, with its place in the graph, "
            "from `ctx.saved_tensors`: always a tuple, even if it is a single tensor.",
            "The derivative of x² is 2x. Backward returns its product with the incoming gradient. "
            "Do not detach anything, and do not copy `x` before you save it.",
        ),
        names=("x",),
        inputs=lambda sample, n: (sample.normal(n, 3),),
        promises={
            **X_OF_ANY_SHAPE,
            "a 0 in x": lambda sample, n: (sample.with_0(n, 3),),
        },
        order=2,
    ),
    FunctionTask(
        id="5.2",
        title="A penalty that does not arrive",
        shares={"derivatives of grad_x": 2, "derivatives of grad_w": 2},
        minutes=10,
        hints=(
            "The values are right, so the formulas are right, too. Look for tensors that have lost "
            "their history on the way into `grad_x` or `grad_w`.",
            "Go through both formulas, factor by factor: `grad_y`, `w`, `x`. Where does each "
            "factor come from, and is it still the tensor itself there? Two are not.",
            "In forward, grad mode is off: a copy that is made there has no history. In backward, "
            "`.detach()` cuts off the branch of the incoming gradient.",
        ),
        names=("x", "w"),
        inputs=lambda sample, n: (sample.normal(n, 4), sample.normal(4)),
        promises={
            "D = 1": lambda sample, n: (sample.normal(n, 1), sample.normal(1)),
            "a 0 in x and in w": lambda sample, n: (sample.with_0(n, 4), sample.with_0(4)),
        },
        order=2,
    ),
    PredictionTask(
        id="5.3",
        title="Which branch is cut?",
        shares={"third_power": 1, "third_power_one": 1, "third_power_two": 1},
        minutes=10,
        hints=(
            "The slope is the same for all three. Then ask for each Function: along which branches "
            "can the second backward walk from the slope to `x`, and to `w`?",
            "`w` reaches the slope through the incoming gradient alone: backward of `w * y` hands "
            "grad_y = w to the Function. `x` reaches it through the saved tensor, used twice.",
            "The penalty is the square of the slope, so both of its gradients carry the factor "
            "2 slope = 12. A factor that is detached counts as a constant: of x times x, with one "
            "of them a constant, only half of the derivative is left.",
        ),
        form="three lists of three numbers each",
        entries=("slope", "for x", "for w"),
    ),
]
