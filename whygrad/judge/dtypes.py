"""Judge the dtypes of outputs and gradients: those of the inputs are due."""

from whygrad.evidence import Trial
from whygrad.judge.inquiry import OUTPUT, Inquiry
from whygrad.verdict import Finding

_ROUNDED = (
    "A tensor or an array on the way is float32. A cast at the end gives it the right dtype again, "
    "and no digit back."
)
_NAMED = "Make each tensor and each array with the dtype of the input, and cast none."


def of_the_input(inquiry: Inquiry) -> list[Finding]:
    """Find an output or a gradient of another dtype than that of the input."""
    base = inquiry.base
    other = next((t for t in inquiry.evidence.trials if t.law == "wrong-dtype"), None)
    outs = [out.dtype for out in base.outputs]
    due = inquiry.expected.dtypes if inquiry.expected else None
    if due is not None and outs != due:
        return [_wrong(inquiry, "output", outs[0], due[0])]
    if due is None and other and not other.raised and not other.odd:
        fixed = [out.dtype for out in other.outputs]
        if fixed == outs and all(dtype in ("float32", "float64") for dtype in outs):
            return _lenient(inquiry, "output", outs[0], "that of the input")
    if low := _low_output(inquiry, other) or _cast(inquiry):
        return low
    for trial in (base, other) if other and not other.raised else (base,):
        for slot in trial.returned:
            mine = slot.grad.dtype if slot.grad else ""
            if mine and slot.dtype and mine != slot.dtype:
                return _lenient(inquiry, "gradient", mine, slot.dtype)
    return []


def _low_output(inquiry: Inquiry, trial: Trial | None) -> list[Finding]:
    """Find an output of another dtype than the right one's for inputs of float32."""
    right = inquiry.expectation(trial) if trial and not trial.raised else None
    outs = [out.dtype for out in trial.outputs] if right and not trial.odd else []
    for yours, due in zip(outs, (right and right.dtypes) or (), strict=False):
        if yours != due:
            return _lenient(inquiry, "output", yours, due, f" for {trial.name}")
    return []


def _cast(inquiry: Inquiry) -> list[Finding]:
    """Find float64 numbers that went through float32, where those of the reference did not."""
    base = inquiry.base
    right = (inquiry.reference or {}).get(base.name)
    if right is None or len(right.in_float32) != len(base.in_float32):
        return []
    names = [OUTPUT for _ in base.outputs]
    names += [f"the gradient of {inquiry.names[place]}" for place in base.wanted]
    for name, mine, due in zip(names, base.in_float32, right.in_float32, strict=True):
        if mine - due > 1:  # one can be so by chance, such as a 1 in place of 0.999…
            inquiry.note("digits", False, where=name, yours="float32", expected="float64")
            detail = f"{mine} numbers of {name} have only the digits of float32."
            return [Finding("wrong-dtype", name, detail, _ROUNDED, _NAMED)]
    return []


def _lenient(inquiry: Inquiry, *what: str) -> list[Finding]:
    """What is cast on its way arrives right, and so does what has one dtype whatever goes in."""
    return inquiry.unless_lenient([_wrong(inquiry, *what, lenient=True)])


def _wrong(
    inquiry: Inquiry, what: str, yours: str, due: str, where: str = "", *, lenient: bool = False
) -> Finding:
    inquiry.note("dtype", False, lenient=lenient, where=what, yours=yours, expected=due)
    detail = f"The {what} is {yours}{where}, not {due}."
    return Finding("wrong-dtype", f"the {what}", detail, look=_NAMED)
