"""Put what was found along directions of large inputs into words that say so."""

import re
from dataclasses import replace

from whygrad.evidence import Sampled
from whygrad.verdict import Finding, Property, Verdict

_AT = re.compile(r"\bAt \[(\d+)\] it is\b")
_PLACE = re.compile(r"\[(\d+)\]")
_OF_OUTPUT = "wrong-forward"


def along_directions(verdict: Verdict, sampled: list[Sampled], names: list[str]) -> Verdict:
    """Return the verdict with places along directions in place of those of numbers.

    Args:
        verdict: what was concluded of the small callable that stands for a large one.
        sampled: the inputs that were looked at so.
        names: of all inputs.
    """
    known = {names[each.input]: each for each in sampled}
    return replace(
        verdict,
        properties=tuple(_property(line, known) for line in verdict.properties),
        findings=tuple(_finding(one, known) for one in verdict.findings),
        others=tuple(tuple(_finding(one, known) for one in some) for some in verdict.others),
    )


def _property(line: Property, known: dict[str, Sampled]) -> Property:
    about = known.get(line.name.removeprefix("gradient of "))
    of_output, of_second = line.name == "forward", line.name.startswith("second derivative")
    place = _PLACE.fullmatch(line.where)
    if place and (of_output or of_second or about):
        along = "weighted sum {} of the output" if of_output else "along direction {}"
        line = replace(line, where=along.format(place[1]), note="")
    if of_output or about is None or line.ok is None:
        return line
    words = f"looked at along {about.directions} directions of {about.numbers:,} numbers"
    if about.at_a_kink:
        words += f"; {about.at_a_kink:,} of these, which stand at a kink, stay where they are"
    return replace(line, note=words)


def _finding(finding: Finding, known: dict[str, Sampled]) -> Finding:
    if finding.name == _OF_OUTPUT:
        said = r"Weighted sum \1 of the output, counted from 0, is"
    elif finding.about in known or " by " in finding.about or " and " in finding.about:
        said = r"Along direction \1, counted from 0, the slope is"
    else:
        return finding
    return replace(finding, detail=_AT.sub(said, finding.detail))
