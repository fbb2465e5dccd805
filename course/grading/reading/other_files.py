"""Say of a file what its name tells, and of one that is no notebook whether it may be work."""

import html
import re
from collections.abc import Sequence
from pathlib import PurePath

from course.grading.reading.cells import checked_tasks
from course.grading.reading.sheet import Sheet
from course.notebooks.exercise_name import named_after

_PAGES = (".html", ".htm")
_TEXTS = (*_PAGES, ".py", ".md", ".tex", ".txt", ".json", "")
_KINDS = (*_TEXTS, ".pdf", ".doc", ".docx", ".odt", ".rtf", ".eml", ".msg")
_MOST_TEXT = 5 * 2**20
_TAG = re.compile(r"<[^<>]{0,500}>")
# What a page holds and nobody reads.
_UNSEEN = re.compile(r"<(/?)(?:style|script)\b", re.IGNORECASE)


def exercise_of(name: str, exercises: Sequence[str]) -> str:
    """Return which exercise a file of any kind is named after; "" for none, or several.

    >>> exercise_of("ada 05_square (2).ipynb", ["05_square", "06_exp"])
    '05_square'
    """
    found = [one for one in exercises if named_after(one).search(name.casefold())]
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
    if _ending(name) not in _PAGES:
        return text
    start, *parts = _UNSEEN.split(text)
    after = (part for end, part in zip(parts[::2], parts[1::2], strict=True) if end)
    text = html.unescape(_TAG.sub("", "<".join([start, *after])))
    return "\n".join(one.rstrip() for one in text.splitlines() if one.strip())


def may_be_work(name: str, content: bytes, known: Sequence[Sheet]) -> str | None:
    """Return the exercise of a file that is no notebook; None if it cannot be work.

    Args:
        name: of the file.
        content: what it holds, if that can tell anything; else nothing.
        known: the exercises.

    Returns:
        The exercise; "" if nothing says which.
    """
    if _ending(name) not in _KINDS:
        return None
    checked = set(checked_tasks(readable_text(name, content)))
    found = [one.exercise for one in known if checked & {*one.tasks}]
    if not found:
        return exercise_of(name, [one.exercise for one in known])
    return found[0] if len(found) == 1 else ""


def _ending(name: str) -> str:
    return PurePath(name).suffix.lower()
