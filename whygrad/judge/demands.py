"""Judge what is demanded of the way to the numbers, where something is: a task may, at its word.

Composing a Function with PyTorch's operations is right by itself, and so is a backward that asks
autograd. So all of this is looked at only if the evidence holds "demands".
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from whygrad.judge.arrays import same
from whygrad.judge.inquiry import Inquiry
from whygrad.verdict import Finding

_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_COPIES, _MAKES, _PRODUCTS = (set(_TABLE[key]) for key in ("copies", "makes", "products"))
_OUTPUT_ALONE = {"input": 0, "output": 1, "copy": 0, "other": 0, "attribute": 0}
_KEPT = {
    "input": "{} of the inputs",
    "output": "{} of the outputs",
    "copy": "{} without a history",
    "other": "{} of another kind",
    "attribute": "{} as an attribute of `ctx`",
}
_MOST = 3  # operations that are named


def works_inside(inquiry: Inquiry) -> list[Finding]:
    """Find operations between inputs and outputs that are no custom Function's."""
    demands = inquiry.measured.get("demands")
    if demands is None:
        return []
    allowed = _COPIES | set(demands.get("around", ()))
    names = {_operation(node) for run in _runs(inquiry) for node in run.get("around", ())}
    outside = sorted(names - allowed)
    if not outside:
        return []
    listed = _listed(outside)
    inquiry.note("all of the work is inside the Function", False, note=f"outside: {listed}")
    return [Finding("outside-the-function", listed)]


def is_worked_out(inquiry: Inquiry) -> list[Finding]:
    """Find autograd at work inside an answer."""
    if not _demands(inquiry, "by hand"):
        return []
    found = {how for run in _runs(inquiry) for how in run.get("autograd", ())}
    if not found:
        return []
    how = " and ".join(sorted(found))
    inquiry.note("the gradients are worked out by hand", False, note=f"autograd: {how}")
    return [Finding("method", "", f"Seen inside the answer: {how}.")]


def evaluates_once(inquiry: Inquiry) -> list[Finding]:
    """Find functions that are to be evaluated in forward alone, and that backward runs as well."""
    ran = set(inquiry.base.get("operations of backward") or ())
    again = [name for name in _demands(inquiry, "once") or () if name in ran]
    if not again:
        return []
    *most, last = again
    listed = " and ".join(filter(None, [", ".join(most), last]))
    inquiry.note("evaluated in forward alone", False, note=f"backward ran {listed}")
    return [Finding("evaluated-again", listed)]


def keeps_what_is_asked_for(inquiry: Inquiry) -> list[Finding]:
    """Find tensors that are kept for backward beside the one that is to be, or in another place."""
    asked = _demands(inquiry, "saves")
    if asked == "by save_for_backward":
        return [_on_ctx(inquiry)] if inquiry.base.get("tensors on ctx") else []
    if asked != "output":
        return []
    keeps = inquiry.base["keeps"]
    if keeps == _OUTPUT_ALONE:
        return _needs_outputs_alone(inquiry)
    if {**keeps, "attribute": 0} == _OUTPUT_ALONE and inquiry.base.get("tensors on ctx"):
        return [_on_ctx(inquiry)]
    said = ", ".join(_KEPT[kind].format(count) for kind, count in keeps.items() if count)
    inquiry.note("the output alone is saved", False, note=f"kept: {said or 'nothing'}")
    return [Finding("kept-tensors", "", f"Kept: {said or 'nothing'}.", *_inputs_kept(keeps))]


def _inputs_kept(keeps: dict[str, int]) -> tuple[str, str]:
    """Say what to do where an input is kept, in place of the output or beside it, and no more."""
    inputs, outputs = keeps["input"], keeps["output"]
    if not inputs or {**keeps, "input": 0, "output": 0} != {**_OUTPUT_ALONE, "output": 0}:
        return "", ""
    if outputs:
        return (
            "An input is kept beside the output, which is enough for the derivative.",
            "Write the derivative with the output alone, and keep nothing else.",
        )
    return (
        "An input is kept in place of the output.",
        "Write the derivative with the output alone. Then save the very tensor that forward "
        "returns, in place of the input.",
    )


def _on_ctx(inquiry: Inquiry) -> Finding:
    count = inquiry.base["tensors on ctx"]
    what = "an attribute" if count == 1 else "attributes"
    said = f"{count} tensor{'' if count == 1 else 's'} as {what} of `ctx`"
    inquiry.note("tensors are kept by `ctx.save_for_backward`", False, note=f"kept: {said}")
    why = (
        "A tensor stands on `ctx` by itself. Autograd does not watch it there: if it is written "
        "into later, wrong gradients come back, and no error is raised."
    )
    look = (
        "Hand the tensor to `ctx.save_for_backward` in forward, and read it from "
        "`ctx.saved_tensors` in backward."
    )
    return Finding("kept-tensors", "", f"Kept: {said}.", why, look)


def _needs_outputs_alone(inquiry: Inquiry) -> list[Finding]:
    """Find what backward has from elsewhere: gradients that do not follow outputs as due."""
    right = (inquiry.reference or {}).get(inquiry.base["name"], {})
    if "moved" not in right or "moved" not in inquiry.base:
        return []
    if same(inquiry.base["moved"]["grads"], right["moved"]["grads"]):
        return []
    inquiry.note("the output alone is saved", False, note="backward has more from elsewhere")
    detail = "With other numbers in the saved output, backward does not give what they give."
    return [Finding("kept-tensors", "", detail)]


def computes_in_numpy(inquiry: Inquiry) -> list[Finding]:
    """Find operations of PyTorch where NumPy is to compute."""
    if not _demands(inquiry, "numpy"):
        return []
    known = _COPIES | _MAKES | _PRODUCTS
    all_of_them, first, later = (
        sorted({name.lstrip("_") for name in inquiry.base[key]} - known)
        for key in ("operations", "operations of forward", "operations of backward")
    )
    if not all_of_them:
        return []
    inquiry.note("computed in NumPy", False, note=f"PyTorch's: {_listed(all_of_them)}")
    said = [f"In forward PyTorch ran {_listed(first)}."] if first else []
    said += [f"In the first backward PyTorch ran {_listed(later)}."] if later else []
    whys, looks = zip(*_not_in_numpy(inquiry, first, later), strict=True)
    return [Finding("not-in-numpy", "", " ".join(said), " ".join(whys), " ".join(looks))]


def _not_in_numpy(inquiry: Inquiry, first: list[str], later: list[str]) -> Iterator[tuple]:
    """Say what is applied to tensors, and where to use arrays, for forward and for backward."""
    if first:
        yield (
            "The formula in forward is applied to tensors.",
            "Take the array by `x.numpy()` in forward, compute with NumPy's functions there, and "
            "return `torch.as_tensor` of the result.",
        )
    tracked = (inquiry.base.get("second") or {}).get("tracked") or {}
    called = tracked.get("called")
    if later and called is None:
        yield (
            "The formula of the gradient is applied to tensors.",
            "Compute the gradient with NumPy's functions, of arrays.",
        )
    elif later and called:
        name = called[-1]["function"]
        yield (
            f"`{name}` is applied in backward, and the formula of the slope is applied to tensors.",
            f"Compute the slope with NumPy's functions, of an array, in `{name}.forward`.",
        )
    elif later:
        yield (
            "Backward is a formula of tensors: no second Function is applied in it.",
            "Let the forward of a second Function compute this formula in NumPy, and call that "
            "Function by `.apply` in backward.",
        )


def _demands(inquiry: Inquiry, key: str) -> Any:
    return (inquiry.measured.get("demands") or {}).get(key)


def _runs(inquiry: Inquiry) -> list[dict[str, Any]]:
    """Return what was seen of each run, also of those for second derivatives."""
    trials = inquiry.measured["trials"]
    return trials + [way for trial in trials for way in (trial.get("second") or {}).values()]


def _operation(node: str) -> str:
    """Return the operation's name of a node: "pow" of PowBackward0; another name as it is."""
    match = re.fullmatch(r"([A-Z]\w*?)Backward\d+", node)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", match[1]).lower() if match else node


def _listed(names: list[str]) -> str:
    more = ["…"] if len(names) > _MOST else []
    return ", ".join([*(f"`{name}`" for name in names[:_MOST]), *more])
