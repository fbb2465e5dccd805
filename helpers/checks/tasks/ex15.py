"""List the tasks of exercise 15, Capstone."""

from helpers.checks.task import FunctionTask, PredictionTask


def half_turn(sample, size):
    """Return a (size, size) matrix that makes every vector just half as long: loops are slow."""
    import torch

    return torch.linalg.qr(sample.normal(size, size)).Q / 2


def with_zeros(sample, n):
    """Return rows with zeros in them: a quotient with x or y below gives no number there."""
    x = sample.normal(n, 5)
    x[:, 2] = 0
    return x, 3


def cancelling(sample, n):
    """Return numbers near the root of 2: for size 1, the two terms of the gradient cancel there."""
    return 2**0.5 + sample.normal(n, 5, scale=5e-3), 1


def large_scores(sample, n):
    """Return queries and keys whose scores have an exp that overflows."""
    q, k = sample.normal(n, 5, scale=60.0), sample.normal(7, 5, scale=60.0)
    return q, k, sample.normal(7, 2)


def many_in_float32(sample, n):
    """Return float32 rows enough for one that goes to and fro between two floats for ever."""
    return sample.normal(32, 4).float(), half_turn(sample, 4).float()


def slow_loop(sample, n):
    """Return small numbers that cancel in a sum, and a W that shrinks them least."""
    import torch

    x = sample.normal(n, 4, scale=0.02)
    return x - x.flip(1), 0.55 * torch.eye(4, dtype=torch.float64)


def settled_ends(sample, n):
    """Return rows of which the first and the last settle at once; every z only falls."""
    x = -sample.normal(n, 4).abs()
    x[0] = x[-1] = -6
    return x, contraction(sample, 4).abs()


def opposite(sample, n):
    """Return rows x and −x, of another length: what is summed over the rows stays 0."""
    import torch

    x = sample.normal(n, 3)
    return torch.cat([x, -x]), contraction(sample, 3)


def tiny_loop(sample, n):
    """Return rows so small that a loop whose rule is an absolute change stops at once."""
    return sample.normal(n, 4, scale=1e-7), half_turn(sample, 4)


def contraction(sample, size):
    """Return a (size, size) matrix that makes every vector at most half as long."""
    matrix = sample.normal(size, size)
    return matrix / (2 * matrix.norm())


TASKS = [
    FunctionTask(
        id="15.1",
        title="Repair the normalisation for every size",
        shares={"forward": 1, "gradient of x": 2},
        minutes=15,
        hints=(
            "Look at the values and the gradient separately. For the values, let the squares of a "
            "row be 1, 2, 4, 8, 16 and 32, and read the sums in binary, for the sizes 3 and 4.",
            "At channel `c`, the window starts at `c - before`. Which channel has to go when `c` "
            "grows by one, and at which `c` is that channel 0 for the first time?",
            "In backward, `c` takes part in the windows of all `j` from `c - after` to `c + "
            "before`: the window of forward, mirrored. The number of zeros in front is how far it "
            "reaches back.",
        ),
        names=("x", "size"),
        # An even size shows all that an odd one shows, and the order of before and after.
        inputs=lambda sample, n: (sample.normal(n, 6), 4),
        promises={
            "size 3": lambda sample, n: (sample.normal(n, 7), 3),
            "size 5": lambda sample, n: (sample.normal(n, 8), 5),
            "size 2": lambda sample, n: (sample.normal(n, 3), 2),
            "a size above C": lambda sample, n: (sample.normal(n, 3), 8),
            "size 1": lambda sample, n: (sample.normal(n, 5), 1),
            "zeros in x": with_zeros,
            "x near √2 and size 1, where the two terms nearly cancel": cancelling,
        },
    ),
    FunctionTask(
        id="15.2",
        title="Attention",
        shares={"forward": 0.5, "gradients": 1, "second order": 1.5, "memory": 1},
        minutes=15,
        hints=(
            "The lesson's `AttentionKeepsP` has the right first derivatives. What it saves is "
            "wrong in two ways: which?",
            "`P` is neither an input nor an output, so it comes back as a constant, and it is the "
            "large one. Backward has everything that is needed to compute it again.",
            "Save `q`, `k` and `v`. The first lines of backward compute `P` as forward did, with "
            "autograd watching; the rest is as in the lesson, including the root of d in `grad_q` "
            "and `grad_k`.",
        ),
        names=("q", "k", "v"),
        # d is no number of elements, nor is its root.
        inputs=lambda sample, n: (sample.normal(n, 5), sample.normal(7, 5), sample.normal(7, 2)),
        promises={
            "d, m and e of other sizes": lambda sample, n: (
                sample.normal(n, 2),
                sample.normal(8, 2),
                sample.normal(8, 4),
            ),
            "scores so large that their exp is infinite": large_scores,
        },
        order=2,
        saves_at_most=lambda q, k, v: (
            q.nbytes + k.nbytes + v.nbytes + len(q) * (v.shape[1] + 1) * v.element_size()
        ),
    ),
    FunctionTask(
        id="15.3",
        title="A layer with a fixed point",
        shares={"forward": 1, "gradient of x": 2, "gradient of W": 1, "memory": 1},
        minutes=20,
        hints=(
            "Nothing is recorded in forward, so the loop may stay there as it is. What does "
            "backward need from it, besides `W`?",
            "For one row it is W z, for a batch z Wᵀ. In the same way, Wᵀ v of one row becomes v W "
            "for a batch, without a transpose.",
            "Start `u` at zeros and repeat: `u` is `grad_z` plus the product of (`slope` times "
            "`u`) and `W`. Then `grad_x` is `slope` times `u`, and `grad_W` is `grad_x` "
            "transposed, times `z`.",
        ),
        names=("x", "W"),
        incoming=("grad_z",),
        # The slowest come first: steps that are too few show there.
        inputs=lambda sample, n: (sample.normal(n, 4, scale=0.3), half_turn(sample, 4)),
        promises={
            "small x that add up to 0, and W = 0.55 I": slow_loop,
            "x of about 1e-7": tiny_loop,
            "x of zeros": lambda sample, n: (0 * sample.normal(n, 4), half_turn(sample, 4)),
            "rows x and −x of another length": opposite,
            "a first and a last row that settle at once": settled_ends,
            "float32 and 32 rows": many_in_float32,
        },
        seconds=(1.5, 10),  # of a call, and of all: a `while` may never end
        saves_at_most=lambda x, W: 2 * x.nbytes + W.nbytes,
    ),
    PredictionTask(
        id="15.4",
        title="Four gradients",
        shares={
            "for x": 0.5,
            "without the loop": 0.5,
            "three steps": 0.5,
            "for w": 0.5,
        },
        minutes=5,
        hints=(
            "Here the equation can be solved: write `z` as a formula in `w` and `x`.",
            "z = x / (1 − w). Differentiate it with respect to `x`, then to `w`. For the steps, "
            "write down `z` after one, two and three of them, as a multiple of `x`.",
            "With respect to `x` it is 1 / (1 − w), with respect to `w` it is x / (1 − w)². The "
            "three steps give x, then w x + x, then w times that, plus x.",
        ),
        form="a list of four numbers",
    ),
]
