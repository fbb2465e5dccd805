"""Fill the gaps of lessons, exercises and the README with the texts of texts.toml."""

import difflib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

import nbformat

from course.building.chapters import Chapter
from course.notebooks.regions import BuildError, fences
from course.notebooks.write import write_whole

_TEXTS = tomllib.loads(files(__package__).joinpath("texts.toml").read_text(encoding="utf-8"))
LESSON, EXERCISE, _ROW = _TEXTS["lesson"], _TEXTS["exercise"], _TEXTS["row"]
BEGIN, END = "<!-- lessons: made by course build -->\n", "<!-- end -->\n"
# Each picture, the notebook that it is taken from, and the cell there.
_PICTURES = {
    "docs/linear_function.svg": ("notebooks/01_linear_function.ipynb", "draw-plain-linear")
}
_NAME = re.compile(r"\{\{ *([\w-]+) *\}\}")


def fill(text: str, texts: Mapping[str, str], here: Chapter, chapters: Sequence[Chapter]) -> str:
    """Put the texts, LESSON's or EXERCISE's, that the prose of `here` asks for into it."""
    lessons = [chapter for chapter in chapters if chapter.lesson.exists()]
    later = next((chapter for chapter in lessons if chapter.name > here.name), None)

    def show(found: re.Match) -> str:
        name = found[1]
        if name not in texts:  # in a block of code; elsewhere check_names has refused it
            return found[0]
        if name == "next" and later is None:
            name = "next at the end"
        return texts[name].format(here=here, later=later, first=lessons[0] if lessons else here)

    return _NAME.sub(show, text)


def check_names(file: str, text: str, texts: Mapping[str, str], here: Chapter) -> None:
    """Check that each text which a file asks for is one that there is.

    Raises:
        BuildError: one is not; says where, and which there are.
    """
    in_code = {n for block in fences(file, text) for n in range(block.first, block.last + 1)}
    known = [name for name in texts if " " not in name]
    for number, line in enumerate(text.splitlines(), 1):
        for name in [] if number in in_code else _NAME.findall(line):
            where = f"{file}:{number}"
            if name not in known:
                raise BuildError(f"{where}: no text is called {name}: there are {', '.join(known)}")
            if name == "exercise" and not here.exercise.exists():
                raise BuildError(f"{where}: {here.name} has no exercise: write it, or remove this")
            if name == "lesson" and not here.lesson.exists():
                raise BuildError(f"{where}: {here.name} has no lesson: write it, or remove this")


def renew_readme(root: Path, chapters: Sequence[Chapter], *, check: bool) -> list[str]:
    """Write what the README of the course in `root` takes from its chapters: table and pictures.

    Returns:
        For each file that was, or with `check` would be, written, a sentence that says so.
    """
    told = []
    for name, content in _wanted(root, chapters):
        old = (root / name).read_text(encoding="utf-8")
        if old == content:
            continue
        if check:
            lines = old.splitlines(), content.splitlines()
            diff = difflib.unified_diff(*lines, name, "built from lessons/", n=0, lineterm="")
            told.append(f"{name} is not what the lessons build:\n" + "\n".join(diff))
        else:
            write_whole(root / name, content.encode())
            told.append(f"{name}: built")
    return told


def _wanted(root: Path, chapters: Sequence[Chapter]) -> Iterator[tuple[str, str]]:
    readme = root / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if end:
        yield readme.name, f"{before}{begin}\n{table(chapters)}\n{end}{after}"
    for picture, (file, cell_id) in _PICTURES.items():
        if not (root / picture).exists():
            continue
        cells = nbformat.read(root / file, as_version=4).cells
        outputs = next(cell.outputs for cell in cells if cell.id == cell_id)
        yield picture, outputs[0].data["image/svg+xml"]


def table(chapters: Sequence[Chapter], exercises: Sequence[str] | None = None) -> str:
    """Return the table of lessons; exercises that are not among those named stay out of it."""
    rows = [_ROW["head"]]
    for here in chapters:
        lesson = "lesson" if here.lesson.exists() else "no lesson"
        offered = exercises is None or here.name in exercises
        exercise = "exercise" if offered and here.exercise.exists() else "no exercise"
        rows.append((_ROW[lesson] + _ROW[exercise]).format(here=here))
    return "\n".join(rows) + "\n"
