"""List the tasks of exercise 9, ctx."""

from helpers.checks.task import FunctionTask, PredictionTask


def _clamped(answer, x, limit):
    """Hand over a copy of x; return the output, and what that copy is afterwards."""
    from whygrad.arguments import callable_of  # and torch

    written = x.clone()
    memory = written.data_ptr()
    y = callable_of(answer)(written, limit)
    if isinstance(y, tuple | list):
        return (y,)  # several outputs: beside another one, a report would count it among them
    # Another memory may hold the right numbers: nothing was written into the one handed over.
    return y, (written if written.data_ptr() == memory else x).clone()


TASKS = [
    FunctionTask(
        id="9.1",
        title="Clamp in place",
        shares={"forward": 1, "gradient of x": 3},
        minutes=20,
        hints=(
            "Three things have to happen in forward: keep what backward needs, write, and tell "
            "autograd about the write. Which of them has to come first?",
            "After the write, the numbers outside the limits are gone. So check which ones lie "
            "inside before `clamp_`, and save the answer, a tensor of `True` and `False`.",
            "`mark_dirty` takes the input that was written into, and forward returns this very "
            "tensor. Backward multiplies `grad_y` by what was saved, and returns `None` for "
            "`limit`.",
        ),
        names=("x", "limit"),
        incoming=("grad_y", "grad_later"),
        inputs=lambda sample, n: (sample.normal(n, 4, scale=1.5), 0.7),
        promises={
            "x of one dimension and another limit": lambda sample, n: (sample.normal(20), 0.5),
            "x of three dimensions": lambda sample, n: (sample.normal(n, 2, 4), 0.7),
            "x of the shape () and limit = 3": lambda sample, n: (4 + sample.normal().abs(), 3),
        },
        views=True,
        in_place=True,
        saves="watched",
        call=_clamped,
    ),
    FunctionTask(
        id="9.2",
        title="Repair the bell",
        shares={"gradient of x": 2, "second order": 1},
        minutes=15,
        hints=(
            "The numbers are right. Which attributes of `ctx` are tensors, and which is a plain "
            "number?",
            "`x` is an input and `y` is the output. The table at the end of the lesson says where "
            "each of the three belongs.",
            "One call of `save_for_backward` takes both tensors. In backward, `saved_tensors` "
            "gives them back in the same order; `a` stays where it is.",
        ),
        names=("x", "a"),
        inputs=lambda sample, n: (sample.normal(n, 3), 0.5),
        promises={
            "x of one dimension and another a": lambda sample, n: (sample.normal(4), 1.5),
            "x of the shape () and a = 0": lambda sample, n: (sample.normal(), 0.0),
            "three dimensions, a 0 in x and a negative a": lambda sample, n: (
                sample.with_0(n, 2, 3),
                -0.4,
            ),
        },
        order=2,
        saves="watched",
    ),
    PredictionTask(
        id="9.3",
        title="Who raises?",
        shares=dict.fromkeys(
            ("saved", "kept", "twice", "overwritten", "leaf", "first_of_two"), 0.5
        ),
        minutes=10,
        hints=(
            "An error comes only from somebody who looks. Who looks at versions, who frees what "
            "was kept, and who knows about a write?",
            "Autograd looks at what was saved with `save_for_backward`. It never looks at "
            "attributes of `ctx`. If an input is marked, `.apply` asks whether it may be "
            "overwritten.",
            "Without `mark_dirty`, autograd still takes `h` for `3 * x`, its value before the "
            "write. And with `set_materialize_grads(False)`, `None` arrives for the output that "
            "was not used: what is 3 times `None`?",
        ),
        form='six texts, each "apply", "grad", "wrong" or "right"',
        words=("apply", "grad", "wrong", "right"),
    ),
]
