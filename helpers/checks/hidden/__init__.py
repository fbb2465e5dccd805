"""The further inputs of the hidden checks; only where grading is.

A hidden check makes all that the visible one does, of another size and with other numbers. What is
added here are plain numbers that no student has seen, inputs that finite differences fail on, and
shapes for which the visible check would take too long. Those of an exercise of your own
stand in a file exNN.py beside this one, as its HIDDEN.
"""

from helpers.checks.task import Inputs
from helpers.checks.tasks import find, module_of
from helpers.checks.tasks.ex00 import neuron
from helpers.checks.tasks.ex10 import of_length

SIZE = 6  # of the batch, in place of the visible check's


def _far_off(draw, n):
    """A neuron whose loss is so large beside its gradients that differences of it say little."""
    return draw.normal(n, 2, scale=1e-4), draw.normal(n, scale=1e12), draw.normal(2), draw.normal()


HIDDEN: dict[str, tuple[Inputs, ...]] = {
    "0.2": (_far_off,),
    "0.3": (lambda draw, n: (*neuron(draw, n), 0.05, 6),),
    "2.1": (lambda draw, n: (draw.away(2, 3, 2), 0.3),),
    "4.1": (lambda draw, n: (draw.normal(2, 2, 3), draw.normal(2, 2, 2), 0.1),),
    "6.2": (lambda draw, n: (draw.normal(n, n), draw.normal(n, scale=0.5), -0.5),),
    "8.1": (lambda draw, n: (draw.uniform(n, 2, low=200.0, high=400.0),),),
    "8.2": (lambda draw, n: (draw.uniform(n, 2, low=2.5, high=3.5),),),
    "9.1": (lambda draw, n: (draw.normal(n, 2, 4, scale=2.0), 1.25),),
    "9.2": (lambda draw, n: (draw.normal(n, 2, 4), 0.8),),
    "10.2": (lambda draw, n: (*draw.pair(2, 3, 2), 0.7),),
    "10.3": (*map(of_length, (0.8, 1.3)),),
    "11.1": (lambda draw, n: (draw.normal(n, 2, 4, scale=2.0), 0.75),),
    "13.1": (lambda draw, n: (draw.normal(n + 4, 5), draw.normal(8, 5), 0.7),),
    "13.2": (lambda draw, n: (draw.normal(9000), 0.1),),
    "14.1": (lambda draw, n: draw.pair(2, 3, 2),),
    "14.2": (lambda draw, n: (draw.normal(1, 3), draw.normal(1)),),
    "15.1": (lambda draw, n: (draw.normal(n, 9, scale=2.0), 6),),
}


def hidden_inputs(task_id: str) -> tuple[Inputs, ...]:
    """Return the further inputs of a task's hidden check; none where its exercise names none."""
    own = module_of(find(task_id).number, __name__)
    return (HIDDEN | own.HIDDEN if own else HIDDEN).get(task_id, ())
