"""Give the hidden inputs of exercise 5, Square."""

HIDDEN = {
    "5.1": (lambda sample, n: (sample.normal(n, 2, 4, scale=3.0),),),
    "5.2": (
        lambda sample, n: (sample.normal(n, n), sample.normal(n)),
        lambda sample, n: (sample.normal(2, 6), sample.normal(6)),
    ),
}
