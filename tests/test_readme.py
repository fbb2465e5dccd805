import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import nbformat
import pytest
import yaml

from course.build import find_lessons
from course.building.chapters import find_chapters, in_order
from helpers.checks.tasks import load

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
LESSONS = find_lessons(ROOT)


def _front_matter(path: Path) -> dict:
    return yaml.safe_load(path.read_text(encoding="utf-8").split("---\n")[1])


def test_the_lesson_table_says_what_the_lessons_say():
    rows = re.findall(r"^\| \[(\d+)\. (.+?)\]\((.+?)\) \| (.+?) \| (\d+) \|", README, re.MULTILINE)
    facts = [(path, _front_matter(path)) for path in LESSONS]
    assert facts
    assert rows == [
        (
            str(int(path.name[:2])),
            fact["title"],
            f"notebooks/{path.stem}.ipynb",
            fact["question"],
            str(fact["minutes"]),
        )
        for path, fact in facts
    ]


def test_the_lesson_table_leads_to_the_exercises_and_tells_their_minutes():
    rows = re.findall(r"\[(\d+) minutes?\]\(exercises/(.+?)\.ipynb\) \|$", README, re.MULTILINE)
    chapters = in_order(find_chapters(ROOT / "lessons"))
    exercises = [chapter.name for chapter in chapters if chapter.exercise.exists()]
    assert exercises
    minutes = [sum(task.minutes for task in load(int(name[:2]))) for name in exercises]
    assert rows == list(zip(map(str, minutes), exercises, strict=True))


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("Everything", "The whole course takes (.+) to read, (.+) with exercises and reviews\\."),
        ("An afternoon", "Its core, lessons [0-9, ]+, takes (.+) to read, (.+) with exercises\\."),
    ],
)
def test_the_opening_tells_the_hours_of_a_way_on_the_map(way, said):
    opening = " ".join(README.partition("\n## ")[0].split())
    said = re.search(said, opening)
    notebook = nbformat.read(ROOT / "notebooks/index.ipynb", 4)
    source = "\n".join(cell.source for cell in notebook.cells)
    row = re.search(rf"^\| {way} \| .+ \| (.+) \| (.+) \|$", source, re.M)
    assert said.groups() == row.groups()


def test_the_picture_is_the_one_of_lesson_1():
    notebook = nbformat.read(ROOT / "notebooks/01_linear_function.ipynb", 4)
    (cell,) = [cell for cell in notebook.cells if cell.id == "draw-plain-linear"]
    path = ROOT / "docs/linear_function.svg"
    assert path.read_text(encoding="utf-8") == cell.outputs[0].data["image/svg+xml"]
    description = ElementTree.parse(path).getroot().find("{http://www.w3.org/2000/svg}desc").text
    assert description == cell.outputs[0].data["text/plain"]
