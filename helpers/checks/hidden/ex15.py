"""Give the hidden inputs of exercise 15, Capstone."""

from helpers.checks.tasks.ex15 import contraction

HIDDEN = {
    "15.1": (
        lambda sample, n: (sample.normal(n, 5), 1),
        lambda sample, n: (sample.normal(n, 9, scale=2.0), 6),
        lambda sample, n: (sample.normal(n, 4), 7),
    ),
    "15.2": (
        lambda sample, n: (sample.normal(n, 5), sample.normal(9, 5), sample.normal(9, 3)),
        lambda sample, n: (sample.normal(n, 1), sample.normal(6, 1), sample.normal(6, 1)),
    ),
    "15.3": (
        lambda sample, n: (sample.normal(n, 5), contraction(sample, 5)),
        lambda sample, n: (sample.normal(n, 2, scale=2.0), contraction(sample, 2)),
    ),
}
