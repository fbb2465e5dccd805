"""Give the right answers to exercise 22, Review double backward."""

REFERENCES = {
    "22.1": [
        "right",
        "second-order-lost",
        "right",
        "second-order-term-left-out",
        "second-order-extra-ignored",
        "second-order-swapped",
        "right",
        "second-order-missing",
    ],
}
