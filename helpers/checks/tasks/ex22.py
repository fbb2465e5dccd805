"""List the tasks of exercise 22, Review double backward."""

from helpers.checks.task import PredictionTask

TASKS = [
    PredictionTask(
        id="22.1",
        title="Which can be differentiated twice?",
        shares=dict.fromkeys(
            ("root", "wave", "swish", "climb", "bend", "fourth", "inverse", "fall"), 0.5
        ),
        minutes=25,
        hints=(
            "For each factor of what backward returns, ask two questions. Does it depend on `x`? "
            "Does it have a history in backward, so that autograd knows that it does?",
            "A saved input and a saved output that was returned have a history. What forward made "
            "on the way has none. What is computed in backward has one, if grad mode is on there.",
            "For a second Function, differentiate what its forward computes with respect to each "
            "of its inputs, on paper. Then compare, in order, with what its backward returns. For "
            "further outputs, look for each incoming gradient in what backward returns.",
        ),
        form="eight texts, each one of the words in the table",
        words=(
            "right",
            "second-order-lost",
            "second-order-term-left-out",
            "second-order-extra-ignored",
            "second-order-missing",
            "second-order-swapped",
            "second-order-sign",
            "second-order-grad-output-ignored",
        ),
    ),
]
