"""Give the hidden inputs of exercise 10, Bending gradients."""

from helpers.checks.tasks.ex10 import close_to_0, large_gradients, of_length, with_edges

HIDDEN = {
    "10.1": (
        lambda sample, n: (with_edges(sample, 2, 3, 4),),
        lambda sample, n: (sample.uniform(4, low=-3.0, high=-1.2),),
        lambda sample, n: (1e20 * sample.normal(3),),
        close_to_0,
    ),
    "10.2": (
        lambda sample, n: (sample.normal(2, 3, 2), sample.normal(2, 3, 2), 0.7),
        lambda sample, n: (sample.normal(n), sample.normal(n), -1.6),
    ),
    "10.3": (
        lambda sample, n: (sample.normal(2, 3, 2), 0.8),
        lambda sample, n: (sample.normal(n, 4), 3.0),
        *map(of_length, (0.8, 1.005, 1.3)),
    ),
    "10.5": (
        lambda sample, n: (sample.normal(n, 3), sample.uniform(n, 3, low=-4.0, high=4.0)),
        large_gradients,
    ),
}
