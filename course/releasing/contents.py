"""What a release for students holds: the course without answers, hidden inputs and grading."""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from tqdm import tqdm

from course.building.chapters import Chapter, find_chapters
from course.building.course_map import course_map, has_map
from course.building.map_picture import PICTURE
from course.building.outputs import as_text
from course.building.tables import lessons_table
from course.building.texts import TEXTS
from course.notebooks.exercise_name import STUB, find_exercise
from course.notebooks.released import RELEASE
from course.notebooks.stub import fresh
from course.releasing.measured_answers import measured
from helpers.checks.course_list import MAP

_COPIED = ("LICENSE", ".gitignore", "environment.yml", "postBuild")
_COPIED += (
    "requirements.lock",
    "requirements-hub.lock",
    "docs/linear_function.svg",
    "docs/whygrad.md",
)
_COPIED += ("whygrad/README.md", "whygrad/LICENSE")  # to install whygrad by itself
_PACKAGES = ("whygrad", "helpers", "course/notebooks", "course/jupyter")
_COMMANDS = ("binder", "check", "doctor", "lab", "reset", "setup", "status")
_BESIDE = ("__init__", "__main__", "cli", "hand_over", "check_report", "outside_answers")
_BESIDE += ("checkout", "trust", "opened_notebook", "saved_map", "pip_packages", "debian_packages")
_BESIDE += ("set_up_lock",)
_LEFT_OUT = re.compile(r"helpers/checks/((references|hidden|measured)(/|$)|tasks/ex\d\d\.py$)")
_KINDS = {".py", ".toml", ".json", ".cfg", ".jinja", ".html", ".css", ".js"}
# nbgitpuller merges by lines, which can make of two versions of a notebook one that is none.
_WHOLE_NOTEBOOKS = b"""\
# If an update changes a notebook that you changed, yours stays as it is.
*.ipynb -merge
"""
_OF_PYPROJECT = ("build-system", "project", "project.scripts", "tool.hatch")


def contents(root: Path, names: Sequence[str]) -> dict[str, bytes]:
    """Return the files of a release, by their paths in it.

    Args:
        root: the course's folder, a whole one.
        names: of the exercises to release, such as "05_square".

    Raises:
        LookupError: an exercise has no tasks or no right answer.
        OSError: a file of the course cannot be read, or is missing.
        UnreadableNotebookError: a solution is missing or damaged.
        BuildError: a source or a solution is not in order.
    """
    chapters = find_chapters(root / "lessons")
    files = dict(_copied(root))
    bar = tqdm(names, unit="exercise", disable=None, leave=False)  # off without a terminal
    for name in bar:
        bar.set_description(name)
        stub = fresh(find_exercise(root, name)).encode()
        tasks = f"helpers/checks/tasks/ex{name[:2]}.py"
        files |= {f"exercises/{name}.ipynb": stub, STUB.format(name): stub}
        files[tasks] = (root / tasks).read_bytes()
        files[f"helpers/checks/measured/ex{name[:2]}.json"] = measured(int(name[:2]))
    for chapter in chapters:
        if chapter.lesson.exists():
            lesson = f"notebooks/{chapter.name}.ipynb"
            files[lesson] = (root / lesson).read_bytes()
    if has_map(root):
        files[MAP] = as_text(course_map(root, chapters, names)).encode()
        files[PICTURE] = (root / PICTURE).read_bytes()
    files[".gitattributes"] = (root / ".gitattributes").read_bytes() + _WHOLE_NOTEBOOKS
    files["pyproject.toml"] = _pyproject((root / "pyproject.toml").read_text(encoding="utf-8"))
    files["Makefile"] = Path(__file__).with_name("templates").joinpath("Makefile").read_bytes()
    files["README.md"] = _readme(chapters, names)
    digests = {path: digest(files[path]) for path in sorted(files)}
    told = {"exercises": sorted(names), "files": digests}
    files[RELEASE] = (json.dumps(told, indent=1) + "\n").encode()
    return files


def digest(content: bytes) -> str:
    """Return what a release notes of a file, to know later whether it was changed."""
    return hashlib.sha256(content).hexdigest()


def _copied(root: Path) -> Iterator[tuple[str, bytes]]:
    paths = [root / name for name in _COPIED]
    paths += [root / "course" / f"{name}.py" for name in (*_COMMANDS, *_BESIDE)]
    for package in _PACKAGES:
        paths += [path for path in (root / package).rglob("*") if path.suffix in _KINDS]
    for path in paths:
        name = path.relative_to(root).as_posix()
        if not _LEFT_OUT.match(name) and ".ipynb_checkpoints" not in path.parts:
            yield name, path.read_bytes()


def _pyproject(text: str) -> bytes:
    """Return the parts of pyproject.toml that install the course: no tests, no tools."""
    parts = re.split(r"^(?=\[)", text, flags=re.MULTILINE)
    kept = [part for part in parts if _heading(part).startswith("tool.hatch.")]
    kept = [part for part in parts if part in kept or _heading(part) in _OF_PYPROJECT]
    return ("".join(kept).rstrip() + "\n").encode()


def _heading(part: str) -> str:
    return part.partition("]")[0].strip("[")


def _readme(chapters: Sequence[Chapter], names: Sequence[str]) -> bytes:
    templates = Environment(
        loader=PackageLoader("course.releasing"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )  # Markdown, not HTML
    example = min(names, default="")
    shown = [one for one in chapters if one.lesson.exists() or one.name in names]
    table = lessons_table(shown, TEXTS["readme"], names)
    text = templates.get_template("README.md.jinja").render(
        table=table, example=example, task=f"{int(example[:2] or 0)}.1"
    )
    return text.encode()
