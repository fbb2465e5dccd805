"""List the tasks of exercise 4, gradcheck, and what fools it."""

from helpers.checks.task import FunctionTask, PredictionTask, ValuesTask, of_any_shape

_KINKS = (-1.0, 1.0)  # where the Function of 4.2 goes from one branch to another
_EPS = 0.05  # large enough to tell a central difference from another one


def _products(x):
    """x (..., D); returns x[j] x[j + 1]² along the last dimension, (..., D - 1)."""
    return x[..., :-1].mul(x[..., 1:].square())


def _cubes(x):
    """x of any shape; returns the sum of its cubes, a single number."""
    return x.pow(3).sum()


def _call(answer, x, grad_y, eps):
    return answer(_products if grad_y.dim() else _cubes, x, grad_y, eps=eps)


TASKS = [
    ValuesTask(
        id="4.1",
        title="The gradient without a backward",
        shares={"values": 4},
        minutes=25,
        hints=(
            "Compare with `numerical_jacobian` of the lesson. There, `x` had one dimension. What "
            "does a unit vector look like for an `x` of shape (3, 4)?",
            "There are `x.numel()` steps, one for each element: `eps` at one place, zero "
            "elsewhere, in the shape of `x`. `torch.eye` and `reshape` make them, as in the "
            "lesson.",
            "The difference of the two values of `fn` has the shape of `grad_y`. Divide it by `2 * "
            "eps`, multiply by `grad_y`, and sum everything: this is one number of the result.",
        ),
        by_hand=True,
        names=("grad_x",),
        inputs=lambda sample, n: (sample.normal(n, 4), sample.normal(n, 3), _EPS),
        promises={
            "x of one dimension": lambda sample, n: (sample.normal(5), sample.normal(4), _EPS),
            "eps = 0.2": lambda sample, n: (sample.normal(5), sample.normal(4), 0.2),
            "eps = 0.001": lambda sample, n: (sample.normal(5), sample.normal(4), 1e-3),
            "transposed tensors of three dimensions": lambda sample, n: (
                sample.normal(3, 1, n).transpose(0, 2),
                sample.normal(2, 1, n).transpose(0, 2),
                _EPS,
            ),
            "x of the shape ()": lambda sample, n: (*sample.pair(), _EPS),
            "fn(x) of the shape ()": lambda sample, n: (sample.normal(4), sample.normal(), _EPS),
        },
        call=_call,
        untouched=("x", "grad_y"),
    ),
    FunctionTask(
        id="4.2",
        title="Passed, and wrong",
        shares={"gradients": 4},
        minutes=15,
        hints=(
            "`gradcheck` looks at the points that it is given, with unit vectors as incoming "
            "gradients. What does the test never try?",
            "The length of a unit vector is 1, so dividing by it changes nothing. And all three "
            "numbers of the test point are between -1 and 1.",
            "Leave `grad_y` as it is, and multiply it by the slope of the branch that each element "
            "is on: `torch.where` chooses between `x` and the sign of `x`.",
        ),
        names=("x",),
        inputs=lambda sample, n: (sample.away(n, 4, kinks=_KINKS),),
        promises={
            **of_any_shape(lambda sample, *shape: sample.away(*shape, kinks=_KINKS)),
            "a 0 in x": lambda sample, n: (sample.with_0(n, 4),),
        },
    ),
    PredictionTask(
        id="4.3",
        title="Who finds it?",
        shares=dict.fromkeys(("double", "data", "plus_one", "of_abs", "squared"), 0.6),
        minutes=10,
        hints=(
            "Ask for each check what it compares with what. Only one of the four knows that `x**3` "
            "was meant.",
            "`gradcheck` compares backward with forward, `gradgradcheck` compares the derivative "
            "of backward with backward. A constant that is added to forward changes no slope.",
            "Look at the point: what is the absolute value of a positive number? And look at the "
            "incoming gradients: those of `gradcheck` consist of zeros and a single 1.",
        ),
        form='five texts, each "values", "gradcheck", "gradgradcheck", "linear" or "none"',
        words=("values", "gradcheck", "gradgradcheck", "linear", "none"),
    ),
]
