"""Tasks of exercise 2, MyReLU: functions made of straight pieces."""

from helpers.checks.task import FunctionTask, PredictionTask, of_any_shape

CLAMP = (-1.0, 1.0)  # the kinks of clamp


def learnable(draw, *shape):
    """Return x of the given shape, away from 0, and the slope a (1,) between 0.1 and 0.4."""
    return draw.away(*shape), draw.uniform(1, low=0.1, high=0.4)


TASKS = [
    FunctionTask(
        id="2.1",
        title="LeakyReLU",
        shares={"forward": 1, "gradient of x": 2},
        minutes=15,
        hints=(
            "Forward has two cases, and so has backward. Which tensor tells them apart?",
            "Where `x` is negative, the slope of `y` is `slope`; elsewhere it is 1.",
            "`torch.where(x < 0, a, b)` takes `a` where `x` is negative, and `b` elsewhere. "
            "`slope` is a plain number: backward returns `None` for it.",
        ),
        names=("x", "slope"),
        # Another slope than in the text, and some x lie below it.
        inputs=lambda draw, n: (draw.away(n, 4), 0.4),
        promises={
            "x of one dimension": lambda draw, n: (draw.away(6), 0.25),
            "x of the shape ()": lambda draw, n: (draw.away(), 0.25),
            "x of three dimensions, all above 0": lambda draw, n: (
                draw.uniform(n, 2, 2, low=0.2, high=2.0),
                0.1,
            ),
            "all of x below 0": lambda draw, n: (-draw.uniform(n, 2, low=0.2, high=2.0), 0.9),
        },
    ),
    FunctionTask(
        id="2.2",
        title="Repair a clamp",
        shares={"gradients": 3},
        minutes=10,
        hints=(
            "The numbers are right. What else does this backward do?",
            "Print an incoming gradient before and after the call of `backward`.",
            "`grad_y` belongs to the caller. Write into a copy of it.",
        ),
        names=("x",),
        inputs=lambda draw, n: (draw.away(n, 4, kinks=CLAMP),),
        promises={
            **of_any_shape(lambda draw, *shape: draw.away(*shape, kinks=CLAMP)),
            "all of x between −1 and 1": lambda draw, n: (draw.uniform(n, 2, low=-0.9, high=0.9),),
        },
    ),
    PredictionTask(
        id="2.3",
        title="Predict three slopes at a kink",
        shares={"1. torch.where": 0.5, "2. x.sign()": 0.5, "3. central differences": 1},
        minutes=5,
        hints=(
            "At exactly 0 a comparison is either true or false. Which?",
            "`0 < 0` is `False`, so the first one takes its other branch. And the sign of 0 is 0.",
            "For the third, compute |h| and |−h| for a small `h`, and subtract.",
        ),
        form="a list of three numbers",
    ),
    FunctionTask(
        id="2.4",
        title="A slope that is learnt",
        shares={"forward": 1, "gradient of x": 1, "gradient of a": 2},
        minutes=20,
        hints=(
            "There are two gradients now. Which elements of `y` depend on `a` at all?",
            "Where `x` is negative, y = a x: its derivative with respect to `x` is `a`, and with "
            "respect to `a` it is `x`. Elsewhere they are 1 and 0.",
            "One number `a` takes part in many elements of `y`, so its gradient is a sum over all "
            "of them. `sum()` gives the shape (); `reshape(1)` makes it (1,), the shape of `a`.",
        ),
        names=("x", "a"),
        inputs=lambda draw, n: learnable(draw, n, 4),
        promises={
            "x of one dimension": lambda draw, n: learnable(draw, 6),
            "x of three dimensions": lambda draw, n: learnable(draw, n, 2, 2),
            "all of x above 0": lambda draw, n: (
                draw.uniform(n, 4, low=0.2, high=2.0),
                draw.uniform(1, low=0.1),
            ),
            "a above 1": lambda draw, n: (draw.away(n, 4), draw.uniform(1, low=1.2, high=2.0)),
            "a below 0": lambda draw, n: (draw.away(n, 4), -draw.uniform(1, low=0.2)),
        },
    ),
]
