"""What a judge concluded, and what a report is made from, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from whygrad.evidence import Raised
from whygrad.lines.table import LineTable
from whygrad.mistakes import MISTAKES, Mistake

OK = "ok"
# With other inputs than the given ones.
ELSEWHERE = ("other numbers", "other sizes", "layouts", "dtypes", "empty")
# What can be looked at; a verdict says which of it was, and why the rest was not.
EXAMINED = (
    "forward against a reference",
    "first order",
    "second order",
    "jvp",
    "vmap",
    *ELSEWHERE,
)


@dataclass(frozen=True)
class Property:
    """One thing that was looked at.

    Attributes:
        name: what holds if it is right, such as "forward" or "gradient of x".
        ok: whether it holds; None if that cannot be told, or it was not looked at.
        where: the first place where the numbers differ, such as "[0, 1]", or "".
        yours, expected: the numbers (or shapes, types) at that place, or "".
        note: further words, or "".
        given: what went in at that place, such as "x is 2 and grad_y is 0.5", or "".
        said: what to say in place of "right", "wrong" or "not looked at", such as "remark", or "".
    """

    name: str
    ok: bool | None
    where: str = ""
    yours: str = ""
    expected: str = ""
    note: str = ""
    given: str = ""
    said: str = ""


@dataclass(frozen=True)
class Finding:
    """One mistake that explains what was measured.

    Attributes:
        name: its identifier, a key of `mistakes.MISTAKES`.
        about: the input, gradient or output that it is about, such as "W", or "".
        detail: what exactly was seen, one sentence with numbers, or "".
        why: the reason, where it is known; it takes the place of the usual cause.
        look: what to do, where that is known; it takes the place of the mistake's own advice.
        raised: the exception, where that is the mistake and the verdict's own is another one.
        where: the line of the author's that is behind it, as a sentence, or "".
    """

    name: str
    about: str = ""
    detail: str = ""
    why: str = ""
    look: str = ""
    raised: Raised | None = None
    where: str = ""

    def because(self, why: str, look: str = "") -> "Finding":
        """Return the finding with a reason and with what to do, where that is known."""
        return replace(self, why=why, look=look or self.look)


@dataclass(frozen=True)
class Verdict:
    """What `judge` concluded from numbers alone: the report is made from it.

    Attributes:
        properties: what was looked at, in the order of the report.
        findings: the mistakes that fit, likeliest first; empty if all is right.
        raised: the exception, where the first mistake is `raises` or `not-started`.
        others: further mistakes that the first do not explain, worst first; of each, those that
            fit, likeliest first.
        remarks: what is no error: what arrives is right, or it fails aloud, and elsewhere only.
        examined: what was looked at, of `EXAMINED`.
        left_out: what was not, and why.
        table: what the lines of the Function ran, where something is wrong; or None.
    """

    properties: tuple[Property, ...] = ()
    findings: tuple[Finding, ...] = ()
    raised: Raised | None = None
    others: tuple[tuple[Finding, ...], ...] = ()
    remarks: tuple[Finding, ...] = ()
    examined: tuple[str, ...] = ()
    left_out: dict[str, str] = field(default_factory=dict)
    table: LineTable | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    @property
    def names(self) -> tuple[str, ...]:
        """The identifiers of all mistakes, the most important first; ("ok",) if all is right."""
        return tuple(dict.fromkeys(one.name for group in self.groups for one in group)) or (OK,)

    @property
    def groups(self) -> tuple[tuple[Finding, ...], ...]:
        """The mistakes, worst first; of each, those that fit, likeliest first."""
        return (self.findings, *self.others) if self.findings else ()


@dataclass(frozen=True, repr=False)
class ReportData:
    """What a report is made from.

    Attributes:
        verdict: the properties and the findings.
        evidence: the measured numbers and facts, as JSON data.
        pictures: figures that show the reason, with a caption each.
        title: the heading of the report, such as "5.1 Square", or "".
        mistakes: what the report says of each mistake.
    """

    verdict: Verdict
    evidence: dict[str, Any] = field(default_factory=dict)
    pictures: tuple[tuple[str, Any], ...] = ()
    title: str = ""
    mistakes: Mapping[str, Mistake] = field(default_factory=lambda: MISTAKES)

    @property
    def ok(self) -> bool:
        """Whether nothing wrong was found."""
        return self.verdict.ok

    @property
    def name(self) -> str:
        """The most important mistake's identifier, or "ok"."""
        return self.verdict.names[0]

    @property
    def names(self) -> tuple[str, ...]:
        """The identifiers of all mistakes, the most important first; ("ok",) if none."""
        return self.verdict.names

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The most important mistake: all that fit it, likeliest first."""
        return self.verdict.findings

    @property
    def others(self) -> tuple[tuple[Finding, ...], ...]:
        """Further mistakes that the first does not explain, worst first."""
        return self.verdict.others

    @property
    def remarks(self) -> tuple[Finding, ...]:
        """What is no error: what arrives is right, or it fails aloud, and elsewhere only."""
        return self.verdict.remarks

    @property
    def examined(self) -> tuple[str, ...]:
        """What was looked at, of `verdict.EXAMINED`."""
        return self.verdict.examined

    @property
    def left_out(self) -> dict[str, str]:
        """What was not looked at, of `verdict.EXAMINED`, and why."""
        return self.verdict.left_out
