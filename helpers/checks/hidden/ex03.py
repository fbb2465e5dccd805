"""Give the hidden inputs of exercise 3, From Function to Module."""

HIDDEN = {
    "3.1": (lambda sample, n: (sample.normal(n, n), sample.normal(n), sample.normal(n)),),
    "3.2": (lambda sample, n: (sample.away(n, n), sample.normal(n)),),
    "3.3": (
        lambda sample, n: (sample.normal(n, 3, 3), sample.normal(3, 3), sample.normal(3)),
        lambda sample, n: (sample.normal(n, 1, 2), sample.normal(5, 2), None),
    ),
}
