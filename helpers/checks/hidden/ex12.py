"""Give the hidden inputs of exercise 12, Memory and speed."""

HIDDEN = {
    "12.1": (lambda sample, n: (sample.normal(n, 2, 4, scale=2.0),),),
    "12.2": (
        lambda sample, n: (sample.normal(n, 7),),
        lambda sample, n: (sample.normal(2, 5, scale=0.1),),
    ),
}
