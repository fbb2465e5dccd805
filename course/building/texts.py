"""Fill the gaps of lessons and exercises with the texts of texts.toml."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files

from course.building.chapters import Chapter, in_order
from course.notebooks.regions import BuildError, fences

TEXTS = tomllib.loads(files(__package__).joinpath("texts.toml").read_text(encoding="utf-8"))
LESSON, EXERCISE = TEXTS["lesson"], TEXTS["exercise"]
NAME = re.compile(r"\{\{ *([\w-]+) *\}\}")


def fill(text: str, texts: Mapping[str, str], here: Chapter, chapters: Sequence[Chapter]) -> str:
    """Put the texts, LESSON's or EXERCISE's, that the prose of `here` asks for into it."""
    behind = [chapter for chapter in in_order(chapters) if chapter.place > here.place]
    later = next((chapter for chapter in behind if chapter.lesson.exists()), None)
    review = next((one for one in behind if not one.lesson.exists() and one.is_review), None)
    if review and later and later.place < review.place:
        review = None

    def show(found: re.Match) -> str:
        name = found[1]
        if name not in texts:  # in a block of code; elsewhere check_names has refused it
            return found[0]
        if name == "next":
            name += " is a review" * bool(review) + " at the end" * (later is None)
        return texts[name].format(here=here, later=later, review=review)

    return NAME.sub(show, text)


def check_names(file: str, text: str, texts: Iterable[str], here: Chapter | None = None) -> None:
    """Check that each text which a file asks for is one that there is.

    Args:
        file: the file as messages name it.
        text: what it holds.
        texts: the names of the texts that it may ask for; those with a space are variants.
        here: the chapter that it belongs to; none for the map.

    Raises:
        BuildError: one is not; says where, and which there are.
    """
    in_code = {n for block in fences(file, text) for n in range(block.first, block.last + 1)}
    known = [name for name in texts if " " not in name]
    for number, line in enumerate(text.splitlines(), 1):
        for name in [] if number in in_code else NAME.findall(line):
            where = f"{file}:{number}"
            if name not in known:
                raise BuildError(f"{where}: no text is called {name}: there are {', '.join(known)}")
            if name == "exercise" and not here.exercise.exists():
                raise BuildError(f"{where}: {here.name} has no exercise: write it, or remove this")
            if name == "lesson" and not here.lesson.exists():
                raise BuildError(f"{where}: {here.name} has no lesson: write it, or remove this")
