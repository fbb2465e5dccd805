"""Say of files that are no notebooks whether they may be work, and of which exercise."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from course.grading.reading.file_names import exercise_of
from course.grading.reading.known_exercises import KnownExercise

EMAILS = (".eml", ".msg")
_REASONS = {
    ".py": "is a Python script, not a notebook.",
    ".html": "is a web page, such as a printed notebook.",
    ".htm": "is a web page, such as a printed notebook.",
    ".md": "is a text, not a notebook.",
    ".pdf": "is a PDF, such as a printed notebook.",
    ".doc": "is a document, not a notebook.",
    ".docx": "is a document, not a notebook.",
    ".odt": "is a document, not a notebook.",
    ".rtf": "is a document, not a notebook.",
    ".tex": "is a text, not a notebook.",
    **dict.fromkeys(EMAILS, "is an e-mail, and what is attached to it is not looked at."),
}
# What platforms call what was typed into them; whose a file is must say that they named it.
_TYPED = {
    ("canvas", "text.html"): "is text that was typed into Canvas, not a notebook.",
    ("canvas", "link.html"): "is a link that was typed into Canvas, not a notebook.",
    ("moodle", "onlinetext.html"): "is text that was typed into Moodle, not a notebook.",
}
_TEXTS = (".py", ".html", ".htm", ".md", ".tex", ".txt", ".json", "")
_CODE = (".py", ".md", ".tex", ".txt")
_MOST_TEXT = 5 * 2**20
_TAG = re.compile(r"<[^<>]{0,500}>")
_CHECK = re.compile(r"check\([ \t]*[\"'](\d{1,6}\.\d{1,6})[\"']")
_NOTEBOOK = re.compile(rb'\s{0,9}\{[^{}]{0,200}"(?:cells|nbformat|nbformat_minor|metadata)"')


@dataclass(frozen=True)
class Suspicion:
    """A file that may be work.

    Attributes:
        reason: what it is, to be put after its name.
        exercise: which it seems to be of; "" if nothing says so.
        is_certain: whether it is an exercise, by what it says or is called.
    """

    reason: str
    exercise: str = ""
    is_certain: bool = False


def ending(name: str) -> str:
    """Return the ending of a file's name, in small letters."""
    return PurePath(name).suffix.lower()


def is_text(name: str) -> bool:
    """Tell whether what such a file says can tell what it is."""
    return ending(name) in _TEXTS


def named_exercise(name: str, exercises: Sequence[str]) -> str:
    """Return which exercise a file of any kind is named after; "" if it is none."""
    named = exercise_of(f"{name.partition('.')[0]}.ipynb", exercises)
    return named[0] if named else ""


def looks_like_notebook(content: bytes) -> bool:
    """Tell whether a file that is not called a notebook begins as one."""
    return _NOTEBOOK.match(content[:4096]) is not None


def suspicion(
    name: str, content: bytes, known: Sequence[KnownExercise], platform: str = ""
) -> Suspicion | None:
    """Return what a file that is no notebook may be; None if it cannot be work.

    Args:
        name: of the file.
        content: what it holds, if that can tell anything; else nothing.
        known: the exercises.
        platform: which learning platform named the file; "" if the student did.
    """
    kind = ending(name)
    checked = _checked(kind, content)
    found = [one.name for one in known if checked & {*one.sheet.tasks}]
    named = named_exercise(name, [one.name for one in known])
    exercise = found[0] if len(found) == 1 else "" if found else named
    if kind not in _REASONS and not (found and kind in _TEXTS):
        return None
    reason = _REASONS.get(kind, "is a text that holds answers, not a notebook.")
    reason = _TYPED.get((platform, name), reason)
    return Suspicion(reason, exercise, bool(found or named))


def _checked(kind: str, content: bytes) -> set[str]:
    text = content[:_MOST_TEXT].decode("utf-8", "replace")
    if kind in (".html", ".htm"):
        text = html.unescape(_TAG.sub("", text))
    return set(_CHECK.findall(text))
