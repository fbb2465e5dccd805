"""Report a diagnosis: as a message, as plain text, and as what a notebook's cell shows."""

from typing import Any

from whygrad.diagnosis import Diagnosis
from whygrad.report_html import as_html
from whygrad.report_words import (
    SAID,
    Explained,
    clean,
    difference,
    explained,
    heading,
    lines,
    message,
    opening,
)

__all__ = ["EVIDENCE", "as_html", "as_text", "bundle", "hidden_text", "message"]

EVIDENCE = "application/vnd.autograd-course.evidence+json"


def as_text(diagnosis: Diagnosis) -> str:
    """Write a diagnosis as plain text: what was looked at, the mistake, its cause, what to do."""
    shown, more = lines(diagnosis.verdict)
    rows = [_row(line) for line in shown] + ([f"… {more}"] if more else [])
    fitting = explained(diagnosis.verdict)
    if len(fitting) > 1:
        blocks = [opening(len(fitting))]
        blocks += [_block(one, f"({place}) ") for place, one in enumerate(fitting, 1)]
    else:
        blocks = [_block(one) for one in fitting] or [message(diagnosis.verdict)]
    pictures = [
        f"{clean(caption)}\n{_summary(figure.text)}" for caption, figure in _seen(diagnosis)
    ]
    top = "\n".join([heading(diagnosis), *rows])
    return "\n\n".join([top, *blocks, *pictures])


def bundle(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return what a notebook stores of a diagnosis, by MIME type; the evidence if there is any."""
    data: dict[str, Any] = {"text/plain": as_text(diagnosis), "text/html": as_html(diagnosis)}
    if diagnosis.evidence:
        data[EVIDENCE] = diagnosis.evidence
    return data


def hidden_text(title: str, failed: list[str]) -> str:
    """Say how the hidden checks of a task went: what they are about, and no numbers.

    Args:
        title: of the task.
        failed: names of the properties that do not hold; empty if all do.

    >>> hidden_text("5.1 Square", ["forward", "gradient of x"])
    '5.1 Square: a hidden check on forward and gradient of x failed.'
    """
    if not failed:
        return f"{title}: the hidden checks pass."
    names = [clean(name) for name in dict.fromkeys(failed)]
    some = names[:3] if len(names) <= 3 else [*names[:2], f"{len(names) - 2} more"]
    listed = " and ".join(filter(None, [", ".join(some[:-1]), some[-1]]))
    return f"{title}: a hidden check on {listed} failed."


def _row(line) -> str:
    mark, said = SAID[line.ok]
    differs = difference(line) or (said if line.ok is None else "")
    return f"{mark} {line.name}" + (f": {differs}" if differs else "")


def _block(one: Explained, number: str = "") -> str:
    more = {"Usual cause": one.cause, "What to do": one.look}
    return "\n".join(
        [number + one.text, *(f"{head}: {said}" for head, said in more.items() if said)]
    )


def _seen(diagnosis: Diagnosis) -> list[tuple[str, Any]]:
    return [(caption, figure) for caption, figure in diagnosis.pictures if figure.text]


def _summary(text: str) -> str:
    """Cut a picture's words to what they conclude: the last paragraph, or the first line."""
    paragraphs = text.strip().split("\n\n")
    summary = paragraphs[-1].splitlines() if len(paragraphs) > 1 else paragraphs[0].splitlines()[:1]
    return "\n".join(clean(line, 200) for line in summary)
