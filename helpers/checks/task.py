"""What a task of an exercise is, as data: the files in tasks/ are lists of these."""

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:  # it imports torch, for which `course status` would wait
    from whygrad.sample import Sample

# Takes a source of seeded numbers and a batch size; returns the arguments of one call.
Inputs = Callable[["Sample", int], tuple]


def of_any_shape(x: Callable[..., Any]) -> dict[str, Inputs]:
    """Return the promises of a task whose x has any shape: `x` draws one from a `Sample`."""
    return {
        "x of one dimension": lambda sample, n: (x(sample, n + 4),),
        "x of three dimensions": lambda sample, n: (x(sample, n, 2, 2),),
        "x of the shape ()": lambda sample, n: (x(sample),),
    }


X_OF_ANY_SHAPE = of_any_shape(lambda sample, *shape: sample.normal(*shape))


@dataclass(frozen=True, kw_only=True)
class Task:
    """One task of an exercise.

    Attributes:
        id: number of the exercise and of the task, such as "5.1".
        title: what the student makes, in a few words.
        shares: what its parts are worth, by their names: points above 0, whole or not. What no
            share names is asked for by all of them. One share alone is all or nothing.
        minutes: how long it takes a student.
        hints: three, from vague to almost there.
        part_names: the names that shares can have.
        by_hand: gradients are to be worked out by hand, as the exercise's text says: autograd may
            only try the answer out. Of a Function that is so by default.
    """

    kind: ClassVar[str]
    id: str
    title: str
    shares: dict[str, float]
    minutes: int
    hints: tuple[str, str, str]
    by_hand: bool = False

    @property
    def number(self) -> int:
        """The number of its exercise."""
        return int(self.id.partition(".")[0])

    @property
    def points(self) -> float:
        """What it is worth: the sum of its shares."""
        total = round(math.fsum(self.shares.values()), 6)
        return int(total) if total.is_integer() else total

    @property
    def worth(self) -> str:
        """What it and its parts are worth, in words, such as "3 points: 1 forward, 2 gradients"."""
        whole = f"{shown_points(self.points)} point{'' if self.points == 1 else 's'}"
        if len(self.shares) == 1:
            return whole
        each = [*self.shares.values()]
        before = " for" if self.kind in ("prediction", "values") else ""
        if before and len(each) > 2 and len({*each}) == 1:
            return f"{whole}: {shown_points(each[0])} for each value"
        # The number of an item in a list says nothing here.
        named = [(value, re.sub(r"^\d+\. ", "", name)) for name, value in self.shares.items()]
        told = (f"{shown_points(value)}{before} {name}" for value, name in named)
        return f"{whole}: {', '.join(told)}"


def shown_points(points: float) -> str:
    """Write points, without digits that say nothing.

    >>> shown_points(2.0), shown_points(0.5), shown_points(2 / 3)
    ('2', '0.5', '0.67')
    """
    return f"{round(points, 2):g}"


def listed(names: Iterable[str]) -> str:
    """Put names into a sentence.

    >>> listed(["x", "W", "b"])
    'x, W and b'
    """
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last


@dataclass(frozen=True, kw_only=True)
class FunctionTask(Task):
    """The answer is a custom Function, its `.apply`, or a callable around it.

    Attributes:
        names: of the inputs, as messages call them: ("x", "W", "b").
        incoming: names of the incoming gradients, one for each output.
        inputs: gives the inputs for a batch of n: float64 tensors, None, or plain values. It is
            called with several n, 0 among them; n is the first dimension of what has a batch.
        promises: what the statement promises beside all that, and the inputs that try it: by the
            words of the list "Checked", which reports have, too.
        order: 2 if backward is to be differentiated too.
        dtypes: "float32" is dropped where only float64 is asked for.
        empty: whether a batch of 0 is legal.
        views: whether forward may return its input, or a view of it.
        in_place: whether forward is to write into its input; `call` hands over a copy.
        around: operations that may stand around the Function beside views and copies, by PyTorch's
            names for them, such as "mul".
        once: operations that forward alone may run, by PyTorch's names, such as "exp".
        saves: "output" if the output is all that may be kept for backward;
            "by save_for_backward" if no tensor may be an attribute of `ctx`; "watched" if besides
            all that follows has to be as autograd would have it: no reference cycle, a second
            backward that raises, and changes in place that are noticed.
        saves_at_most: gives, for the inputs, how many bytes may be kept for backward, each piece of
            memory counted once, inputs, outputs and attributes of `ctx` as well; an attribute that
            is no tensor and no plain number is refused then.
        numpy: whether forward and the first backward are to be computed in NumPy; the product with
            the incoming gradient may be PyTorch's.
        intended: whether the right backward is another one than the derivative, on purpose: one
            that need not be linear in the incoming gradient.
        modes: what its Functions have to offer beside backward: "jvp", a rule for "vmap".
        seconds: how much CPU time one call, and all of them, may take, where a loop may never end.
        own_rule: whether a rule for "vmap" has to be written by hand: a generated one is refused.
        call: how to call the answer; default: `answer.apply(*inputs)`, or `answer(*inputs)`.
    """

    kind = "function"
    by_hand: bool = True
    names: tuple[str, ...]
    incoming: tuple[str, ...] = ("grad_y",)
    inputs: Inputs
    promises: Mapping[str, Inputs] = field(default_factory=dict)
    order: int = 1
    dtypes: tuple[str, ...] = ("float64", "float32")
    empty: bool = True
    views: bool = False
    in_place: bool = False
    around: tuple[str, ...] = ()
    once: tuple[str, ...] = ()
    saves: str = ""
    saves_at_most: Callable[..., int] | None = None
    numpy: bool = False
    intended: bool = False
    modes: tuple[str, ...] = ()
    seconds: tuple[float, float] | None = None
    own_rule: bool = False
    call: Callable[..., Any] | None = None

    @property
    def part_names(self) -> tuple[str, ...]:
        """The value; gradients and their derivatives, all or each; modes; calls with a None.

        "memory" is what is kept for backward; it holds only where all else holds too.
        """
        second = ["second order", *(f"derivatives of grad_{name}" for name in self.names)]
        return (
            *("forward", "gradients", *(f"gradient of {name}" for name in self.names)),
            *(second if self.order == 2 else ()),
            *self.modes,
            *(f"without {name}" for name in self.names),
            *(("memory",) if self.saves_at_most else ()),
        )


@dataclass(frozen=True, kw_only=True)
class ModuleTask(FunctionTask):
    """The answer is a Module class that wraps a custom Function: `check(id, Layer, LayerFunction)`.

    Attributes:
        names: of the arguments of `forward`, then of the parameters, in the order of `inputs`.
        make: builds the module: `make(Layer, *inputs)`; it gets the inputs to read sizes from.
        parameters: the names of the parameters, the last of `names`. Their values in `inputs` are
            put in the place of the module's own; None where it is to have no such parameter.
        starts: names of the parameters whose first values the task says.
    """

    kind = "module"
    make: Callable[..., Any]
    parameters: tuple[str, ...]
    starts: tuple[str, ...] = ()

    @property
    def part_names(self) -> tuple[str, ...]:
        """Those of a Function; and the layer, for the parameters that it holds."""
        return ("layer", *super().part_names)


@dataclass(frozen=True, kw_only=True)
class ValuesTask(Task):
    """The answer is a plain function that returns tensors or numbers, such as gradients by hand.

    Attributes:
        names: of the returned values.
        inputs, promises: as in a FunctionTask; the function is called as `answer(*inputs)`.
        prepare: what is done with the answer once, before it is called; what comes of it is called.
        call: how to call the answer, if not so; it returns what is to be compared.
        untouched: names of the inputs that must not be changed, in order; "" for one that may.
        any_dtype: whether the result may be float32 where the inputs are float64.
    """

    kind = "values"
    names: tuple[str, ...]
    inputs: Inputs
    promises: Mapping[str, Inputs] = field(default_factory=dict)
    prepare: Callable[[Any], Any] | None = None
    call: Callable[..., Any] | None = None
    untouched: tuple[str, ...] = ()
    any_dtype: bool = False

    @property
    def part_names(self) -> tuple[str, ...]:
        """The returned values, or all of them."""
        return (*self.names, "values")


@dataclass(frozen=True, kw_only=True)
class PredictionTask(Task):
    """The answer is a value, worked out before anything is run.

    Attributes:
        form: what the answer looks like, such as "a list of three numbers".
        items: what each of its values is called, in the words of the text: the names of the
            variables, if there are several. By default, those that have shares, if several have.
        entries: what the numbers of each are called, where each value is a list.
        words: the possible texts, where texts are asked for.
        carried: where each value adds something to the one before it, so that only the first wrong
            one is explained: what is said of it otherwise; `{change}` is what was added.
        shapes: whether lists are shapes: how long one is belongs to what is asked for.
    """

    kind = "prediction"
    form: str
    items: tuple[str, ...] = ()
    entries: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    carried: str = ""
    shapes: bool = False

    def __post_init__(self) -> None:
        if not self.items and len(self.shares) > 1:
            object.__setattr__(self, "items", tuple(self.shares))

    @property
    def part_names(self) -> tuple[str, ...]:
        """The items, or the whole."""
        return (*self.items, "prediction")
