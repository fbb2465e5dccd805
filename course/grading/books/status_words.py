"""Say what became of a task in words, with a mark that needs no colour."""

MARKS = {"passed": ("✓", "good"), "missing": ("–", "soft")}
OPEN = ("not-gradable", "grader-error")
WORDS = {
    "passed": "passed",
    "failed": "not right yet",
    "error": "the code raised an error",
    "timeout": "the code took too long",
    "died": "the code ended Python",
    "missing": "not handed in",
    "not-gradable": "a person has to look at it",
    "grader-error": "not graded yet: the grader failed, not you",
}


def mark(status: str) -> tuple[str, str]:
    """Return the mark of a status, and its class of colour."""
    return MARKS.get(status, ("?", "open") if status in OPEN else ("✗", "bad"))
