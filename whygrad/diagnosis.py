"""What `diagnose` returns: the data of a report, which shows itself."""

from dataclasses import dataclass
from typing import Any

from whygrad import report
from whygrad.codec import encoded
from whygrad.evidence import Evidence
from whygrad.verdict import Finding, ReportData, Verdict


@dataclass(frozen=True, repr=False)
class Diagnosis(ReportData):
    """What is wrong with a custom Function, or that nothing was found; shows itself as a report.

    Attributes:
        verdict: the properties and the findings.
        evidence: the measured numbers and facts, as JSON data.
        pictures: figures that show the reason, with a caption each.
        title: the heading of the report, such as "Square", or "".
        mistakes: what the report says of each mistake.
    """

    @property
    def message(self) -> str:
        """The diagnosis in a sentence or two."""
        return report.message(self.verdict, self.mistakes)

    def __repr__(self) -> str:
        return report.as_text(self)

    def _repr_mimebundle_(self, include=None, exclude=None) -> dict[str, str]:
        from whygrad.report_html import as_html  # and jinja2, which only a page needs

        return {"text/plain": report.as_text(self), "text/html": as_html(self)}


def evidence_of(verdict: Verdict, evidence: Evidence) -> dict[str, Any]:
    """Return what a diagnosis rests on, and what it concluded, as JSON data."""
    return {
        "ok": verdict.ok,
        "names": list(verdict.names),
        "findings": [[_plain(one) for one in group] for group in verdict.groups],
        "remarks": [_plain(one) for one in verdict.remarks],
        "examined": list(verdict.examined),
        "left out": dict(verdict.left_out),
        "measured": encoded(evidence),
    }


def _plain(finding: Finding) -> dict[str, str]:
    return {"name": finding.name, "about": finding.about, "detail": finding.detail}
