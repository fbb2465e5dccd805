"""List the tasks of exercise 10, Bending gradients."""

from helpers.checks.task import FunctionTask, PredictionTask, ValuesTask, of_any_shape

EDGES = (-1.0, 0.0, 1.0)  # of the window, and the place of the jump
_FAR = (-2.5, -1.05, 1.05, 2.5)  # where a window that is too wide shows


def fixed(*numbers):
    """Return a float64 tensor of just these numbers."""
    import torch

    return torch.tensor(numbers, dtype=torch.float64)


def with_edges(sample, *shape):
    """Return x of the given shape with seven more numbers at the end of its last dimension.

    They are the edges of the window, the jump between them, and numbers outside on either side.
    """
    import torch

    edges = fixed(*EDGES, *_FAR).expand(*shape[:-1], -1)
    return torch.cat((sample.away(*shape, kinks=EDGES), edges), dim=-1)


def very_large(sample, n):
    """Return x (4,): beside two of the numbers, 1 is lost in the rounding."""
    return (fixed(-1e20, -0.4, 0.7, 1e20),)


def close_to_0(sample, n):
    """Return x (n, 12): so close to 0 that the sign differs from a steep line."""
    import torch

    sizes = fixed(1e-3, 1e-4, 1e-5, 1e-7, 1e-9, 1e-30)
    return (torch.cat((sizes, -sizes)).expand(n, -1),)


def of_length(ratio):
    """Return inputs x (8, 8) and most: the length of the gradient is `ratio` times most."""

    def inputs(sample, n):
        length = sample.incoming.normal(8, 8).square().sum().sqrt()
        return sample.normal(8, 8), length.item() / ratio

    return inputs


def at_the_ends(sample, n):
    """Return grad_y and x (n, 16): the last columns are near the ends of the window."""
    import torch

    ends = [-2.5, -2.3, -2.0, -2.0, 0.0, 2.0, 2.0, 2.3, 2.5]
    incoming = [-0.5, 0.8, 1.3, -0.6, 0.9, 0.7, -1.4, -1.1, 0.4]
    columns = (fixed(*one).expand(n, 9) for one in (incoming, ends))
    drawn = sample.normal(n, 7), sample.uniform(n, 7, low=-5.0, high=5.0)
    return tuple(torch.cat(pair, dim=-1) for pair in zip(drawn, columns, strict=True))


def large_gradients(sample, n):
    """Return grad_y and x (8,): a step against grad_y jumps over 0, and 100 times as far as well.

    A tenth of a step does so, too, where grad_y is more than 20 times as long as x.
    """
    x = fixed(-4.0, -2.5, 2.5, 4.0).repeat(2)
    times = 2.5 + sample.uniform(8)
    times[4:] *= 100
    return times * x, x


def three_edges(sample, n):
    """Return grad_y and x (3,): x is at the ends of the window, and in its middle."""
    return sample.normal(3), fixed(-2.0, 0.0, 2.0)


TASKS = [
    FunctionTask(
        id="10.1",
        title="A sign to train through",
        shares={"forward": 1, "gradient of x": 2},
        minutes=10,
        hints=(
            "Forward and backward are two different functions here. Which of the two does each "
            "line of the task describe?",
            "Backward has to know where `x` lay. What does forward keep for it?",
            "The condition is on `x`, and on both sides of 0: `x.abs() <= 1`. Where it holds, the "
            "incoming gradient comes back as it is, and elsewhere a 0.",
        ),
        intended=True,
        names=("x",),
        inputs=lambda sample, n: (with_edges(sample, n, 5),),
        promises={
            **of_any_shape(lambda sample, *shape: sample.away(*shape, kinks=EDGES)),
            "very large x": very_large,
            "x very close to 0": close_to_0,
        },
    ),
    FunctionTask(
        id="10.2",
        title="Repair a reversed branch",
        shares={"gradient of x": 1, "gradient of z": 2},
        minutes=10,
        hints=(
            "Print `grad_x` and `grad_z` before the last line of backward. How many tensors are "
            "they?",
            "An operation whose name ends in an underscore writes into its tensor. Who else holds "
            "that tensor?",
            "Make a new tensor for `z`, and leave `grad_y` as it came. And something that forward "
            "keeps is not used yet.",
        ),
        intended=True,
        names=("x", "z", "factor"),
        inputs=lambda sample, n: (sample.normal(n, 3), sample.normal(n, 3), 0.4),
        promises={
            "one dimension and another factor": lambda sample, n: (*sample.pair(n), 2.5),
            "three dimensions and a factor of 0": lambda sample, n: (*sample.pair(2, n, 2), 0.0),
            "the shape () and a negative factor": lambda sample, n: (*sample.pair(), -0.8),
        },
    ),
    FunctionTask(
        id="10.3",
        title="A gradient of limited length",
        shares={"forward": 1, "gradient of x": 3},
        minutes=10,
        hints=(
            "There are two cases. Which single number decides between them?",
            "The length is one number for the whole gradient: square, sum over all elements, "
            "take the root. Compare it with the number that forward has kept.",
            "A gradient that is short enough goes back as it is. A longer one is multiplied by "
            "the limit and divided by its own length. The second input is a plain number.",
        ),
        intended=True,
        names=("x", "most"),
        inputs=lambda sample, n: (sample.normal(n, 3), 0.4),
        promises={
            "x of one dimension": lambda sample, n: (sample.normal(n), 0.5),
            "x of three dimensions": lambda sample, n: (sample.normal(2, 3, 2), 0.8),
            "x of the shape ()": lambda sample, n: (sample.normal(), 0.25),
            "`most` = 100": lambda sample, n: (sample.normal(n, 2), 100.0),
            "`most` = 1e-5": lambda sample, n: (sample.normal(n, 2), 1e-5),
            **{
                f"a gradient {ratio} times as long as `most`": of_length(ratio)
                for ratio in (0.7, 0.995, 1.005, 1.5)
            },
        },
        views=True,
    ),
    PredictionTask(
        id="10.4",
        title="Predict a chain of bends",
        shares={"at_u": 1, "at_w": 1, "after_two": 1},
        minutes=5,
        hints=(
            "Go backward from v² one step at a time, and write down the gradient between every two "
            "steps.",
            "A tensor's hook takes what has arrived at its tensor, and what it returns goes on. "
            "The hook of `w` comes last, before anything is added.",
            "`v` is 6, so 12 goes into `Reverse`. Then come the hook of `u`, the factor of `3 * "
            "w`, and the clamp. The second pass does the same, and `.grad` adds the two.",
        ),
        form="three numbers",
    ),
    ValuesTask(
        id="10.5",
        title="The rule of a bend",
        shares={"values": 2},
        minutes=10,
        hints=(
            "Where does the incoming gradient come through? Count the cases of the text.",
            "There are two, and one of them is enough: `x` lies inside, or the two signs agree.",
            "Two numbers have the same sign if their product is above 0. `|` joins two masks, each "
            "in brackets; `torch.where` takes `grad_y` where one of them holds, and 0 elsewhere.",
        ),
        names=("grad_x",),
        inputs=at_the_ends,
        promises={
            "one dimension": lambda sample, n: (sample.normal(7), 3 * sample.normal(7)),
            "transposed tensors of three dimensions": lambda sample, n: (
                sample.normal(n, 2, 5).mT,
                3 * sample.normal(n, 2, 5).mT,
            ),
            "x at −2, 0 and 2": three_edges,
            "large gradients": large_gradients,
            "small gradients": lambda sample, n: (1e-8 * sample.normal(9), 5 * sample.normal(9)),
            "the shape ()": lambda sample, n: (sample.normal(), 4 * sample.normal()),
        },
        untouched=("grad_y", "x"),
    ),
]
