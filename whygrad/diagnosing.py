"""Diagnose any custom Function: gradcheck with an explanation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from whygrad.arguments import (
    check_callables,
    check_count,
    check_values,
    incoming_names,
    not_finite,
    title_of,
)
from whygrad.beside_arrays import ARRAY, beside_arrays
from whygrad.diagnosis import Diagnosis, evidence_of
from whygrad.evidence import Evidence, Trial
from whygrad.given import Given, read_given
from whygrad.intent import check_meant, meant
from whygrad.judge import judge_function
from whygrad.judge.examined import without_stopped
from whygrad.judge.precedence import NUMBERS
from whygrad.judge.sampled import along_directions
from whygrad.measure import Probe, measure
from whygrad.measure.line_runs import log_lines
from whygrad.measure.reduced import one_thread
from whygrad.measure.run_once import Holding
from whygrad.pictures import pictures
from whygrad.precision import widened
from whygrad.probes import beside_buffers, other_probes
from whygrad.structure import structured
from whygrad.survey import outputs_to_judge, statistics

_MOST_ROWS = 512  # of the Jacobian of what is right, by which a mistake is explained


def diagnose(
    fn: Any,
    *inputs: Any,
    reference: Callable[..., Any] | None = None,
    intended: Callable[..., Any] | None = None,
    constant: Sequence[int | str] = (),
    order: int = 1,
    strict: bool = False,
) -> Diagnosis:
    """Look for the known mistakes in a custom Function, and name each that no other explains.

    What it finds rests on laws: a backward is linear in the incoming gradient, returns the shape
    and dtype of its input, agrees with finite differences of forward, leaves inputs and incoming
    gradient alone, gives the same twice, and takes non-contiguous tensors; with `order=2` its
    own derivatives agree with finite differences of backward. A gradient that breaks a law is held
    against what each known mistake would have given.

    With a reference it also finds a wrong forward value, an output of a wrong dtype, a Function
    that returns its input, and sizes, an empty batch or an absent bias that only the reference
    takes. Without one, it cannot know what forward should give, and an input that forward refuses
    counts as refused on purpose.

    It does not find what shows at other inputs only (pass those), mistakes that need a GPU, and a
    Function that is slow or keeps more memory than it must. At a kink of the function the finite
    differences say nothing and are left out. Where forward rounds, as in float32 inside, what lies
    within the rounding is right, and the report says so.

    Args:
        fn: a Function subclass, its `.apply`, a callable around it, or a module: the gradients of
            its parameters are looked at as well, and each call starts from the same buffers.
        inputs: tensors of real or complex numbers, of any shape, as `fn` takes them. Those of lower
            precision are measured as float64 copies where `fn` takes these. None, plain values,
            integers, bools and sparse tensors are passed on, and what lists, tuples and dicts hold
            is found. Gradients are taken for every tensor that is no constant. Of more than 512
            numbers, in inputs or outputs, a few directions are looked at that move all of them.
        reference: a callable that is right, where there is one; called like `fn`.
        intended: what backward is meant to be, where that is not the derivative of forward: a
            callable of the same arguments whose own gradients are meant, such as
            `lambda x: x + (x.round() - x).detach()` for a straight-through estimator (its value
            is not looked at: `lambda x: x` says the same); or one that takes the incoming
            gradients first and returns the gradients, such as `lambda grad_y, x: -grad_y`; or
            one of the same arguments that returns a function of the incoming gradients.
        constant: places or names of inputs that are constants. If one of the inputs requires a
            gradient, then those that do not are constants as well.
        order: 2 to look at double backward too.
        strict: whether remarks are errors: a gradient that PyTorch sums or casts until it fits, a
            dtype that is always the same, and what raises at other sizes, on no rows, on
            non-contiguous tensors or on another dtype. No other dtype is asked for if you set a
            default dtype other than float32.

    Returns:
        A `Diagnosis`, which a notebook shows as a report. `.ok`; `.name`, the most important
        mistake; `.names`, all of them, worst first; `.message`; `.remarks`, which leave `.ok`
        True; `.examined` and `.left_out`, what was looked at, and of the rest, why not; and
        `.evidence`. Where not one gradient could be compared, the name is "not-examined".

    Raises:
        TypeError: `fn` cannot be called, or takes another number of inputs, or an input has no
            numbers, or is of a dtype of few bits.
        ValueError: there is no tensor among the inputs, all are constants, no input has a name in
            `constant`, `order` is not 1 or 2, or the reference or `intended` raises or returns
            nothing that has a gradient.

    >>> import torch
    >>> class Square(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x**2
    ...     @staticmethod
    ...     def backward(ctx, grad_y):
    ...         (x,) = ctx.saved_tensors
    ...         return x * grad_y
    >>> diagnose(Square, torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64)).name
    'wrong-factor'
    """
    check_callables(fn, reference, intended, order)
    given = read_given(fn, inputs, reference, constant)
    check_values(given.values)
    check_count(fn, len(inputs))
    right = None if reference is None else given.bind(reference)
    with one_thread(given.values):
        given = given.judging(outputs_to_judge(given.bind(fn), given.values, right))
        kept = frozenset() if strict else statistics(given.bind(fn), given.values)
        names = [given.names[place] for place in sorted(kept)]
        asked, given = _Asked(fn, reference, intended, order, strict, names), given.holding(kept)
        found = _diagnosed(asked, given)
        if NUMBERS.isdisjoint(found.names):
            return found
        narrower, words = structured(given)
        again = narrower and _diagnosed(asked, narrower, {"first order": words})
        return again if again and NUMBERS.isdisjoint(again.names) else found


@dataclass(frozen=True)
class _Asked:
    """What `diagnose` was asked; `statistics` names inputs that forward keeps statistics in."""

    fn: Any
    reference: Callable[..., Any] | None
    intended: Callable[..., Any] | None
    order: int
    strict: bool
    statistics: list[str]


def _diagnosed(asked: _Asked, given: Given, left_out: Mapping[str, str] | None = None) -> Diagnosis:
    """Measure and judge; `left_out` says what is known not to be looked at."""
    fn, reference, names = asked.fn, asked.reference, given.names
    plain = widened(given.bind(fn), given.values)
    # A parameter is always there: None is not tried in its place.
    optional = reference if given.module is None else None
    how = {"given": given.values, "strict": asked.strict}
    others, without = other_probes(plain, optional, names, given.constant, **how)
    others, without = beside_buffers(given.module, others, without)
    if broken := not_finite(plain, names, given.constant):
        others = []  # what would be found there says nothing of these inputs
    probes = [Probe("base", "", plain), *others]
    call, right = given.bind(fn), None if reference is None else given.bind(reference)
    how = {"order": asked.order, "differences": not (reference or asked.intended)}
    found = measure(call, probes, **how)
    if ARRAY in found.base.odd and (held := beside_arrays(fn, given)) is not None:
        again = measure(held, probes, **how)
        if not (again.base.raised or again.base.odd):
            call, found = held, replace(again, returned_arrays=found.base.odd)
    evidence = without_stopped(
        replace(
            found,
            names=names,
            incoming=given.of_outputs(incoming_names(fn)) or ["grad_output"],
            statistics=asked.statistics,
            not_finite=broken,
            left_out={**without, **found.left_out, **(left_out or {})},
        )
    )
    expected = None
    if right is not None:
        expected = measure(right, probes, order=asked.order, most_rows=_MOST_ROWS)
        _check_reference(expected.base, evidence.base)
    due = None
    if asked.intended is not None:
        due = _measure_intended(asked.intended, given, call, probes, evidence)
    how = {"intended": due, "strict": asked.strict, "every": True}
    verdict = judge_function(evidence, expected, **how)
    if not verdict.ok or verdict.remarks:
        log_lines(call, probes, evidence)
        verdict = judge_function(evidence, expected, **how)
    if evidence.sampled:
        verdict = along_directions(verdict, evidence.sampled, names)
    shown = pictures(verdict, call, right, plain, names, evidence.incoming[0])
    return Diagnosis(verdict, evidence_of(verdict, evidence), shown, title_of(fn, evidence))


def _check_reference(trial: Trial, looked_at: Trial) -> None:
    if raised := trial.raised:
        raise ValueError(
            f"the reference raised {raised.type} on these inputs ({raised.message}): "
            "pass inputs that it takes"
        )
    has_gradient = any(looked_at.requires_grad)
    if has_gradient and not any(trial.requires_grad):
        raise ValueError(
            "the reference returned no tensor with a gradient: return one, made from the "
            "inputs without `.detach()` or NumPy"
        )


def _measure_intended(
    intended: Callable[..., Any],
    given: Given,
    call: Holding,
    probes: list[Probe],
    evidence: Evidence,
) -> Evidence | None:
    """Measure what backward is meant to be; None where there is nothing to hold against it."""
    looked_at = evidence.base
    if not looked_at.grad_outputs:
        return None
    wanted = meant(intended, call, given, len(looked_at.grad_outputs))
    held = Holding(wanted, given.constant)
    found = measure(held, probes, order=evidence.order, most_rows=_MOST_ROWS)
    check_meant(found.base, looked_at)
    return found
