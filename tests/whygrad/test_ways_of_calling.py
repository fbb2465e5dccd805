"""However `.apply` is called, what PyTorch makes of the call is what it makes of it unwatched."""

import inspect
import pickle
from contextlib import suppress
from functools import partial, wraps
from itertools import product

import pytest
import torch
from torch import nn
from torch.autograd import Function

from helpers.checks.answer_check import examine
from helpers.checks.tasks import find
from tests.whygrad.right_functions.case import numbers
from whygrad import diagnose, watch
from whygrad.measure.watch import installed, watching

SEEN = []  # what forward, or `setup_context`, sees


class Scale(Function):
    """factor · x w + b, with a forward that gets `ctx`."""

    @staticmethod
    def forward(ctx, x, w, b, factor=1.0):
        SEEN.append((ctx.needs_input_grad, factor))
        ctx.save_for_backward(x, w)
        ctx.factor = factor
        return factor * x * w + b

    @staticmethod
    def backward(ctx, grad_y):
        x, w = ctx.saved_tensors
        scaled = ctx.factor * grad_y
        grads = scaled * w, (scaled * x).sum(0), grad_y.sum(0), None
        return grads[: len(ctx.needs_input_grad)]


class SetUp(Function):
    """The same with `setup_context`, and a rule for `torch.vmap`."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, w, b, factor=1.0):
        return factor * x * w + b

    @staticmethod
    def setup_context(ctx, inputs, output):
        SEEN.append((ctx.needs_input_grad, *map(type, inputs)))
        x, w, _, ctx.factor = inputs
        ctx.save_for_backward(x, w)

    backward = Scale.backward


class Middle(SetUp):
    """The same, with the argument that has a default before others."""

    @staticmethod
    def forward(x, factor=1.0, w=None, b=None):
        return factor * x * w + b

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, factor, w, b = inputs
        SetUp.setup_context(ctx, (x, w, b, factor), output)

    @staticmethod
    def backward(ctx, grad_y):
        grad_x, grad_w, grad_b, _ = Scale.backward(ctx, grad_y)
        return grad_x, None, grad_w, grad_b


class PositionalOnly(Scale):
    @staticmethod
    def forward(ctx, x, w, /, b, factor=1.0):
        return Scale.forward(ctx, x, w, b, factor)


class Any(Scale):
    @staticmethod
    def forward(ctx, *inputs):
        return Scale.forward(ctx, *inputs)


class KeywordOnly(Scale):
    @staticmethod
    def forward(ctx, x, w, b, *, factor=1.0, **others):
        return Scale.forward(ctx, x, w, b)


class KeywordOnlySetUp(SetUp):
    @staticmethod
    def forward(x, w, b, *, factor=1.0):
        return SetUp.forward(x, w, b)


class Decorated(Scale):
    @staticmethod
    @wraps(Scale.forward)
    def forward(*args, **kwargs):
        return Scale.forward(*args, **kwargs)


class OwnApply(Scale):
    @classmethod
    def apply(cls, x, w, b=0.0, **others):
        return super().apply(x, w, b, **others)


class Fixed(SetUp):
    @classmethod
    def apply(cls, b, x):
        return super().apply(x, numbers(4), b)


BEFORE = {F: F.apply for F in (Scale, SetUp)}
PICKLED = {F: pickle.loads(pickle.dumps(F.apply)) for F in BEFORE}

WAYS = {
    "Scale, *": lambda x, w, b: Any.apply(x, w, b),
    "SetUp, middle": lambda x, w, b: Middle.apply(x, w=w, b=b),
    "Scale, positional only": lambda x, w, b: PositionalOnly.apply(x=x, w=w, b=b),
    "Scale, keyword only": lambda x, w, b: KeywordOnly.apply(x, w, b=b),
    "Scale, decorated": lambda x, w, b: Decorated.apply(x, w, b),
    "Scale, an apply of its own": lambda x, w, b: OwnApply.apply(x, w, b=b),
}
for F in BEFORE:
    more = {
        "positional": lambda x, w, b, F=F: F.apply(x, w, b),
        "mixed": lambda x, w, b, F=F: F.apply(x, w, b=b),
        "keywords": lambda x, w, b, F=F: F.apply(x=x, w=w, b=b),
        "another order": lambda x, w, b, F=F: F.apply(b=b, w=w, x=x),
        "default by place": lambda x, w, b, F=F: F.apply(x, w, b, 1.0),
        "default by keyword": lambda x, w, b, F=F: F.apply(x, w, b=b, factor=1.0),
        "unpacked": lambda x, w, b, F=F: F.apply(*(x, w), **{"b": b}),
        "partial": lambda x, w, b, F=F: partial(F.apply, b=b)(x, w),
        "taken before": lambda x, w, b, F=F: BEFORE[F](x, w, b),
        "taken before, keyword": lambda x, w, b, F=F: BEFORE[F](x, w=w, b=b),
        "pickled": lambda x, w, b, F=F: PICKLED[F](x, w, b=b),
    }
    WAYS |= {f"{F.__name__}, {title}": call for title, call in more.items()}

# What `.apply` refuses, it refuses in the same words.
REFUSED = {
    "unknown": lambda F, x, w, b: F.apply(x, w, b, other=b),
    "twice": lambda F, x, w, b: F.apply(x, w, b, w=w),
    "missing": lambda F, x, w, b: F.apply(x, w),
    "a gap": lambda F, x, w, b: F.apply(x, b=b),
    "too many": lambda F, x, w, b: F.apply(x, w, b, 1.0, 2.0),
    "none": lambda F, x, w, b: F.apply(),
    "ctx": lambda F, x, w, b: F.apply(x, w, b, ctx=None),
    "factor": lambda F, x, w, b: F.apply(x, w, b, factor=2.0),
}
KINDS = [Scale, SetUp, PositionalOnly, Any, KeywordOnly, KeywordOnlySetUp, Decorated, OwnApply]

AROUND = {
    "nothing": lambda call: call,
    "no_grad": torch.no_grad(),
    "autocast": torch.autocast("cpu", torch.bfloat16),
    "grad": lambda call: torch.func.grad(lambda *inputs: call(*inputs).sum(), (0, 1, 2)),
    "vmap": lambda call: torch.vmap(call, (0, None, None)),
    "vmap of grad": lambda call: torch.vmap(AROUND["grad"](call), (0, None, None)),
    "compiled": lambda call: torch.compile(call, backend="eager"),
    "checkpointed": lambda call: partial(
        torch.utils.checkpoint.checkpoint, call, use_reentrant=False
    ),
}


def inputs():
    return [numbers(*size, seed=seed) for seed, size in enumerate([(3, 4), (4,), (4,)])]


def leaves():
    return [value.requires_grad_() for value in inputs()]


def right(x, w, b):
    return x * w + b


def observed(call, *, is_watched):
    """What a call makes of new leaves: values, gradients, what forward saw, or what it raised."""
    SEEN.clear()
    try:
        if is_watched:
            with installed(), watching(forward=True):
                return _made(call, leaves())
        return _made(call, leaves())
    except Exception as error:
        return type(error), str(error), list(SEEN)


def _made(call, given):
    results = call(*given)
    outputs = results if isinstance(results, tuple) else (results,)
    tracked = [out for out in outputs if out.requires_grad]
    ones = [torch.ones_like(out) for out in tracked]
    grads = torch.autograd.grad(tracked, given, ones, allow_unused=True) if tracked else ()
    nodes = [type(out.grad_fn).__name__ for out in outputs]
    grads = [None if grad is None else grad.tolist() for grad in grads]
    return [out.tolist() for out in outputs], nodes, grads, list(SEEN)


@pytest.mark.parametrize("title", WAYS)
@pytest.mark.parametrize(("order", "reference"), [*product((1, 2), (None, right))])
def test_a_right_function_is_not_accused(title, order, reference):
    found = diagnose(WAYS[title], *inputs(), order=order, reference=reference)
    assert found.ok, found.message
    assert not found.remarks


@pytest.mark.parametrize("apply", [Scale.apply, BEFORE[Scale], SetUp.apply, PICKLED[SetUp]])
def test_a_function_is_known_by_its_apply(apply):
    name = apply.__self__.__name__
    found = diagnose(apply, *inputs())
    assert found.title == name
    assert {f"gradient of {x}" for x in "xwb"} < {one.name for one in found.verdict.properties}
    assert [(seen, one.ok) for seen, one in watch(apply, tuple(leaves()))] == [(name, True)]
    with pytest.raises(TypeError, match=r"takes 3 to 4 inputs \(x, w, b, factor\)"):
        diagnose(apply, *inputs()[:2])


def test_an_apply_of_its_own_may_take_others():
    x, b, _ = inputs()
    for given in (Fixed, Fixed.apply):
        found = diagnose(given, b, x)
        assert (found.name, found.title) == ("ok", "Fixed")
        assert "gradient of b" in {one.name for one in found.verdict.properties}
    (call,) = watch(Fixed.apply, tuple(leaves()[:2][::-1])).calls
    assert call.diagnosis.ok, call.diagnosis.message


@pytest.mark.parametrize("title", WAYS)
def test_a_training_step_shows_it(title):
    found = watch(WAYS[title], tuple(leaves()))
    assert [(call.diagnosis.ok, call.count) for call in found.calls] == [(True, 1)]


@pytest.mark.parametrize("title", WAYS)
def test_a_right_answer_passes_its_check(title):
    class Layer(nn.Module):
        def __init__(self, features):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(features))
            self.bias = nn.Parameter(torch.zeros(features))

        def forward(self, x):
            return WAYS[title](x, self.weight, self.bias)

    found = examine(find("3.1"), (Layer,), hidden=True)
    assert found.ok, found.message


# PyTorch 2.14 says so once of what notes the graph; the compiled code runs and gives the same.
@pytest.mark.filterwarnings("ignore:Dynamo does not know how to trace the builtin:UserWarning")
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("title", WAYS)
def test_whoever_watches_changes_nothing(title, around):
    place = AROUND[around]
    call = place(WAYS[title])
    assert observed(call, is_watched=True) == observed(call, is_watched=False)


@pytest.mark.parametrize(("title", "kind"), [*product(REFUSED, KINDS)])
def test_what_is_refused_is_refused_in_the_same_words(title, kind):
    call = partial(REFUSED[title], kind)
    assert observed(call, is_watched=True) == observed(call, is_watched=False)


@pytest.mark.parametrize("kind", KINDS)
def test_apply_itself_is_what_it_was(kind):
    def facts():
        try:
            signature = inspect.signature(kind.apply)
        except ValueError as error:
            signature = str(error)
        return kind.apply, type(kind.apply), signature, kind.forward, dict(vars(kind))

    before = facts()
    with installed(), watching(forward=True):
        assert facts() == before
        with suppress(TypeError):
            kind.apply(*inputs())
        assert facts() == before
    assert facts() == before
