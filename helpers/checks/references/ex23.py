"""Give the right answers to exercise 23, Review beyond."""

REFERENCES = {
    "23.1": [
        "right",
        "kept-on-ctx",
        "wrong-intent",
        "missing-conjugate",
        "wrong-vmap",
        "right",
        "not-repeatable",
        "breaks-the-graph",
    ],
}
