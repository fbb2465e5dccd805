"""Judge a custom Function: one stage after the other, until one of them finds a mistake."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from whygrad.diagnosis import Finding, Property, Verdict
from whygrad.judge import effects, first_order, forward, second_order, surroundings
from whygrad.judge.bench import Bench
from whygrad.judge.numbers import FLOAT32

STAGES: tuple[Callable[[Bench], list[Finding]], ...] = (
    forward.raises,
    forward.changes_inputs,
    forward.is_a_function,
    forward.gives_the_value,
    first_order.raises,
    effects.changes_inputs,
    effects.gives_the_same_twice,
    first_order.gradients,
    effects.forgets_the_call_before,
    effects.changes_grad_output,
    first_order.outputs_alone,
    first_order.alone,
    surroundings.dtypes,
    surroundings.other_inputs,
    second_order.derivatives,
)


def judge_function(measured: dict[str, Any], expected: dict[str, Any] | None) -> Verdict:
    """Return the verdict on a Function; the findings are those of the first stage that has any."""
    base = measured["trials"][0]
    reference = {trial["name"]: trial for trial in expected["trials"]} if expected else None
    bench = Bench(measured, base, None, reference, _names(measured, base))
    bench.expected = bench.expectation(base)
    if bench.expected is not None and any(out["dtype"] == "float32" for out in base["outputs"]):
        # Incoming gradients of that dtype are known to a few digits only.
        bench.expected = replace(bench.expected, relative=FLOAT32)
    for stage in STAGES:
        findings = stage(bench)
        if findings:
            findings = [Finding("not-started")] if _is_stub(bench) else findings
            return Verdict(tuple(_with_rest(bench)), tuple(findings), bench.raised)
    return Verdict(tuple(bench.properties))


def _is_stub(bench: Bench) -> bool:
    return bench.raised is not None and bench.raised.type == "NotImplementedError"


def _names(measured: dict[str, Any], base: dict[str, Any]) -> list[str]:
    given = list(measured.get("names") or [])
    count = len(base["inputs"])
    return (given + [f"input {place}" for place in range(len(given), count)])[:count]


def _with_rest(bench: Bench) -> list[Property]:
    """Add what was not looked at, since something before it went wrong."""
    seen = {line.name for line in bench.properties}
    wanted = [f"gradient of {bench.names[place]}" for place in bench.base["wanted"]]
    rest = ["forward", *wanted, *(["second order"] if bench.measured["order"] == 2 else [])]
    second = any(name.startswith("second") for name in seen)
    left = [n for n in rest if n not in seen and not (n == "second order" and second)]
    return [*bench.properties, *(Property(name, None) for name in left)]
