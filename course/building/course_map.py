"""Build the map of the course, notebooks/index.ipynb, from lessons/index.md and the chapters."""

from collections.abc import Sequence
from pathlib import Path

from nbformat import NotebookNode

from course.building.chapters import Chapter, in_order, read_text, shown
from course.building.map_picture import PICTURE, in_words
from course.building.source import read_cells
from course.building.tables import lessons_table, ways_table
from course.building.texts import NAME, TEXTS, check_names
from helpers.checks.course_list import LISTED

SOURCE = "lessons/index.md"


def course_map(
    root: Path, chapters: Sequence[Chapter], exercises: Sequence[str] | None = None
) -> NotebookNode:
    """Return the map of the course in `root`, as a notebook that has not been run.

    Its metadata lists lessons and exercises in their order, for the cell that shows the progress.

    Args:
        root: the folder that holds lessons/.
        chapters: its lessons and exercises.
        exercises: the names of those that there are where the map will lie; all if left out.

    Raises:
        BuildError: lessons/index.md is not written as the course has it.
    """
    path = root / SOURCE
    file, text = shown(path), read_text(path)
    chapters = [one for one in chapters if _is_there(one, exercises)]
    notebook, _ = read_cells(file, text)
    gaps = {
        "lessons": lessons_table(chapters, TEXTS["map"], exercises).strip(),
        "picture": f"![{in_words(chapters)}](../{PICTURE})",
        "ways": ways_table(chapters, exercises),
    }
    check_names(file, text, gaps)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = NAME.sub(lambda found: gaps[found[1]], cell.source)
    notebook.metadata[LISTED] = [_listed(one, exercises) for one in in_order(chapters)]
    return notebook


def has_map(root: Path) -> bool:
    """Tell whether the course in `root` has a map."""
    return (root / SOURCE).exists()


def _is_there(one: Chapter, exercises: Sequence[str] | None) -> bool:
    return one.lesson.exists() or exercises is None or one.name in exercises


def _listed(one: Chapter, exercises: Sequence[str] | None) -> dict[str, str | bool]:
    offered = exercises is None or one.name in exercises
    return {
        "name": one.name,
        "label": one.front["title"] if one.is_review else one.label,
        "lesson": one.lesson.exists(),
        "exercise": one.exercise.exists() and offered,
    }
