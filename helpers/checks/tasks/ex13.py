"""List the tasks of exercise 13, In a real training run."""

from helpers.checks.task import PredictionTask, ValuesTask


def calls():
    """Import late what imports torch, for which `course status` would wait."""
    from helpers.checks.tasks import training_and_compiler

    return training_and_compiler


_MASKED = (
    "how they are dropped",
    "dropped",
    "other mask in the next call",
    "y",
    "plain grad_x",
    "plain grad_x where x is 0",
    "other mask after a backward",
    "checkpointed grad_x, use_reentrant=False",
    "checkpointed grad_x, use_reentrant=True",
)

_FINE = (
    "the caller's things",
    "y",
    "digits of the gradients",
    "grad_x",
    "grad_W",
    "y under autocast",
    "backward after autocast",
    "y of a bfloat16 x",
    "backward under autocast",
)

TASKS = [
    ValuesTask(
        id="13.1",
        title="Scores with all their digits",
        shares={name: 0.5 for name in _FINE if name != "digits of the gradients"},
        minutes=15,
        hints=(
            "First write forward and backward as if there were no autocast. The lesson has two "
            "lines that make such a Function compute in float32. What does each of them do?",
            "For forward: which argument of custom_fwd casts the inputs, and switches autocast "
            "off? For backward: who makes sure that autocast is off there as well?",
            "Both decorators stand below @staticmethod and need device_type. Backward returns the "
            "scale times two matrix products, and None for the scale, which is no tensor.",
        ),
        names=_FINE,
        inputs=lambda sample, n: (sample.normal(n, 6), sample.normal(5, 6), 0.3),
        promises={
            "other sizes and another scale": lambda sample, n: (
                sample.normal(n + 2, 6),
                sample.normal(8, 6),
                -1.7,
            ),
        },
        call=lambda *given: calls().scores(*given),
        any_dtype=True,
    ),
    ValuesTask(
        id="13.2",
        title="Repair the mask",
        shares={_MASKED[-2]: 2, _MASKED[-1]: 1},
        minutes=15,
        hints=(
            "Print kept in forward, and call Dropout once inside of checkpoint, with a backward. "
            "How many masks do you see, and are they equal?",
            "checkpoint puts back PyTorch's own random numbers before the second run. From where "
            "does this Function take its numbers?",
            "The numbers must be PyTorch's own. How does torch.rand get the numbers of another "
            "generator? Look at its arguments. What backward does is right already.",
        ),
        names=_MASKED,
        inputs=lambda sample, n: (sample.normal(n + 300, 50), 0.3),
        promises={
            "x of three dimensions and another p": lambda sample, n: (
                sample.normal(n + 17, 20, 50),
                0.7,
            ),
        },
        call=lambda *given: calls().dropped(*given),
        any_dtype=True,
    ),
    PredictionTask(
        id="13.3",
        title="Predict dtypes",
        shares={"plain": 1, "decorated": 1, "cast": 1},
        minutes=10,
        hints=(
            "Go through a call in its order: what comes in, what autocast does to the product, "
            "whether autocast is on in backward, and what autograd does with what comes back.",
            "The block with autocast has ended when backward is called. Only custom_bwd can switch "
            "it on again, and only if it was on in forward.",
            "In backward of plain, a bfloat16 grad_y meets the float32 W. A gradient that arrives "
            "at W always has the dtype of W, if backward got that far.",
        ),
        form='three lists of four texts each, "float32", "bfloat16" or "error"',
        entries=("x in forward", "y", "returned for W", "arrives at W"),
        words=("float32", "bfloat16", "error"),
    ),
]
