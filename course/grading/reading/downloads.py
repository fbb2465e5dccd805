"""Tell from names which folders at the top hold many students' work, and are no student's."""

import re
from collections.abc import Collection, Iterable

from course.grading.reading.file_names import is_platforms, owner_of_file
from course.grading.reading.gradescope import METADATA

_EXPORT = re.compile(r"assignment_\d+_export")  # of Gradescope
_ENDING = "-submissions"  # of GitHub Classroom, after the assignment's name
# What nbgrader keeps beside the folder `submitted`.
NBGRADERS_OWN = frozenset(("source", "release", "autograded", "feedback"))
# What stands beside submissions and is nobody's work: lists, and what programs lay there.
_BESIDE = frozenset(
    (
        *("readme", "readme.md", "readme.txt", "license", "makefile", "course.toml"),
        *("index.html", "gradebook.db", "nbgrader_config.py", "thumbs.db", "desktop.ini"),
    )
)
_TABLES = (".csv", ".tsv", ".xls", ".xlsx", ".ods")
_FEWEST = 2  # people
_LEAST = 1000  # of Canvas's numbers for files; students have a 5_1 in names, too


def wrapping_folders(paths: Iterable[tuple[str, ...]], folders: Collection[str]) -> set[str]:
    """Return which of the folders at the top wrap what many students handed in.

    A student can put folders of any name into their own. So what platforms call people makes a
    folder a download only where nothing else is at the top.

    Args:
        paths: all files and folders, as the parts of their names.
        folders: those at the top.
    """
    inside: dict[str, set[str]] = {}
    for parts in paths:
        inside.setdefault(parts[0], set()).update(parts[1:2])
    exports = {top for top in folders if _EXPORT.fullmatch(top)}
    classrooms = {top for top in folders if _is_classroom(top, inside.get(top, set()))}
    are_plain = inside.keys() <= set(folders) and not any(map(is_platforms, inside))
    names = [name for several in inside.values() for name in several]
    if are_plain and all(inside.values()) and _are_of_people(names):
        return set(folders)
    return exports | classrooms


def are_nbgraders(files: Iterable[tuple[str, ...]]) -> bool:
    """Tell whether files lie as in nbgrader's folder `submitted`: student, assignment, file."""
    depths = [len(parts) for parts in files]
    return bool(depths) and min(depths) > 2


def _are_of_people(names: list[str]) -> bool:
    """Tell whether platforms gave all of these names, and to several people."""
    owners = [found[0] for found in map(owner_of_file, names) if found]
    files = [owner.rank for owner in owners if owner.platform == "canvas" and owner.rank]
    are_real = len(set(files)) == len(files) and all(rank[0] >= _LEAST for rank in files)
    people = {(owner.name, owner.number) for owner in owners}
    return len(owners) == len(names) and are_real and len(people) >= _FEWEST


def _is_classroom(top: str, names: Collection[str]) -> bool:
    before = classroom_prefix(top)
    return bool(before and names) and all(name.startswith(before) for name in names)


def classroom_prefix(folder: str) -> str:
    """Return what GitHub Classroom writes before each username in a folder; "" if it is another."""
    name = folder.removesuffix(".zip")
    return f"{name.removesuffix(_ENDING)}-" if name.endswith(_ENDING) else ""


def lies_beside(file: str) -> bool:
    """Tell whether a file at the top is called as what is nobody's work."""
    name = file.casefold()
    return name in _BESIDE or name.endswith(_TABLES) or name == METADATA


def is_download(tops: Collection[str], name: str) -> bool:
    """Tell whether a learning platform made an archive, by all that is at its top, and its name."""
    before = classroom_prefix(name)
    return bool(tops) and (
        METADATA in tops
        or all(map(is_platforms, tops))
        or bool(before and all(top.startswith(before) for top in tops))
    )
