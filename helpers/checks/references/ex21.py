"""Give the right answers to exercise 21, Review first order."""

REFERENCES = {
    "21.1": [
        "right",
        "sum-or-mean",
        "right",
        "transposed",
        "wrong-mask",
        "grad-output-ignored",
        "modifies-grad-output",
        "not-linear-in-grad-output",
    ],
}
