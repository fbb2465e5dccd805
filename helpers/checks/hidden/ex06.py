"""Give the hidden inputs of exercise 6, Exp."""

HIDDEN = {
    "6.1": (lambda sample, n: (sample.away(n, 2, 4, gap=0.2),),),
    "6.2": (
        lambda sample, n: (sample.normal(n, n), sample.normal(n, scale=0.5), -0.5),
        lambda sample, n: (sample.normal(n, 1), sample.normal(1), 3),
    ),
    "6.4": (
        lambda sample, n: (sample.normal(n, 2, scale=3.0),),
        lambda sample, n: (sample.normal(2, 7),),
    ),
}
