"""List the tasks of exercise 14, Compiler."""

from functools import cache

from helpers.checks.task import PredictionTask, ValuesTask
from helpers.checks.tasks.ex13 import calls


def completed(answer):
    """Return what gives a new op for log-sum-exp, completed by the answer, which counts its `runs`.

    It is made at the first call.
    """
    import torch
    from scipy import special

    @cache
    def new_op():
        runs = []

        @torch.library.custom_op("exercise14::op_of_the_check", mutates_args=())
        def op(x: torch.Tensor) -> torch.Tensor:
            runs.append(x.shape)
            return torch.as_tensor(special.logsumexp(x.numpy(), axis=1))

        op.runs = runs
        answer(op)
        return op

    return new_op


def with_norm_1(sample, n):
    """Return an x whose norm is exactly 1, where the case of g still holds."""
    x = 0 * sample.normal(3, 3)
    x[1, 2] = 1
    return x, sample.normal(3, 3)


def cancelling(sample, n):
    """Return an x and a large gradient almost along it: grad_x is a difference of large terms."""
    x = sample.normal(3, 3)
    return x, 1e7 * x + sample.normal(3, 3)


def far_rows(sample, n):
    """Return an x whose rows are so far apart that one row's largest number helps no other."""
    rows = sample.normal(n)
    return sample.normal(n, 4) + 900 * (rows.argsort() - 1)[:, None], rows


TASKS = [
    ValuesTask(
        id="14.1",
        title="Repair what breaks the graph",
        shares={"graph": 2, "y": 1, "grad_x": 2},
        minutes=15,
        hints=(
            "Compile it with fullgraph=True. The last lines of the message mostly name the line of "
            "yours that stands in the way; if none is yours, look for item(). Repair it, and "
            "compile again: there are several.",
            "Let n stay a tensor: no item() in forward, no print, and no if that asks about n. A "
            "tensor goes through save_for_backward.",
            "max(n, 1) of a tensor is n.clamp(min=1). In backward, work out both cases, and let "
            "torch.where(n > 1, …, grad_y) choose.",
        ),
        names=("graph", "y", "grad_x"),
        # Of one size, so that the compiler reads the answer once.
        inputs=lambda sample, n: sample.pair(3, 3),
        promises={
            "an x with n < 1": lambda sample, n: (0.1 * sample.normal(3, 3), sample.normal(3, 3)),
            "an x with n = 1": with_norm_1,
            "an x of zeros": lambda sample, n: (0 * sample.normal(3, 3), sample.normal(3, 3)),
            "a large grad_y along x": cancelling,
        },
        untouched=("x", "grad_y"),
        call=lambda *given: calls().compiled_whole(*given),
    ),
    ValuesTask(
        id="14.2",
        title="Tell what the op lacks",
        shares={"fake": 1, "grad_x": 2, "compiled": 1},
        minutes=20,
        hints=(
            "Write the two parts one after the other. With the fake alone, a call of the op with "
            'a tensor of device="meta" gives a shape and a dtype.',
            "The result has one number for each row, and the dtype of x: new_empty makes such a "
            "tensor of x. What backward needs are the input and the output of the op.",
            "grad_y and y have the shape (N,), x has (N, D). With [:, None] behind them, the "
            "first two become columns: grad_y[:, None] * torch.exp(x - …).",
        ),
        names=("fake", "grad_x", "compiled"),
        inputs=lambda sample, n: (sample.normal(n, 4), sample.normal(n)),
        promises={
            # float32 does not hold the digits that exp(x - y) needs.
            "an x of about −600": lambda sample, n: (
                0.1 * sample.normal(n, 4) - 600,
                sample.normal(n),
            ),
            # exp(x) is inf, also in float64.
            "an x of about 800": lambda sample, n: (
                0.1 * sample.normal(n, 4) + 800,
                sample.normal(n),
            ),
            "rows that are far apart": far_rows,
            "a float32 x": lambda sample, n: (
                sample.normal(n, 4).float(),
                sample.normal(n).float(),
            ),
        },
        untouched=("x", "grad_y"),
        prepare=completed,
        call=lambda *given: calls().registered(*given),
    ),
    PredictionTask(
        id="14.3",
        title="What the compiler does",
        shares=dict.fromkeys(("masks", "asks", "sorts", "bessel", "shows", "dawson"), 1),
        minutes=10,
        hints=(
            "The compiler reads with tensors that have a shape and a dtype, and no numbers. Which "
            "of these lines needs a number?",
            "A comparison with a tensor as its result is an operation like any other; an if needs "
            "yes or no. NumPy's functions are known to the compiler, those of SciPy are not.",
            "The compiler reads backward together with forward. A graph break is for Python that "
            "can run as always; a box that does not tell its shape has no such way out.",
        ),
        form="six texts",
        words=("one graph", "break", "raises", "wrong numbers"),
    ),
]
