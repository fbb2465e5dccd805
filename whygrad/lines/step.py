"""The steps of a log."""

import ast
import re
from dataclasses import dataclass, field

ARRAYS = ("numpy", "__array__")
# What takes numbers out of a tensor, and with them its history.
TAKES_OUT = {
    **dict.fromkeys(ARRAYS, "NumPy"),
    **{name: f"`.{name}()`" for name in ("item", "tolist")},
    **dict.fromkeys(("__float__", "__int__", "__complex__"), "conversion to a Python number"),
}
# What has switched recording off.
NO_GRAD, SET_GRAD = "`no_grad`", "`set_grad_enabled(False)`"
DECORATORS = {  # by the function that PyTorch puts around a decorated one
    "decorate_context": "the decorator `no_grad`",
    "wrapper": "the decorator `once_differentiable`",
}
RETURN = "return"  # where a method ended that returned None, in the place of an operation
_NO_TENSOR = (ast.Lambda, ast.Dict, ast.List, ast.ListComp, ast.DictComp, ast.GeneratorExp)
_SIZES = re.compile(r"[(,/] *(\d+)(?= *[,)]| *$)")  # an argument, or what is divided by


@dataclass(frozen=True)
class Seen:
    """A tensor in a few words: its author's name for it, size, dtype and first numbers."""

    name: str = ""
    size: str = ""
    dtype: str = ""
    numbers: str = ""


@dataclass(frozen=True)
class Write:
    """A tensor that was written into: its name, what else it is, in words, and its role.

    The role is such as "input 0", "incoming 0", "kept ctx.y", "saved before" or "outside"; or "".
    """

    name: str
    base: str = ""
    role: str = ""


@dataclass
class Step:
    """One operation that one line of the author's ran, as `LineLog` has it.

    Attributes:
        phase: the method that PyTorch called: forward, setup_context, backward or jvp.
        method: the innermost function of the author's, such as "Square.backward".
        file, line, code, operation: where it is, and what; `RETURN` where a method returned None.
        caller, caller_line: the line of PyTorch's method that called it; caller is "" if it is
            this one.
        times: how often this place of the code has run by now.
        is_used: whether numbers of its results are in what the method returned.
        is_last: whether more ran behind it than the log holds.
        reads: what it read.
        made: its results.
        writes: what it wrote into.
        roots: what the result depends on: "input 0", "incoming 0" and such.
        cast, ends, kept: dtypes; what ended a history; where on `ctx` it is kept without one.
        not_finite: the first number that is not finite.
    """

    phase: str
    method: str
    file: str
    line: int
    code: str
    operation: str
    caller: str = ""
    caller_line: int = 0
    times: int = 1
    is_used: bool = False
    is_last: bool = False
    reads: list[Seen] = field(default_factory=list)
    made: list[Seen] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
    roots: list[str] = field(default_factory=list)
    cast: str = ""
    ends: str = ""
    kept: str = ""
    not_finite: str = ""

    @property
    def sizes(self) -> list[int]:
        """The whole numbers in the code where a size can be."""
        return [int(number[:9]) for number in _SIZES.findall(self.code)]

    @property
    def has_fact(self) -> bool:
        """Whether it does more than to make a result."""
        return bool(self.writes or self.cast or self.not_finite or self.ends or self.kept)

    @property
    def notes(self) -> tuple[str, ...]:
        """What else it does than to make a result, each in a few words."""
        of = next((f" of `{one.name}`" for one in self.reads if one.name), "")
        ends = f"the history{of} ends, by {self.ends}" if self.ends else ""
        kept = "kept for backward, without a history" if self.kept else ""
        cast = self.cast if " to " in self.cast else ""
        wrong = f"the first number that is not finite: {self.not_finite}" if self.not_finite else ""
        named = (f"`{w.name}`" if w.name else f"a tensor {w.base}" for w in self.writes if w.role)
        writes = (f"changes {name.strip()} in place" for name in named)
        return tuple(filter(None, (*writes, cast, wrong, ends, kept)))

    @property
    def place(self) -> str:
        """Where it is, in words, and who called it there."""
        code = f"{_quoted(self.code)} on line" if self.code else "line"
        place = f"{code} {self.line} of {self.file or 'your code'}"
        by = f", called by {_quoted(self.caller)} on line {self.caller_line}"
        return place + (by if self.caller else "")


def results_of(code: str) -> list[str]:
    """Return the names that a statement gives its results; "" for one that it returns."""
    try:
        (statement,) = ast.parse(code).body
    except (SyntaxError, ValueError):  # cut, or the head of a block
        return [""]
    is_named = isinstance(statement, ast.Assign)
    made = statement.targets[0] if is_named else getattr(statement, "value", None)
    if is_named and isinstance(statement.value, _NO_TENSOR):
        return []
    several = made.elts if isinstance(made, ast.Tuple) else [made]
    return [ast.unparse(_whole(one)) if is_named else "" for one in several]


def _whole(target: ast.expr) -> ast.expr:
    """Return what a target is a part of."""
    return _whole(target.value) if isinstance(target, ast.Subscript) else target


def _quoted(code: str) -> str:
    code = code if code == "return None" else code.removeprefix("return ")
    code = code.replace("`", "'")
    return f"`{code}`"
