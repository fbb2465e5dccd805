"""What `diagnose` returns: the data of a report, which shows itself."""

from dataclasses import dataclass

from whygrad import report
from whygrad.verdict import ReportData


@dataclass(frozen=True, repr=False)
class Diagnosis(ReportData):
    """What is wrong with a custom Function, or that nothing was found; shows itself as a report.

    Attributes:
        verdict: the properties and the findings.
        evidence: the measured numbers and facts, as JSON data.
        pictures: figures that show the reason, with a caption each.
        title: the heading of the report, such as "5.1 Square", or "".
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
