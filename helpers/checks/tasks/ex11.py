"""List the tasks of exercise 11, Functions under torch.func."""

from helpers.checks.task import FunctionTask, PredictionTask

TASKS = [
    FunctionTask(
        id="11.1",
        title="Repair Swish for torch.func",
        shares={"second order": 2, "vmap": 2},
        minutes=15,
        hints=(
            "Three things have to be repaired: the style, the second derivative and the rule. "
            "Begin with the derivative: which tensor does forward save that is neither an input "
            "nor an output?",
            "Forward loses its `ctx` and only computes. `setup_context` gets the tuple of inputs: "
            "it saves the tensor `x`, and keeps the number `a` on `ctx`. The tensor `s` is not "
            "among them: where else can it come from?",
            "Save `x` alone, and begin backward with `s = torch.sigmoid(...)` of the saved `x`. Or "
            "let forward return `s` as well, take `grad_s` in backward, and let `swish` return the "
            "first output. The rule is one class attribute.",
        ),
        names=("x", "a"),
        # At 0, a quotient y / x has no second derivative, or a wrong one.
        inputs=lambda sample, n: (sample.with_0(n, 3), 1.5),
        promises={
            "x of one dimension and a = 0": lambda sample, n: (sample.normal(n), 0.0),
            "x of the shape () and another a": lambda sample, n: (sample.normal(), 0.3),
            "three dimensions, a 0 in x and a negative a": lambda sample, n: (
                sample.with_0(n, 2, 3),
                -0.5,
            ),
        },
        order=2,
        saves="by save_for_backward",
        modes=("vmap",),
    ),
    FunctionTask(
        id="11.2",
        title="A jvp and a rule for an angle",
        shares={"jvp": 2, "vmap": 2},
        minutes=20,
        hints=(
            "Both inputs move a little. The change of the angle is the sum of what each of them "
            "does, and the factors are in the formulas of the gradients. For the rule: which "
            "dimension of `a` belongs to which of `b`?",
            "`jvp`: the derivative with respect to `a` times `a_t`, plus the derivative with "
            "respect to `b` times `b_t`. `vmap`: bring both batches to dimension 0, and give one "
            "to an input whose entry of `in_dims` is `None`.",
            "The two factors are those of backward, without `grad_y`. In the rule, treat `a` and "
            "`b` alike, each with its own entry of `in_dims`: the lesson's `in_front` does it for "
            "one tensor. Then apply `Angle` to both, and return two things.",
        ),
        names=("a", "b"),
        # Where one of them is 0, a quotient of the two is no number, and the angle is one.
        inputs=lambda sample, n: (sample.with_0(n, 4).flip(-1), sample.with_0(n, 4)),
        promises={
            "a and b of one dimension": lambda sample, n: sample.pair(n),
            "a and b of three dimensions": lambda sample, n: sample.pair(n, 2, 2),
            "a and b of the shape ()": lambda sample, n: sample.pair(),
        },
        modes=("jvp", "vmap"),
        own_rule=True,
    ),
    PredictionTask(
        id="11.3",
        title="What transforms see",
        shares={"seen": 1, "gradients": 1, "jacobians": 1, "captured": 1},
        minutes=10,
        hints=(
            "Under `vmap` the code inside is written for one sample. Which dimension of the batch "
            "does it not see?",
            "Outside, each result has the batch in front. The gradient of one sample has the "
            "shape of the sample; its Jacobian has a dimension for the output and one for the "
            "input.",
            "For the last one: `factor` is not an argument of the Function, so no way leads from "
            "`ScaledSquare` to it. What is left of the sum? What is its derivative with respect to "
            "`factor`?",
        ),
        form="three lists and a number",
        shapes=True,
    ),
]
