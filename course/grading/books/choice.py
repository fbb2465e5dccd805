"""Choose one of several notebooks of a student for an exercise, where a platform says which."""

from collections.abc import Sequence

from course.grading.reading.download import Candidate


def choose(
    candidates: Sequence[Candidate], taken: str = ""
) -> tuple[Candidate, list[Candidate], list[str]]:
    """Return which notebook counts, those that may count instead, and remarks on the others.

    The newest that was worked on counts, by the platform's own numbers and times. Where these do
    not say which is newer, a person is asked.

    Args:
        candidates: all of a student for an exercise; there is at least one.
        taken: the file that a person chose; "" if nobody did.
    """
    ordered = sorted(candidates, key=lambda one: one.sent.file.parts, reverse=True)
    best = max(ordered, key=_worth)
    for one in ordered:
        if _worth(one) == _worth(best) and _is_newer(one, best):
            best = one
    chosen = [one for one in ordered if taken in (one.sent.file.where, one.sent.file.name)]
    if len(chosen) == 1:
        best = chosen[0]
    rivals: list[Candidate] = []
    remarks: list[str] = []
    for other in candidates:
        this, that = best.sent.file.where, other.sent.file.where
        if other is best or other.found.work == best.found.work:
            continue
        if chosen == [best]:
            remarks.append(f"{that} does not count: {this} was chosen.")
        elif _worth(other)[0] < _worth(best)[0]:
            remarks.append(f"{that} has fewer answers than {this}, which counts.")
        elif _is_newer(best, other):
            remarks.append(f"{that} is older than {this}, which counts.")
        else:
            rivals.append(other)
    return best, rivals, remarks


def _worth(one: Candidate) -> tuple:
    return one.found.written, not one.found.is_solution, one.found.is_main


def _is_newer(one: Candidate, other: Candidate) -> bool:
    """Return whether the platform says that one came after the other."""
    this, that = one.sent, other.sent
    if this.rank and that.rank:
        return this.rank > that.rank
    return bool(this.handed_in and that.handed_in) and this.handed_in > that.handed_in
