"""List the tasks of exercise 23, Review beyond."""

from helpers.checks.task import PredictionTask

TASKS = [
    PredictionTask(
        id="23.1",
        title="Which keep their promise?",
        shares=dict.fromkeys(
            ("stairs", "growth", "against", "power", "inner", "gate", "coin", "upright"), 0.5
        ),
        minutes=40,
        hints=(
            "Read the text of each class first, and ask what has to hold for it. Then look for the "
            "line that decides it. A gradient that is not the derivative may be what is meant.",
            "Who else acts on these Functions? Backward frees what is saved, `vmap` moves a batch "
            "to another dimension, a checkpoint runs forward again, and the compiler reads code "
            "without numbers.",
            "Look at one line of each: where `Stairs` uses `grad_y`, `Growth` keeps exp(x), and "
            "`Against` uses `factor`; what multiplies `grad_y` in `Power`, for a complex `x`; what "
            "the rule of `Inner` does with `in_dims`; what `Gate` saves, whose random numbers "
            "`Coin` draws, and where `Upright` takes a number out of a tensor.",
        ),
        form="eight texts, each one of the words in the table",
        words=(
            "right",
            "kept-on-ctx",
            "not-marked",
            "wrong-intent",
            "missing-conjugate",
            "wrong-vmap",
            "wrong-jvp",
            "keeps-too-much",
            "not-repeatable",
            "breaks-the-graph",
        ),
    ),
]
