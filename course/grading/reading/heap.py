"""What was handed in, before it is known which exercises are in it."""

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from course.grading.reading.archives import is_archive
from course.grading.reading.file_names import Owner, is_hidden, is_notebook


@dataclass(frozen=True)
class Item:
    """A file or a folder, as it was handed in.

    Attributes:
        parts: its folders and its own name, below the folder or the archive that holds all.
        path: the file, or the archive that it is in.
        member: its name in that archive; before it those of the archives in it that it is in.
        is_folder: whether it is a folder.
        time: when it was changed, as numbers from the year on.
        owner: whose it is, where `parts` does not say so.
        download: the archive of all students' work that it came in; "" for a folder.
        packed_in: the `parts` of the archive of a student's own that it is in; () if in none.
        arrived: when it came, or the archive of the student's that it is in.
        is_nbgraders: whether nbgrader laid it out.
        trouble: why it cannot be looked at, as a sentence; "" if it can.
        is_doubtful: whether there may be no work in it, so that it asks nobody if there is other.
        is_nobodys: whether it lay in what is called as no student's, so that nothing says whose.
    """

    parts: tuple[str, ...]
    path: Path
    member: tuple[str, ...] = ()
    is_folder: bool = False
    time: tuple[int, ...] = ()
    owner: Owner | None = None
    download: str = ""
    packed_in: tuple[str, ...] = ()
    arrived: tuple[int, ...] = ()
    is_nbgraders: bool = False
    trouble: str = ""
    is_doubtful: bool = False
    is_nobodys: bool = False

    @property
    def top(self) -> str:
        """Return as what it was handed in: a folder, a file or an archive at the top."""
        return (self.packed_in or self.parts)[0]


@dataclass
class Heap:
    """All that was handed in, and sentences on what was passed over.

    Attributes:
        items, notes: these.
        unpacked, opened, spent: how many files were in archives, how many archives there were,
            and how many bytes were unpacked to list them, by the first of their `parts`.
        exercises: the names of exercises, by which downloads may be called.
        perhaps: archives that were taken for one student's, and may be a class's.
        left_out: notebooks in what is called as nobody's work.
    """

    items: list[Item] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unpacked: Counter[str] = field(default_factory=Counter)
    opened: Counter[str] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)
    exercises: tuple[str, ...] = ()
    perhaps: list[str] = field(default_factory=list)
    left_out: list[Item] = field(default_factory=list)

    def without(self, items: list[Item], is_nobodys: Callable[[str], bool]) -> list[Item]:
        """Return items but those that lie in what is called as nobody's work.

        Notebooks among these may be work all the same, of somebody who is called so. They are kept
        apart, but those that programs lay there, as the names of the files say.

        Args:
            items: what lies there.
            is_nobodys: whether what has this name, at the top, is nobody's.
        """
        tops = {item.parts[0] for item in items}
        called = {top for top in tops if is_nobodys(top)}
        own = {top for top in called if _is_beside(top, tops)}
        self.left_out += [
            replace(item, trouble="", is_doubtful=False, is_nobodys=True)
            for item in items
            if item.parts[0] in called - own and _may_be_work(item)
        ]
        return [item for item in items if item.parts[0] not in called]


def _may_be_work(item: Item) -> bool:
    name = item.parts[-1]
    is_copy = name.startswith("._") or ".ipynb_checkpoints" in item.parts[:-1]
    return not item.is_folder and is_notebook(name) and not is_copy


def _is_beside(top: str, tops: Collection[str]) -> bool:
    """Tell whether a folder is what Moodle gave back, beside what the same person handed in."""
    before, feedback, _ = top.rpartition("_assignfeedback_")
    return bool(feedback) and any(one.startswith(f"{before}_assignsubmission_") for one in tops)


def shown(item: Item) -> list[Item]:
    """Return a file of a student, with trouble if it is hidden; nothing if that may be no work."""
    if not any(is_hidden(part) for part in item.parts[1:]):
        return [item]
    if item.is_folder or not (is_notebook(item.parts[-1]) or is_archive(item.parts[-1])):
        return []
    reason = f"{'/'.join(item.parts)} is hidden, and is not looked at."
    return [replace(item, trouble=reason, is_doubtful=True)]
