"""Give the hidden inputs of exercise 13, In a real training run."""

HIDDEN = {
    "13.1": (lambda sample, n: (sample.normal(n + 4, 5), sample.normal(8, 5), 0.7),),
    "13.2": (lambda sample, n: (sample.normal(9000), 0.1),),
}
