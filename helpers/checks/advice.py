"""What the course's reports add to whygrad's: where in the lessons to read on."""

from collections.abc import Mapping
from dataclasses import replace

from whygrad import report
from whygrad.diagnosis import Verdict
from whygrad.mistakes import MISTAKES, Mistake

# Added to what whygrad advises.
READ_ON = {
    "raises": "The comma: lesson 2, “`saved_tensors` without the comma”.",
    "not-a-function": "See lesson 2, “`.apply` puts your backward into the graph”.",
    "unused-function": "See lesson 3, “A `backward` on the Module”.",
    "wrong-gradient-count": "See lesson 1, “One gradient too few”.",
    "swapped-gradients": "See lesson 1, “A Function: forward and backward side by side”.",
    "wrong-shape": "See lesson 1, “A wrong shape”.",
    "transposed": "See lesson 1, “A gradient transposed”.",
    "not-summed": "See lesson 1, “The three gradients, by shapes”.",
    "sum-or-mean": "See lesson 3, “The mean in place of the sum”.",
    "wrong-sign": "See lesson 4, “By finite differences: one row for each input”.",
    "grad-output-ignored": "See lesson 4, “By your backward: one column for each output”.",
    "not-linear-in-grad-output": "See lesson 4, “A backward that bends its incoming gradient”.",
    "wrong-mask": "See lesson 2, “ReLU as a Function”.",
    "wrong-gradient": "See lesson 4, “By your backward: one column for each output”.",
    "modifies-input": "See lesson 5, “An input overwritten in forward”.",
    "modifies-grad-output": "See lesson 2, “Writing into `grad_y`”.",
    "keeps-state": "See lesson 8, “A buffer used twice”.",
    "second-order-lost": "See lesson 5, “A branch that is cut”; for a copy lesson 6, “A copy has "
    "no history”; for NumPy lesson 8, “A second Function”.",
    "second-order-wrong": "See lesson 7, “The picture of the missing term”, and lesson 8, “When "
    "one of the two derivatives is left out”.",
    "wrong-dtype": "See lesson 3, “A Function that names its dtype or device”.",
    "needs-contiguous": "See lesson 2, “The incoming gradient is not yours”.",
    "needs-bias": "See lesson 1, “An optional bias, and gradients nobody asked for”.",
    "nondeterministic": "See lesson 4, “A backward that is not deterministic”.",
}
# In place of what whygrad advises.
INSTEAD = {
    "missing-gradient": "Print `y.grad_fn`. If it is None, the history was cut; see lesson 3, "
    "“Tensors inside a list”. Otherwise print what `backward` returns in this place.",
}


def _advised(name: str, mistake: Mistake) -> Mistake:
    look = INSTEAD.get(name, " ".join(filter(None, [mistake.look, READ_ON.get(name)])))
    return replace(mistake, look=look)


COURSE_MISTAKES = {name: _advised(name, mistake) for name, mistake in MISTAKES.items()}

# A prediction has no code: its report says only why a value is likely to be thought right.
PREDICTION = Mistake(
    "The prediction is not right.",
    "",
    "Work it out again on paper, one step per line. Then run the same steps in a new cell and "
    "compare them with yours.",
)
_OF_PREDICTIONS = {
    **dict.fromkeys(MISTAKES, PREDICTION),
    "not-started": COURSE_MISTAKES["not-started"],
}


def advice(verdict: Verdict) -> Mapping[str, Mistake]:
    """Return what the course says of each mistake, in a report on this verdict."""
    of_prediction = any(line.name == "prediction" for line in verdict.properties)
    return _OF_PREDICTIONS if of_prediction else COURSE_MISTAKES


def message(verdict: Verdict) -> str:
    """Return the diagnosis in a sentence or two, without the usual cause and the advice."""
    return report.message(verdict, advice(verdict))
