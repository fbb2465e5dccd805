"""Know a copy of the whole course among what was handed in, and which of its folders a file is in.

A clone or a release holds the course's own solutions and notebooks, which are nobody's work.
"""

import re
from collections.abc import Collection, Iterable, Sequence

from course.grading.reading.archives import is_archive
from course.grading.reading.file_names import is_notebook, owner_of_file, owner_of_folder
from course.grading.reading.gradescope import METADATA

_EXERCISES = "exercises"
_OTHERS = frozenset(
    ("notebooks", "lessons", "solutions", "whygrad", "helpers", "course", "tests", "docs")
)
_TOP = frozenset(
    ("readme.md", "contributing.md", "changelog.md", "license", "makefile", "conftest.py")
)
_NEEDED = 2  # of these, beside exercises/
_SOLUTIONS = frozenset(("solutions", "notebooks"))


class CourseCopies:
    """The folders, among all that was handed in, that hold the whole course."""

    def __init__(self, files: Iterable[tuple[str, ...]]) -> None:
        held: dict[tuple[str, ...], set[str]] = {}
        for parts in files:
            for depth, part in enumerate(parts[:-1]):
                if part in _OTHERS or part == _EXERCISES:
                    held.setdefault(parts[:depth], set()).add(part)
        self._roots = {
            folder
            for folder, names in held.items()
            if _EXERCISES in names and len(names & _OTHERS) >= _NEEDED
        }

    def folder(self, parts: tuple[str, ...]) -> str:
        """Return in which folder of a copy a file is, "." for its top; "" if it is in no copy."""
        for depth in range(len(parts) - 1, -1, -1):
            if parts[:depth] in self._roots:
                return parts[depth] if depth < len(parts) - 1 else "."
        return ""

    def is_courses(self, parts: tuple[str, ...]) -> bool:
        """Tell whether a file is in a folder of a copy in which nobody is asked to work."""
        return self.folder(parts) in _OTHERS

    def is_furniture(self, parts: tuple[str, ...]) -> bool:
        """Tell whether a file is one of a copy's own, and none that anybody is asked to work in."""
        where, is_plain = self.folder(parts), not is_notebook(parts[-1])
        return is_plain and (where in _OTHERS or (where == "." and parts[-1].lower() in _TOP))


def in_solutions(parts: tuple[str, ...]) -> bool:
    """Tell whether a file is in a folder that is named as the course names that of its answers."""
    return any(part.casefold() in _SOLUTIONS for part in parts[:-1])


def is_of_one(files: Iterable[tuple[str, ...]]) -> bool:
    """Tell whether an archive that nobody is named by holds one student's work, not a class's.

    Two folders with work in them are two students', unless they are those of the course.
    """
    there = list(files)
    if any(METADATA in parts or _is_owned(parts) for parts in there):
        return False
    while there and len({parts[0] for parts in there}) == 1 and len(there[0]) > 1:
        there = [parts[1:] for parts in there if len(parts) > 1]
        if any(_is_owned(parts) for parts in there):
            return False
    if CourseCopies(there).folder(("",)):
        return True
    works = [parts for parts in there if _may_be_work(parts[-1])]
    tops = {parts[0] for parts in works if len(parts) > 1 or is_archive(parts[0])}
    return len(tops) < 2 or _are_weeks(tops, works)


def _are_weeks(tops: Collection[str], works: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether folders such as week5 and week6 hold one student's different exercises."""
    kinds = {re.sub(r"[0-9]+", "0", top.casefold()) for top in tops}
    names = [parts[-1] for parts in works if is_notebook(parts[-1])]
    return (
        len(kinds) == 1
        and kinds != {"0"}
        and tops.isdisjoint(names)
        and len(set(names)) == len(names)
        and not any(is_archive(parts[-1]) for parts in works)
    )


def _is_owned(parts: tuple[str, ...]) -> bool:
    named = owner_of_folder(parts[0]).number if len(parts) > 1 else owner_of_file(parts[0])
    return bool(named)


def _may_be_work(name: str) -> bool:
    return is_notebook(name) or is_archive(name) or name.lower().endswith((".py", ".html", ".pdf"))
