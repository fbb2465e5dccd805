"""Tell from names which folders at the top hold many students' work, and are no student's."""

import re
from collections.abc import Collection, Iterable

from course.grading.reading.file_names import is_platforms, owner_of_file
from course.grading.reading.gradescope import METADATA

# What platforms call their archives: Canvas, Gradescope, Blackboard, Moodle, GitHub Classroom.
_NAMED = re.compile(r"assignment_\d+_export|gradebook_.+|.+-.+-\d{1,18}|.+-submissions")
_COPY = re.compile(r"[ _]?\(\d{1,3}\)")  # what browsers add to a second download of one name
_WORD = re.compile(r"[^\W\d_]+")
_WORDS = frozenset(  # of names that instructors give
    _WORD.findall(
        "all submissions submission submitted download downloads export gradebook class course ex "
        "exercise exercises hw homework homeworks assignment assignments lab sheet ps task tasks "
        "week weeks group groups section students term semester fall winter spring summer moodle "
        "canvas blackboard gradescope github classroom nbgrader kurs klasse woche gruppe abgabe "
        "abgaben einreichungen übung übungen blatt aufgabe aufgaben hausaufgabe hausaufgaben ws ss"
    )
)
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


def is_named_as_download(name: str, exercises: Iterable[str] = ()) -> bool:
    """Tell whether a folder, or an archive without its ending, is called as downloads are.

    Any other name may be a student's, and then nothing that lies in it speaks for anybody else.

    Args:
        name: of it.
        exercises: the names of exercises, by which a download may be called.

    >>> is_named_as_download("submissions (1)"), is_named_as_download("Mallory")
    (True, False)
    """
    plain = _COPY.sub("", name).strip().casefold()
    known = _WORDS.union(*(_WORD.findall(one.casefold()) for one in exercises))
    words = _WORD.findall(plain)
    return bool(_NAMED.fullmatch(plain) or (words and known.issuperset(words)))


def wrapping_folders(
    paths: Iterable[tuple[str, ...]], folders: Collection[str], exercises: Iterable[str] = ()
) -> set[str]:
    """Return which of the folders at the top wrap what many students handed in.

    A student can put folders of any name into their own. So what platforms call people makes a
    folder a download only where nothing else is at the top, and where no student is called so. A
    folder beside those of students is a student's.

    Args:
        paths: all files and folders, as the parts of their names.
        folders: those at the top.
        exercises: the names of exercises, by which a download may be called.
    """
    inside: dict[str, set[str]] = {}
    for parts in paths:
        inside.setdefault(parts[0], set()).update(parts[1:2])
    exports = {top for top in folders if _EXPORT.fullmatch(top)}
    classrooms = {top for top in folders if _is_classroom(top, inside.get(top, set()))}
    are_plain = inside.keys() <= set(folders) and not any(map(is_platforms, inside))
    are_named = all(is_named_as_download(top, exercises) for top in inside)
    names = [name for several in inside.values() for name in several]
    if are_plain and are_named and all(inside.values()) and are_of_people(names):
        return set(folders)
    return exports | classrooms if exports | classrooms >= set(folders) else set()


def are_nbgraders(files: Iterable[tuple[str, ...]]) -> bool:
    """Tell whether files lie as in nbgrader's folder `submitted`: student, assignment, file."""
    depths = [len(parts) for parts in files]
    return bool(depths) and min(depths) > 2


def are_of_people(names: Collection[str]) -> bool:
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
