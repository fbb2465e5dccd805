"""Leave out folders that are no student's: a report, nbgrader's, and those that were packed."""

import json
import re
from dataclasses import replace
from fnmatch import fnmatch

from course.grading.reading.downloads import (
    NBGRADERS_OWN,
    are_nbgraders,
    classroom_prefix,
    wrapping_folders,
)
from course.grading.reading.file_names import clean, is_ignored, is_notebook
from course.grading.reading.heap import Heap, Item
from course.grading.reading.untrusted_files import UnreadableError, read_regular

_RUN = "run.json"
# What a report holds, by its folders.
_REPORTS = {
    "": (
        *("index.html", "grades.csv", "summary.csv", "overrides.csv", "roster.csv", "course.toml"),
        "*.json",
    ),
    "results/[^/]+": ("[0-9][0-9]_*.json",),
    "feedback/[^/]+": ("[0-9][0-9]_*.html",),
    "rosters": ("*.csv", "*.json"),
    "way_back": ("by_id.csv",),
    "way_back/(moodle|canvas)": ("[0-9][0-9]_*.csv", "[0-9][0-9]_*_feedback.zip"),
}


def without_reports(items: list[Item], heap: Heap) -> list[Item]:
    """Leave out what earlier runs wrote, where a report lies among the submissions.

    What else lies in such a folder may be work, and a person has to look at it.
    """
    reports = {
        item.parts[0]
        for item in items
        if item.parts[1:] == (_RUN,) and not item.is_folder and _tells_of_a_run(item)
    }
    heap.notes += [f"{top} is a report of `course grade`, no student's." for top in sorted(reports)]
    return [
        replace(item, trouble=f"{item.parts[-1]} lies in a folder that is a report's.")
        if item.parts[0] in reports
        else item
        for item in items
        if item.parts[0] not in reports or not (item.is_folder or _is_reports(item.parts[1:]))
    ]


def _tells_of_a_run(item: Item) -> bool:
    try:
        found = json.loads(read_regular(item.path))
    except (UnreadableError, ValueError, RecursionError):
        return False
    return isinstance(found, dict) and {"seed", "versions"} <= found.keys()


def _is_reports(parts: tuple[str, ...]) -> bool:
    """Tell whether a run writes such a file into a report, or an instructor does."""
    folder, name = "/".join(parts[:-1]), parts[-1]
    ours = [kinds for pattern, kinds in _REPORTS.items() if re.fullmatch(pattern, folder)]
    return not is_notebook(name) and any(fnmatch(name, kind) for kinds in ours for kind in kinds)


def without_wrapping(items: list[Item], name: str, heap: Heap, is_root: bool) -> list[Item]:
    """Leave out a folder that is no student's: nbgrader's, or that which was packed.

    Args:
        items: what lies there.
        name: of the folder or the archive.
        heap: for what there is to say.
        is_root: whether it is what was given, so that no student can have made it.
    """
    found = _out_of_nbgraders(items, name, heap) if is_root else []
    found = found or _out_of_folders(heap.without(items, is_ignored), name, heap)
    students = {item.parts[0] for item in found if item.is_nbgraders}
    return heap.without(found, lambda top: is_ignored(top) and top not in students)


def _out_of_nbgraders(items: list[Item], name: str, heap: Heap) -> list[Item]:
    """Return what lies in nbgrader's folder `submitted`, and beside it; [] if there is none."""
    files = [item.parts for item in items if not item.is_folder]
    if name == "submitted" and are_nbgraders(files):
        return [replace(item, is_nbgraders=True) for item in items]
    if not are_nbgraders(parts[1:] for parts in files if parts[0] == "submitted"):
        return []
    own = sorted({item.parts[0] for item in items} & NBGRADERS_OWN)
    heap.notes += [f"{', '.join(own)}: no student's, but nbgrader's, beside submitted."] * bool(own)
    return [
        replace(item, parts=item.parts[1:], is_nbgraders=True)
        if item.parts[0] == "submitted"
        else item
        for item in items
        if item.parts[0] not in NBGRADERS_OWN and item.parts != ("submitted",)
    ]


def _out_of_folders(items: list[Item], name: str, heap: Heap) -> list[Item]:
    tops = {item.parts[0] for item in items}
    folders = {item.parts[0] for item in items if item.is_folder or len(item.parts) > 1}
    if len(tops) == 1 and tops <= folders & {clean(name), "submissions", "submitted"}:
        (wrapping,) = tops
    else:
        return _out_of_downloads(items, folders, name, heap)
    inside = [item for item in items if item.parts[0] == wrapping and len(item.parts) > 1]
    return [replace(item, parts=item.parts[1:]) for item in inside]


def _out_of_downloads(items: list[Item], folders: set[str], name: str, heap: Heap) -> list[Item]:
    """Leave out folders that hold many students' work, and are no student's."""
    before = classroom_prefix(name)
    if before and any(top.startswith(before) for top in folders):  # one may be called so, too
        return [replace(item, download=name) for item in items]
    shown = [item.parts for item in items if not any(map(is_ignored, item.parts[1:2]))]
    wrapping = wrapping_folders(shown, folders, heap.exercises)
    if not wrapping:
        return [replace(item, download=name) for item in items] if before else items
    return [
        replace(item, parts=item.parts[1:], download=item.parts[0])
        if item.parts[0] in wrapping
        else item
        for item in items
        if item.parts[0] not in wrapping or len(item.parts) > 1
    ]
