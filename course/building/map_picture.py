"""Draw which lesson builds on which: a graph of the lessons, with the words that say the same."""

import textwrap
from collections.abc import Mapping, Sequence

from course.building.chapters import Chapter
from course.building.tables import basis, part, part_title, ways
from whygrad.graph.dot import FRAME, HEADER
from whygrad.look import EDGES, NODES

PICTURE = "docs/course_map.svg"
TITLE = "Which lesson builds on which"
_WIDTH = 18  # characters of a line in a box
# The boxes of a part look like a kind of node in the graphs of the lessons.
_LOOKS = {1: "leaf", 2: "backward", 3: "custom"}


def to_dot(chapters: Sequence[Chapter]) -> str:
    """Write the graph of the lessons as a DOT document, each part in a frame of its own."""
    lessons = [here for here in chapters if here.lesson.exists()]
    shortest = next(on_it for _, on_it in ways(chapters))
    lines = [HEADER, 'ranksep=0.25 node [shape=box style=filled margin="0.1,0.05"]']
    for number in sorted({part(here) for here in lessons}):
        label = f'label="{part_title(number)}" {FRAME} labeljust=r'
        lines += [f"subgraph cluster_{number} {{", label]
        lines += [_box(here, here in shortest) for here in lessons if part(here) == number]
        lines.append("}")
    for number, needed in arrows(lessons).items():
        lines += [f'n{one} -> n{number} [color="{EDGES["flow"]["color"]}"]' for one in needed]
    return "\n".join([*lines, "}", ""])


def in_words(chapters: Sequence[Chapter]) -> str:
    """Say what the picture shows."""
    lessons = [here for here in chapters if here.lesson.exists()]
    told = []
    for number, needed in arrows(lessons).items():
        on = " and ".join(map(str, needed))
        told.append(f"{number} builds on {on}" if needed else f"{number} builds on no other")
    return f"{TITLE}: " + "; ".join(told) + "."


def arrows(lessons: Sequence[Chapter]) -> dict[int, list[int]]:
    """Return for each lesson which it builds on, without what follows from the others' own."""
    direct = {here.number: basis(here) for here in lessons}
    return {
        number: [
            one
            for one in sorted(needed)
            if not any(one in _all_below(other, direct) for other in needed)
        ]
        for number, needed in direct.items()
    }


def _all_below(number: int, direct: Mapping[int, Sequence[int]]) -> set[int]:
    found: set[int] = set()
    waiting = [*direct.get(number, [])]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += direct.get(one, [])
    return found


def _box(here: Chapter, is_on_shortest: bool) -> str:
    look = NODES[_LOOKS.get(part(here), "function")]
    label = "\\n".join(textwrap.wrap(here.label, _WIDTH)).replace('"', '\\"')
    return (
        f'n{here.number} [label="{label}" fillcolor="{look["fill"]}" color="{look["border"]}" '
        f"penwidth={3 if is_on_shortest else 1}]"
    )
