"""Begin a lesson and its exercise, or an exercise alone: `course new NUMBER TITLE`."""

import argparse
import re
import sys
import unicodedata
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from course.building.chapters import find_chapters
from course.checkout import find_root
from course.notebooks.write import write_whole

# By template: where its file goes, and what is to be filled in there.
FILES = {
    "lesson.md": ("lessons/{name}.md", "the question, the text and the code"),
    "exercise.md": ("lessons/{name}.exercise.md", "the text and the solution of each task"),
    "tasks.py": ("helpers/checks/tasks/ex{number:02}.py", "points, minutes, hints and inputs"),
    "hidden.py": ("helpers/checks/hidden/ex{number:02}.py", "the inputs of the hidden checks"),
    "references.py": ("helpers/checks/references/ex{number:02}.py", "the right answers"),
    "known_mistakes.toml": ("helpers/checks/references/ex{number:02}.toml", "known mistakes"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course new`."""
    parser.add_argument("number", metavar="NUMBER", help="the lesson's number, such as 31")
    parser.add_argument("title", metavar="TITLE", help='its title, such as "Softplus"')
    parser.add_argument("--exercise", action="store_true", help="an exercise without a lesson")


def run(args: argparse.Namespace) -> int:
    """Begin a lesson or an exercise in the course; return the exit status."""
    return new(find_root(), args.number, args.title, with_lesson=not args.exercise)


def new(root: Path, number: str, title: str, *, with_lesson: bool = True) -> int:
    """Write the files of a lesson and an exercise that build as they are, to be filled in.

    Args:
        root: the folder that holds lessons/ and helpers/.
        number: such as "31".
        title: such as "Softplus".
        with_lesson: False for an exercise of one task, without a lesson.

    Returns:
        0; 2 if number or title cannot be used, or a file is there already. Then nothing is
        written.
    """
    title = title.strip()
    name = f"{number.zfill(2)}_{_words(title)}"
    try:
        _check(root, number, title)
        chosen = [file for file in FILES if with_lesson or file != "lesson.md"]
        paths = {file: FILES[file][0].format(name=name, number=int(number)) for file in chosen}
        for path in paths.values():
            if (root / path).exists():
                raise ValueError(f"{path} is there already: choose another number.")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    templates = Environment(
        loader=PackageLoader("course.building"),
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )  # nothing here is HTML, and Markdown has braces of its own
    print(f"{name} builds as it is. Fill in:")
    for file, path in paths.items():
        template = templates.get_template(f"{file}.jinja")
        content = template.render(number=int(number), title=title, lesson=with_lesson)
        write_whole(root / path, content.encode())
        print(f"  {path}: {FILES[file][1]}")
    print(
        f"Then: .venv/bin/course build {int(number):02}. docs/own_exercise.md goes on from there."
    )
    return 0


def _words(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return "_".join(re.findall(r"[a-z0-9]+", plain))


def _check(root: Path, number: str, title: str) -> None:
    if not re.fullmatch(r"[0-9]{1,2}", number):
        raise ValueError(f"{number} is no number of a lesson: give one from 0 to 99, such as 31.")
    if not _words(title) or not title.isprintable() or re.search(r'["\\<>:#|\[\]{}]', title):
        raise ValueError(
            f'{title!r} is no title: give a few words without "\\<>:#|[]{{}}, such as Softplus.'
        )
    for chapter in find_chapters(root / "lessons"):
        if chapter.number == int(number):
            raise ValueError(f"{chapter.name} has this number: choose another.")
