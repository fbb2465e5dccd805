"""The texts that several lessons or exercises show, each written once, and what fills their gaps.

A lesson shows one by its name in double braces: `{{ how_to_work }}`.
"""

import re
from collections.abc import Mapping, Sequence

from course.building.chapters import Chapter
from course.notebooks.fences import BuildError, fences

LESSON = {
    "minutes": "{here.front[minutes]}",
    "exercise": "Exercise: [{here.label}](../exercises/{here.name}.ipynb), {here.exercise_time}.",
    "next": "Next: [{later.label}]({later.name}.ipynb)",
    "next at the end": "Back to the start: [{first.label}]({first.name}.ipynb)",
}
EXERCISE = {
    "lesson": "[lesson {here.number}](../notebooks/{here.name}.ipynb)",
    "how_to_work": "Write your answers into the cells that say so, and run the `check` below each: "
    "it shows what is right, and names the mistake if there is one. You can check as often as you "
    "like. Whoever grades your work reads these cells only, so put what an answer needs into its "
    'cell. `check.hint("{here.number}.1")`, in a cell of your own, gives a hint for task '
    "{here.number}.1, and a further one each time you run it.",
    "functions_by_hand": "The checks try several sizes, an empty batch, float32 and non-contiguous "
    "tensors, too.\n\n"
    "An answer that is a Function is a subclass of `Function` of your own, with gradients worked "
    "out by hand: inside it, no `.backward()`, `autograd.grad`, `enable_grad` or `torch.func`. "
    "Outside of it, you can try it out with them.",
    "next": "Next: [{later.label}](../notebooks/{later.name}.ipynb)",
    "next at the end": "All lessons and exercises: [README](../README.md).",
}
ROW = {
    "head": "| lesson | question | minutes | exercise |\n|---|---|---|---|",
    "lesson": "| [{here.label}](notebooks/{here.name}.ipynb) | {here.front[question]} "
    "| {here.front[minutes]} |",
    "exercise": " [{here.exercise_time}](exercises/{here.name}.ipynb) |",
    "no lesson": "| {here.label} | | |",
    "no exercise": " |",
}
_NAME = re.compile(r"\{\{ *([\w-]+) *\}\}")


def fill(text: str, texts: Mapping[str, str], here: Chapter, chapters: Sequence[Chapter]) -> str:
    """Put the texts that `text` asks for by name into it.

    Args:
        text: prose, without code cells.
        texts: LESSON or EXERCISE.
        here: the chapter that the text belongs to.
        chapters: all chapters of the course, in order.
    """
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


def table(chapters: Sequence[Chapter]) -> str:
    """Return the README's table of lessons and exercises, in Markdown."""
    rows = [ROW["head"]]
    for here in chapters:
        lesson = "lesson" if here.lesson.exists() else "no lesson"
        exercise = "exercise" if here.exercise.exists() else "no exercise"
        rows.append((ROW[lesson] + ROW[exercise]).format(here=here))
    return "\n".join(rows) + "\n"
