"""Give the hidden inputs of exercise 4, gradcheck, and what fools it."""

HIDDEN = {
    "4.1": (
        lambda sample, n: (sample.normal(2, 2, 3), sample.normal(2, 2, 2), 0.1),
        lambda sample, n: (sample.normal(2, 3), sample.normal(), 0.1),
        lambda sample, n: (*sample.pair(), 0.1),
    ),
    "4.2": (lambda sample, n: (3 * sample.away(n, 2, 3, kinks=(-1 / 3, 1 / 3)),),),
}
