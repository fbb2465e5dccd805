"""Give the hidden inputs of exercise 8, Cube."""

HIDDEN = {
    "8.1": (
        lambda draw, n: (draw.normal(2, 3, 2, scale=3.0),),
        # So far out that differences of the values say little.
        lambda draw, n: (draw.uniform(n, 2, low=200.0, high=400.0),),
    ),
    "8.2": (
        lambda draw, n: (draw.normal(2, 2, 3, scale=0.5),),
        lambda draw, n: (draw.uniform(n, 2, low=2.5, high=3.5),),
    ),
}
