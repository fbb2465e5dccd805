"""List the tasks of exercise 21, Review first order."""

from helpers.checks.task import PredictionTask

TASKS = [
    PredictionTask(
        id="21.1",
        title="Which are right?",
        shares=dict.fromkeys(
            ("rows", "columns", "clip", "times", "hinge", "cubed", "size", "tripled"), 0.5
        ),
        minutes=20,
        hints=(
            "Work out each gradient on paper first, with shapes, and read the backward after that. "
            "A right backward may look odd, and a wrong one may look usual.",
            "Five questions for each: is `grad_y` a factor? Is the shape that of the input, by a "
            "sum and not a mean? Do the indices of a matrix product fit when all sizes differ? "
            "Where does the mask let the gradient pass? Is anything changed in place?",
            "Put numbers in: `x = [-2, 0.5, 2]` for those with a mask, a batch of two rows for "
            "those with a sum, and the incoming gradients `g` and `100 * g` for those without "
            "either.",
        ),
        form="eight texts, each one of the words in the table",
        words=(
            "right",
            "wrong-sign",
            "missing-gradient",
            "transposed",
            "not-summed",
            "sum-or-mean",
            "wrong-mask",
            "grad-output-ignored",
            "not-linear-in-grad-output",
            "modifies-grad-output",
        ),
    ),
]
