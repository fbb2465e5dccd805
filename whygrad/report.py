"""Put a diagnosis into words, cut to a length that can be read: a message, or a plain text."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from whygrad.mistakes import MISTAKES, Mistake
from whygrad.verdict import ELSEWHERE, Finding, Property, Raised, ReportData, Verdict

NOTHING = "Nothing wrong was found."
NOT_STARTED = "not started"
# What is said in place of the names, and the mark in front of the heading is that of no answer.
OPEN = {"not-started": NOT_STARTED, "not-examined": "could not be examined"}
ALSO, REMARKS = "Also wrong:", "Remarks, which are no errors:"
SAID = {True: ("✓", "right"), False: ("✗", "wrong"), None: ("–", "not looked at")}
_LEFT = "Not examined"
# Where a number is wrong already, it is so there, too: a row would say it again.
_ELSEWHERE = "Examined too, with a row only where more is wrong than above"
_COUNTS = {2: "two", 3: "three"}
_VALUE, _LINE, _DETAIL, _WHERE = 60, 120, 300, 500  # the most characters of each
_MOST_RIGHT, _MOST_WRONG = 16, 10  # lines; where something is wrong, the mistake comes first


@dataclass(frozen=True)
class Explained:
    """A mistake that fits: the diagnosis, its line, reason or usual cause, and what to look at."""

    text: str
    cause: str = ""
    look: str = ""
    why: str = ""
    where: str = ""

    @property
    def more(self) -> list[tuple[str, str]]:
        """What is said below the diagnosis, each with the words in front of it."""
        reason = ("Why", self.why) if self.why else ("Usual cause", self.cause)
        pairs = (("Where", self.where), reason, ("What to do", self.look))
        return [(head, said) for head, said in pairs if said]


@dataclass(frozen=True)
class Said:
    """The mistakes of a verdict in words.

    Attributes:
        findings: the most important one: those that fit, likeliest first; a mistake is named once.
        others: further ones, worst first, each as a list of those that fit.
        remarks: each as a list of one.
    """

    findings: list[Explained]
    others: list[list[Explained]]
    remarks: list[list[Explained]]


def as_text(diagnosis: ReportData, *, verbose: bool = False) -> str:
    """Write a diagnosis as plain text: what was looked at, what is wrong, why, and what to do.

    `verbose` adds what each line ran, where something is wrong.
    """
    shown, more = lines(diagnosis.verdict)
    rows = [_row(line) for line in shown] + ([f"… {more}"] if more else [])
    said = all_explained(diagnosis.verdict, diagnosis.mistakes)
    blocks = _blocks(said.findings) or [NOTHING]
    for head, groups in ((ALSO, said.others), (REMARKS, said.remarks)):
        inside = [block for group in groups for block in _blocks(group)]
        blocks += [head, *inside] if inside else []
    pictures = [
        f"{clean(caption)}\n{_summary(figure.text)}"
        for caption, figure in diagnosis.pictures
        if figure.text
    ]
    top = "\n".join([heading(diagnosis), *rows])
    table = diagnosis.verdict.table
    ran = ["\n".join(map(printable, table.lines()))] if verbose and table else []
    last = ["\n".join(examined)] if (examined := examined_lines(diagnosis.verdict)) else []
    return "\n\n".join([top, *blocks, *ran, *pictures, *last])


def remarks_as_text(diagnosis: ReportData) -> str:
    """Write the remarks of a diagnosis alone, below its title."""
    said = all_explained(diagnosis.verdict, diagnosis.mistakes).remarks
    blocks = [block for group in said for block in _blocks(group)]
    return "\n\n".join([f"{clean(diagnosis.title)}: {REMARKS}", *blocks])


def message(verdict: Verdict, mistakes: Mapping[str, Mistake] = MISTAKES) -> str:
    """Return the diagnosis in a few sentences, without the usual causes and the advice."""
    said = all_explained(verdict, mistakes)
    if not said.findings:
        return NOTHING
    return f" {ALSO} ".join(_message(group) for group in (said.findings, *said.others))


def _message(fitting: list[Explained]) -> str:
    if len(fitting) == 1:
        return fitting[0].text
    texts = " ".join(f"({place}) {one.text}" for place, one in enumerate(fitting, 1))
    return f"{opening(len(fitting))} {texts}"


def opening(count: int) -> str:
    """Say how many mistakes would give what was seen."""
    return f"This fits {_COUNTS.get(count, count)} mistakes:"


def explained(verdict: Verdict, mistakes: Mapping[str, Mistake]) -> list[Explained]:
    """Explain each mistake that fits what is worst, likeliest first; a mistake is named once."""
    return _group(verdict.findings, mistakes, verdict.raised)


def all_explained(verdict: Verdict, mistakes: Mapping[str, Mistake]) -> Said:
    """Put all findings and remarks of a verdict into words."""
    return Said(
        explained(verdict, mistakes),
        [_group(findings, mistakes) for findings in verdict.others],
        [_group([remark], mistakes) for remark in verdict.remarks],
    )


def _group(
    findings: Iterable[Finding], mistakes: Mapping[str, Mistake], raised: Raised | None = None
) -> list[Explained]:
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.name, finding)
    return [
        _explained(finding, mistakes[name], finding.raised or raised)
        for name, finding in first.items()
    ]


def examined_lines(verdict: Verdict) -> list[str]:
    """Say what was looked at, and what was not, and why; empty where that was not noted."""
    part = {name: why for name, why in verdict.left_out.items() if name in verdict.examined}
    seen = [f"{name} ({part[name]})" if name in part else name for name in verdict.examined]
    reasons: dict[str, list[str]] = {}
    for name, why in verdict.left_out.items():
        if name not in part:
            reasons.setdefault(clean(why), []).append(name)
    left = [f"{', '.join(names)} ({why})" for why, names in reasons.items()]
    wrong = (line.name for line in verdict.properties if line.ok is False)
    is_wrong_here = any(name.startswith(("forward", "gradient of ")) for name in wrong)
    elsewhere = [name for name in seen if is_wrong_here and name.startswith(ELSEWHERE)]
    here = [name for name in seen if name not in elsewhere]
    return [
        f"{head}: {'; '.join(said) if head == _LEFT else ', '.join(said)}."
        for head, said in (("Examined", here), (_ELSEWHERE, elsewhere), (_LEFT, left))
        if said
    ]


def heading(diagnosis: ReportData) -> str:
    """Return the words above a report, with their mark."""
    title = clean(diagnosis.title) or "Diagnosis"
    if diagnosis.ok:
        return f"✓ {title}"
    if said := OPEN.get(diagnosis.name):
        return f"– {title}: {said}"
    groups = (dict.fromkeys(one.name for one in group) for group in diagnosis.verdict.groups)
    return f"✗ {title}: {', also '.join(dict.fromkeys(map(' or '.join, groups)))}"


def lines(verdict: Verdict) -> tuple[list[Property], str]:
    """Return the properties to show, cut, and words for those that are left out."""
    every = list(enumerate(verdict.properties))
    if "not-started" in verdict.names:  # where nothing stands, nothing is wrong
        every = [(place, replace(line, ok=line.ok or None)) for place, line in every]
    # What is wrong is what the reader looks for: it goes last.
    drop = [place for ok in (True, None, False) for place, line in every[::-1] if line.ok is ok]
    most = _MOST_RIGHT if verdict.ok else _MOST_WRONG
    dropped = set(drop[: max(len(every) - most, 0)])
    counts = Counter(mark(line)[1] for place, line in every if place in dropped)
    more = ", ".join(f"{count} more {said}" for said, count in counts.items())
    return [_cut(line) for place, line in every if place not in dropped], more


def mark(line: Property) -> tuple[str, str]:
    """Return the sign of a line, and the word that says the same."""
    sign, said = SAID[line.ok]
    return sign, line.said or said


def difference(line: Property) -> str:
    """Say where a property does not hold, with both numbers, in words for a line of text."""
    where = f"at {line.where}" if line.where.startswith("[") else line.where
    if line.given:
        where = f"{where}, where {line.given}:".lstrip(", ")
    numbers = [
        f"{label} {value}"
        for label, value in (("yours", line.yours), ("expected", line.expected))
        if value
    ]
    said = " ".join(filter(None, [where, ", ".join(numbers)]))
    if said and line.note:
        return f"{said} ({line.note})"
    return said or line.note


def clean(text: str, most: int = _LINE) -> str:
    """Put text on one line, without characters that cannot be shown, and cut it."""
    words = printable(" ".join(str(text).split()))
    return words if len(words) <= most else words[: most - 2].rstrip() + " …"


def printable(line: str) -> str:
    """Replace the characters of a line that cannot be shown."""
    return "".join(letter if letter.isprintable() else "�" for letter in line)


def _cut(line: Property) -> Property:
    values = (clean(value, _VALUE) for value in (line.where, line.yours, line.expected))
    note, given = clean(line.note), clean(line.given)
    return Property(clean(line.name), line.ok, *values, note=note, given=given, said=line.said)


def _explained(finding: Finding, mistake: Mistake, raised: Raised | None) -> Explained:
    detail = clean(finding.detail, _DETAIL)
    if finding.name == "not-started":
        text = _not_started(raised)
    elif finding.name != "raises":
        text = " ".join(filter(None, [mistake.about(clean(finding.about, _VALUE)), detail]))
    elif raised is not None:
        text = of_raised(raised)
    else:  # nothing could be run, or not to its end: the detail says what to hand over, or where
        return Explained(detail or mistake.sentence, "", finding.look, finding.why)
    look = " ".join(filter(None, [finding.look or mistake.look, mistake.read_on]))
    # Where the line is known, what it could be otherwise is beside the point.
    line = finding.where or (raised.line if raised and finding.name == "raises" else "")
    cause = "" if line else mistake.cause
    return Explained(text, cause, look, finding.why, clean(finding.where, _WHERE))


def of_raised(raised: Raised) -> str:
    """Say what raised, where, and in which line."""
    place = f"{_place(raised)} raises {clean(raised.type)}" if raised.line else ""
    text = f"In {clean(raised.phase)}, {place or f'{clean(raised.type)} is raised'}"
    if said := clean(raised.message, _DETAIL):
        text += f": {said}"
    if raised.line:
        text += f"{'' if text[-1] in '.?…' else '.'} The line: `{clean(raised.line)}`"
    return text


def _not_started(raised: Raised | None) -> str:
    if raised is None:
        return NOT_STARTED
    place = f", in {_place(replace(raised, method=''))}" if raised.line else ""
    what = f"`{clean(raised.method)}`" if raised.method else clean(raised.phase)
    text = f"{NOT_STARTED}: {what} still raises {clean(raised.type)}{place}"
    # A stub's exception says nothing; what does is PyTorch's, or somebody's own.
    return f"{text}: {said}" if (said := clean(raised.message, _DETAIL)) else text


def _place(raised: Raised) -> str:
    number = f"line {raised.number}" if raised.number else "a line"
    method = f", in `{clean(raised.method)}`," if raised.method else ""
    return f"{number} of {clean(raised.file) or 'your code'}{method}"


def _row(line: Property) -> str:
    sign, said = mark(line)
    differs = difference(line) or (said if line.ok is None else "")
    if line.said and differs != said:
        differs = f"{said}, {differs}"
    return f"{sign} {line.name}" + (f": {differs}" if differs else "")


def _blocks(fitting: list[Explained]) -> list[str]:
    if len(fitting) < 2:
        return [_block(one) for one in fitting]
    numbered = [_block(one, f"({place}) ") for place, one in enumerate(fitting, 1)]
    return [opening(len(fitting)), *numbered]


def _block(one: Explained, number: str = "") -> str:
    return "\n".join([number + one.text, *(f"{head}: {said}" for head, said in one.more)])


def _summary(text: str) -> str:
    """Cut a picture's words to what they conclude: the last paragraph, or the first line."""
    paragraphs = text.strip().split("\n\n")
    summary = paragraphs[-1].splitlines() if len(paragraphs) > 1 else paragraphs[0].splitlines()[:1]
    return "\n".join(clean(line, 200) for line in summary)
