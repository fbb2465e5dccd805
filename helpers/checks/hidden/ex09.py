"""Give the hidden inputs of exercise 9, ctx."""

HIDDEN = {
    "9.1": (lambda sample, n: (sample.normal(n, 2, 4, scale=2.0), 1.25),),
    "9.2": (lambda sample, n: (sample.normal(n, 2, 4), 0.8),),
}
