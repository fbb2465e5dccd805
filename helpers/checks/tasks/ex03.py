"""List the tasks of exercise 3, From Function to Module."""

from helpers.checks.task import ModuleTask, PredictionTask


def words(sample, n, count, inner, outer):
    """Return x (n, count, inner), the weight (outer, inner) and the bias (outer,) of a layer."""
    return sample.normal(n, count, inner), sample.normal(outer, inner), sample.normal(outer)


TASKS = [
    ModuleTask(
        id="3.1",
        title="Scale and shift",
        shares={
            "layer": 1,
            "forward": 1,
            "gradient of x": 0.5,
            "gradient of weight": 1,
            "gradient of bias": 0.5,
        },
        minutes=20,
        hints=(
            "Take the layer `Scale` of the lesson as your model. What is new is one more input, "
            "`b`. Backward returns one gradient for each input of forward, in the same order.",
            "The gradient of `x` has the shape of `x`. Those of `w` and `b` have the shape (D,): "
            "every row used them, so the contributions of all rows are summed, not averaged.",
            "`b` is only added: its contribution from each row is the incoming gradient itself. In "
            "the Module, forward hands `x` and the two Parameters to `.apply`, one by one.",
        ),
        names=("x", "weight", "bias"),
        parameters=("weight", "bias"),
        starts=("weight", "bias"),
        make=lambda layer, x, weight, bias: layer(weight.numel()),
        inputs=lambda sample, n: (sample.normal(n, 4), sample.normal(4), sample.normal(4)),
        promises={
            "D = 1": lambda sample, n: (
                sample.normal(n, 1),
                sample.normal(1),
                sample.normal(1),
            ),
        },
    ),
    ModuleTask(
        id="3.2",
        title="Slopes that do not learn",
        shares={"layer": 2, "gradients": 2},
        minutes=20,
        hints=(
            "Two questions: does the optimizer know the slopes, and does autograd? Print "
            '`list(layer.parameters())`, and read the section "A weight inside a dict" again.',
            "A plain tensor on `self` is not registered, whether or not it requires a gradient. "
            "And `.apply` tracks a tensor only if that tensor is an argument of its own.",
            "Once the slopes are an argument, backward owes them a gradient: take the incoming "
            "gradient times `x` where `x` is not positive, zero elsewhere, and sum over the rows.",
        ),
        names=("x", "slope"),
        parameters=("slope",),
        starts=("slope",),
        make=lambda layer, x, slope: layer(slope.numel()),
        inputs=lambda sample, n: (sample.away(n, 4), sample.uniform(4, low=0.1, high=0.9)),
        promises={
            "D = 1": lambda sample, n: (sample.away(n, 1), sample.normal(1)),
            "a 0 in x": lambda sample, n: (sample.with_0(n, 4), sample.normal(4)),
        },
    ),
    ModuleTask(
        id="3.3",
        title="A linear layer for sequences",
        shares={
            "layer": 1,
            "forward": 1,
            "gradient of x": 1,
            "gradient of weight": 1,
            "gradient of bias": 0.5,
            "without bias": 0.5,
        },
        minutes=25,
        hints=(
            "Think of the sentences as one long list of N T words. Then it is the linear layer of "
            "lesson 1, and its gradients are known.",
            "`grad_x` keeps the shape of `x`. For `grad_W` and `grad_b`, bring the incoming "
            "gradient and `x` to two dimensions, (N T, n_out) and (N T, n_in), with `flatten(0, "
            "1)`.",
            "`b` can be `None`, in forward and in the Module: then nothing is added, and backward "
            "returns `None` in its place. `self.bias = None` is allowed. The gradient of `W` is "
            "(n_out, n_in): of the two flattened tensors, one has to be transposed.",
        ),
        names=("x", "weight", "bias"),
        parameters=("weight", "bias"),
        make=lambda layer, x, weight, bias: layer(
            weight.shape[1], weight.shape[0], bias=bias is not None
        ),
        inputs=lambda sample, n: words(sample, n, 2, 4, 5),
        promises={
            "no bias": lambda sample, n: (*words(sample, n, 2, 4, 5)[:2], None),
            "T = 1": lambda sample, n: words(sample, n, 1, 4, 5),
            "n_in = 1": lambda sample, n: words(sample, n, 2, 1, 5),
            "n_out = 1": lambda sample, n: words(sample, n, 2, 4, 1),
        },
    ),
    PredictionTask(
        id="3.4",
        title="Who learns, who is saved?",
        shares={"functions": 0.5, "leaves": 0.5, "trained": 0.5, "saved": 0.5, "grad": 1},
        minutes=10,
        hints=(
            "Go through what `Model` keeps: `scale`, `shift`, `gain`. Which of them is a "
            "Parameter, which a buffer, which neither? And which of them requires a gradient?",
            "Each call of `.apply` makes a node. Each leaf that requires a gradient and was used "
            "has one `AccumulateGrad`, however often it was used. Parameters and buffers are "
            "saved, plain tensors are not.",
            "The formula is y = w (w x + 1), column by column, so `w` occurs twice. Its derivative "
            "with respect to `w` is 2 w x + 1; sum it over the two rows.",
        ),
        form="four numbers and a list of three numbers",
    ),
]
