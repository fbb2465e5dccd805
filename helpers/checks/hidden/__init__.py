"""The further inputs of the hidden checks; only where grading is.

Those of an exercise of your own stand in a file exNN.py beside this one, as its HIDDEN.
"""

from importlib import import_module

from helpers.checks.task import Inputs
from helpers.checks.tasks.ex00 import neuron
from helpers.checks.tasks.ex01 import columns, rows
from helpers.checks.tasks.ex02 import learnable
from helpers.checks.tasks.ex10 import close_to_0, large_gradients, of_length, with_edges
from helpers.checks.tasks.ex15 import contraction

SIZE = 5  # of the batch, in place of the visible check's


def _far_off(draw, n):
    """A neuron whose loss is so large beside its gradients that differences of it say little."""
    return draw.normal(n, 2, scale=1e-4), draw.normal(n, scale=1e12), draw.normal(2), draw.normal()


HIDDEN: dict[str, tuple[Inputs, ...]] = {
    "0.2": (
        lambda draw, n: neuron(draw, 2 * n),
        _far_off,
    ),
    "0.3": (lambda draw, n: (*neuron(draw, n), 0.05, 6),),
    "1.1": (lambda draw, n: rows(draw, n, 5, 5),),
    "1.2": (lambda draw, n: columns(draw, n, 3, 3),),
    "2.1": (lambda draw, n: (draw.away(2, 3, 2), 0.3),),
    "2.2": (lambda draw, n: (draw.away(2, 3, 2, kinks=(-1.0, 1.0)),),),
    "2.4": (lambda draw, n: learnable(draw, 2, 3, 2),),
    "3.1": (lambda sample, n: (sample.normal(n, n), sample.normal(n), sample.normal(n)),),
    "3.2": (lambda sample, n: (sample.away(n, n), sample.normal(n)),),
    "3.3": (
        lambda sample, n: (sample.normal(n, 3, 3), sample.normal(3, 3), sample.normal(3)),
        lambda sample, n: (sample.normal(n, 1, 2), sample.normal(5, 2), None),
    ),
    "4.1": (
        lambda sample, n: (sample.normal(2, 2, 3), sample.normal(2, 2, 2), 0.1),
        lambda sample, n: (sample.normal(2, 3), sample.normal(), 0.1),
        lambda sample, n: (*sample.pair(), 0.1),
    ),
    "4.2": (lambda sample, n: (3 * sample.away(n, 2, 3, kinks=(-1 / 3, 1 / 3)),),),
    "5.1": (lambda sample, n: (sample.normal(n, 2, 4, scale=3.0),),),
    "5.2": (
        lambda sample, n: (sample.normal(n, n), sample.normal(n)),
        lambda sample, n: (sample.normal(2, 6), sample.normal(6)),
    ),
    "6.1": (lambda sample, n: (sample.away(n, 2, 4, gap=0.2),),),
    "6.2": (
        lambda sample, n: (sample.normal(n, n), sample.normal(n, scale=0.5), -0.5),
        lambda sample, n: (sample.normal(n, 1), sample.normal(1), 3),
    ),
    "6.4": (
        lambda sample, n: (sample.normal(n, 2, scale=3.0),),
        lambda sample, n: (sample.normal(2, 7),),
    ),
    "7.1": (lambda sample, n: (sample.normal(n, 2, 4, scale=2.0),),),
    "7.2": (
        lambda sample, n: (sample.normal(n, n), sample.normal(n)),
        lambda sample, n: (sample.normal(2, 6), sample.normal(6)),
    ),
    "8.1": (
        lambda draw, n: (draw.normal(2, 3, 2, scale=3.0),),
        # So far out that differences of the values say little.
        lambda draw, n: (draw.uniform(n, 2, low=200.0, high=400.0),),
    ),
    "8.2": (
        lambda draw, n: (draw.normal(2, 2, 3, scale=0.5),),
        lambda draw, n: (draw.uniform(n, 2, low=2.5, high=3.5),),
    ),
    "9.1": (lambda sample, n: (sample.normal(n, 2, 4, scale=2.0), 1.25),),
    "9.2": (lambda sample, n: (sample.normal(n, 2, 4), 0.8),),
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
    "11.1": (lambda sample, n: (sample.normal(n, 2, 4, scale=2.0), 0.75),),
    "11.2": (lambda sample, n: (sample.normal(n, 2, 3), sample.normal(n, 2, 3)),),
    "12.1": (lambda sample, n: (sample.normal(n, 2, 4, scale=2.0),),),
    "12.2": (
        lambda sample, n: (sample.normal(n, 7),),
        lambda sample, n: (sample.normal(2, 5, scale=0.1),),
    ),
    "13.1": (lambda sample, n: (sample.normal(n + 4, 5), sample.normal(8, 5), 0.7),),
    "13.2": (lambda sample, n: (sample.normal(9000), 0.1),),
    "14.1": tuple(
        lambda sample, n, factor=factor: (factor * sample.normal(2, 3, 2), sample.normal(2, 3, 2))
        for factor in (1, 0.05, 0)
    ),
    "14.2": (
        lambda sample, n: (3 * sample.normal(n + 1, 3), sample.normal(n + 1)),
        lambda sample, n: (sample.normal(1, 3), sample.normal(1)),
    ),
    "15.1": (
        lambda sample, n: (sample.normal(n, 9, scale=2.0), 6),
        lambda sample, n: (sample.normal(n, 4), 7),
    ),
    "15.2": (
        lambda sample, n: (sample.normal(n, 5), sample.normal(9, 5), sample.normal(9, 3)),
        lambda sample, n: (sample.normal(n, 1), sample.normal(6, 1), sample.normal(6, 1)),
    ),
    "15.3": (
        lambda sample, n: (sample.normal(n, 5), contraction(sample, 5)),
        lambda sample, n: (sample.normal(n, 2, scale=2.0), contraction(sample, 2)),
    ),
}


def hidden_inputs(task_id: str) -> tuple[Inputs, ...]:
    """Return the further inputs of a task's hidden check; none where its exercise names none."""
    name = f"{__name__}.ex{int(task_id.partition('.')[0]):02d}"
    try:
        return {**HIDDEN, **import_module(name).HIDDEN}.get(task_id, ())
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return HIDDEN.get(task_id, ())
