"""The steps of a log."""

import re
from dataclasses import dataclass, field

ARRAYS = ("numpy", "__array__")
_ASSIGNS = re.compile(r"([\w.,\s]+?) [-+*/@&|]?= ")
_SIZES = re.compile(r"[(,/] *(\d+)(?= *[,)]| *$)")  # an argument, or what is divided by


@dataclass(frozen=True)
class Seen:
    """A tensor in texts: how the author calls it, its size, its dtype, its first numbers."""

    name: str = ""
    size: str = ""
    dtype: str = ""
    numbers: str = ""


@dataclass(frozen=True)
class Write:
    """A tensor that was written into: its name, that of what it is a view of, what it is."""

    name: str = ""
    base: str = ""
    role: str = ""


@dataclass(frozen=True)
class Step:
    """One operation that one line of the author's ran, as `LineLog` has it.

    Attributes:
        phase: the method that PyTorch called: forward, setup_context, backward or jvp.
        method: the innermost function of the author's, such as "Square.backward".
        file, line, code, operation: where it is, and what.
        reads: what it read.
        made: its result.
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
    reads: list[Seen] = field(default_factory=list)
    made: Seen = Seen()
    writes: list[Write] = field(default_factory=list)
    roots: list[str] = field(default_factory=list)
    cast: str = ""
    ends: str = ""
    kept: str = ""
    not_finite: str = ""

    @property
    def target(self) -> str:
        """The name of what it writes into or, behind it, assigns to; or ""."""
        assigned = _ASSIGNS.match(self.code)
        return next((write.name for write in self.writes), assigned[1] if assigned else "")

    @property
    def sizes(self) -> list[int]:
        """The whole numbers in the code where a size can be."""
        return [int(number[:9]) for number in _SIZES.findall(self.code)]

    @property
    def notes(self) -> tuple[str, ...]:
        """What else it does than to make a result, each in a few words."""
        ends = f"the history ends, by {self.ends}" if self.ends else ""
        kept = f"kept in `{self.kept}`, without a history" if self.kept else ""
        wrong = f"the first number that is not finite: {self.not_finite}" if self.not_finite else ""
        names = (write.name or write.base for write in self.writes if write.role)
        writes = (f"changes `{name}` in place" for name in names)
        return tuple(filter(None, (*writes, self.cast, wrong, ends, kept)))

    @property
    def place(self) -> str:
        """Where it is, in words."""
        code = self.code.removeprefix("return ").replace("`", "'")
        return f"`{code}` on line {self.line} of {self.file or 'your code'}"
