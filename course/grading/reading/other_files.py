"""Say of a file what its name tells, and of one that is no notebook whether it may be work."""

import html
import re
from collections.abc import Sequence
from pathlib import PurePath

from course.grading.reading.sheet import Sheet
from course.notebooks.exercise_name import named_after

_PAGES = dict.fromkeys((".html", ".htm"), "is a web page, such as a printed notebook.")
_TEXTS = {
    **_PAGES,
    ".py": "is a Python script, not a notebook.",
    **dict.fromkeys((".md", ".tex", ".txt", ".json", ""), "is a text, not a notebook."),
}
_KINDS = {
    **_TEXTS,
    ".pdf": "is a PDF, such as a printed notebook.",
    **dict.fromkeys((".doc", ".docx", ".odt", ".rtf"), "is a document, not a notebook."),
    **dict.fromkeys((".eml", ".msg"), "is an e-mail: save what is attached to it."),
}
_MOST_TEXT = 5 * 2**20
_TAG = re.compile(r"<(?:style|script)[^<>]{0,500}>[^<]*|<[^<>]{0,500}>", re.IGNORECASE)
_CHECK = re.compile(r"check\([ \t]*[\"'](\d{1,6}\.\d{1,6})[\"']")


def exercise_of(name: str, exercises: Sequence[str]) -> str:
    """Return which exercise a file of any kind is named after; "" for none, or several.

    >>> exercise_of("ada 05_square (2).ipynb", ["05_square", "06_exp"])
    '05_square'
    """
    found = [one for one in exercises if named_after(one).search(name.casefold())]
    found = [one for one in found if not any(one in other and one != other for other in found)]
    return found[0] if len(found) == 1 else ""


def is_text(name: str) -> bool:
    """Return whether what such a file says can tell what it is."""
    return _ending(name) in _TEXTS


def looks_like_notebook(content: bytes) -> bool:
    """Return whether a file that is not called a notebook holds one."""
    return content.lstrip()[:1] == b"{" and b'"cells"' in content


def readable_text(name: str, content: bytes) -> str:
    """Return the text of a file, without the tags of a web page."""
    text = content[:_MOST_TEXT].decode("utf-8", "replace")
    return html.unescape(_TAG.sub("", text)) if _ending(name) in _PAGES else text


def may_be_work(name: str, content: bytes, known: Sequence[Sheet]) -> tuple[str, str] | None:
    """Return what a file that is no notebook is, and its exercise; None if it cannot be work.

    Args:
        name: of the file.
        content: what it holds, if that can tell anything; else nothing.
        known: the exercises.

    Returns:
        Words to be put after its name, and the exercise; "" if nothing says which.
    """
    kind = _KINDS.get(_ending(name))
    if not kind:
        return None
    checked = set(_CHECK.findall(readable_text(name, content)))
    found = [one.exercise for one in known if checked & {*one.tasks}]
    if not found:
        return kind, exercise_of(name, [one.exercise for one in known])
    return kind, found[0] if len(found) == 1 else ""


def _ending(name: str) -> str:
    return PurePath(name).suffix.lower()
