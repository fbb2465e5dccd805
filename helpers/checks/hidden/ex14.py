"""Give the hidden inputs of exercise 14, Compiler."""

HIDDEN = {
    "14.1": tuple(
        lambda sample, n, factor=factor: (factor * sample.normal(2, 3, 2), sample.normal(2, 3, 2))
        for factor in (1, 0.05, 0)
    ),
    "14.2": (
        lambda sample, n: (3 * sample.normal(n + 1, 3), sample.normal(n + 1)),
        lambda sample, n: (sample.normal(1, 3), sample.normal(1)),
    ),
}
