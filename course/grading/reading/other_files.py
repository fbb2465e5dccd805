"""Say of files that are no notebooks whether they may be work, and of which exercise."""

import html
import re
from collections.abc import Sequence
from pathlib import PurePath

from course.grading.reading.file_names import exercise_of
from course.grading.reading.known_exercises import KnownExercise

_KINDS = {
    ".py": "is a Python script, not a notebook.",
    **dict.fromkeys((".html", ".htm"), "is a web page, such as a printed notebook."),
    **dict.fromkeys((".md", ".tex", ".txt", ".json", ""), "is a text, not a notebook."),
    ".pdf": "is a PDF, such as a printed notebook.",
    **dict.fromkeys((".doc", ".docx", ".odt", ".rtf"), "is a document, not a notebook."),
    **dict.fromkeys((".eml", ".msg"), "is an e-mail: save what is attached to it."),
}
_TEXTS = (".py", ".html", ".htm", ".md", ".tex", ".txt", ".json", "")
_MOST_TEXT = 5 * 2**20
_TAG = re.compile(r"<(?:style|script)[^<>]{0,500}>[^<]*|<[^<>]{0,500}>", re.IGNORECASE)
_CHECK = re.compile(r"check\([ \t]*[\"'](\d{1,6}\.\d{1,6})[\"']")
_NOTEBOOK = re.compile(rb'\s{0,9}\{[^{}]{0,200}"(?:cells|nbformat|nbformat_minor|metadata)"')


def is_text(name: str) -> bool:
    """Return whether what such a file says can tell what it is."""
    return _ending(name) in _TEXTS


def looks_like_notebook(content: bytes) -> bool:
    """Return whether a file that is not called a notebook begins as one."""
    return _NOTEBOOK.match(content[:4096]) is not None


def readable_text(name: str, content: bytes) -> str:
    """Return the text of a file, without the tags of a web page."""
    text = content[:_MOST_TEXT].decode("utf-8", "replace")
    return html.unescape(_TAG.sub("", text)) if _ending(name) in (".html", ".htm") else text


def may_be_work(
    name: str, content: bytes, known: Sequence[KnownExercise]
) -> tuple[str, str] | None:
    """Return what a file that is no notebook is, and its exercise; None if it cannot be work.

    Args:
        name: of the file.
        content: what it holds, if that can tell anything; else nothing.
        known: the exercises.

    Returns:
        Words to be put after its name, and the exercise; "" if nothing says which.
    """
    kind = _ending(name)
    if kind not in _KINDS:
        return None
    checked = set(_CHECK.findall(readable_text(name, content))) if content else set()
    found = [one.name for one in known if checked & {*one.sheet.tasks}]
    named = exercise_of(name, [one.name for one in known])
    return _KINDS[kind], (found[0] if len(found) == 1 else "" if found else named)


def _ending(name: str) -> str:
    return PurePath(name).suffix.lower()
