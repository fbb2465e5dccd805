"""What several places show is written once: texts, points, minutes, links."""

import pytest

from course.building.exercise import read_exercise
from course.building.source import read_lesson
from course.notebooks.regions import BuildError
from tests.course.tiny import Task, answer, cell, check, exercise, lesson, line_of, write


def tasks(number):
    minutes = {1: [5, 7], 7: [1]}[number]
    return [Task(f"{number}.{n}", n, each) for n, each in enumerate(minutes, 1)]


@pytest.fixture
def course(tmp_path):
    """Make a course of a lesson with an exercise, one without, and an exercise of its own."""
    write(tmp_path, lesson("{{ exercise }} About {{ minutes }} minutes. {{ next }}"))
    write(tmp_path, lesson("{{next}}\n\n```\n{{ x }}\n```\n", cell("f", "f'{{ x }}'")), "02_two")
    parts = ["{{ lesson }}: {{ how_to_work }}\n", "## 1.1 One\n", answer(), check()]
    parts += ["## 1.2 Two\n", answer(2), check(2), "{{ next }}"]
    write(tmp_path, exercise(*parts), "01_tiny.exercise")
    own = "\n".join(["## 7.1 Own\n", answer(), check(), "{{ next }}"])
    own = own.replace("1-1", "7-1").replace('"1.1"', '"7.1"')
    write(tmp_path, exercise(own), "07_own.exercise")
    return tmp_path


def prose(course, name):
    path = course / "lessons" / f"{name}.md"
    if name.endswith(".exercise"):
        found = read_exercise(path, tasks(int(name[:2])))
    else:
        found = read_lesson(path, tasks)
    cells = found.notebook.cells
    return "\n\n".join(node.source for node in cells if node.cell_type == "markdown")


def test_a_lesson_tells_its_minutes_its_exercise_and_what_comes_next(course):
    assert prose(course, "01_tiny") == (
        "# 1. Tiny\n\n[Exercise 1](../exercises/01_tiny.ipynb): 12 minutes. "
        "About 5 minutes. Next: [2. Tiny](02_two.ipynb)"
    )


def test_the_last_lesson_leads_to_the_map_and_braces_in_code_stay(course):
    text = prose(course, "02_two")
    assert "All lessons and exercises: [the map](index.ipynb).\n\n```\n{{ x }}" in text
    found = read_lesson(course / "lessons" / "02_two.md").notebook
    assert found.cells[-1].source == "f'{{ x }}'"


def test_an_exercise_tells_its_lesson_and_the_points_and_minutes_of_each_task(course):
    text = prose(course, "01_tiny.exercise")
    assert "[lesson 1](../notebooks/01_tiny.ipynb): Write your answers" in text
    assert '`check.hint("1.1")`' in text
    assert "## 1.1 One\n\n*1 point, 5 minutes.*" in text
    assert "## 1.2 Two\n\n*2 points, 7 minutes.*" in text
    assert text.endswith("Next: [2. Tiny](../notebooks/02_two.ipynb)")


def test_an_exercise_without_a_lesson_leads_to_the_map(course):
    text = prose(course, "07_own.exercise")
    assert "*1 point, 1 minute.*" in text
    assert text.endswith("All lessons and exercises: [the map](../notebooks/index.ipynb).")


def test_a_review_stands_between_the_last_lesson_before_it_and_the_first_behind_it(course):
    path = course / "lessons" / "07_own.exercise.md"
    path.write_text(path.read_text().replace("title: Tiny", "title: Review\nafter: 1"))
    lesson, exercise = (prose(course, name) for name in ("01_tiny", "01_tiny.exercise"))
    assert lesson.endswith(
        "Next: [Review](../exercises/07_own.ipynb), then [2. Tiny](02_two.ipynb)"
    )
    assert exercise.endswith(
        "Next: [Review](07_own.ipynb), then [2. Tiny](../notebooks/02_two.ipynb)"
    )
    review = prose(course, "07_own.exercise")
    assert review.endswith("Next: [2. Tiny](../notebooks/02_two.ipynb)")
    path.write_text(path.read_text().replace("after: 1", "after: 2"))
    assert prose(course, "01_tiny").endswith("Next: [2. Tiny](02_two.ipynb)")
    assert "Next: [Review](../exercises/07_own.ipynb)\n" in prose(course, "02_two")
    assert prose(course, "07_own.exercise").endswith("[the map](../notebooks/index.ipynb).")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("02_two", "{{ nxet }}", "no text is called nxet: there are minutes, exercise, next"),
        ("02_two", "{{ exercise }}", "02_two has no exercise: write it, or remove this"),
        ("07_own.exercise", "{{ lesson }}", "07_own has no lesson: write it, or remove this"),
        ("01_tiny.exercise", "## 1.3 Three", "there is no task 1.3: there are 1.1, 1.2"),
    ],
)
def test_a_text_that_there_is_not_is_named_with_its_line(course, name, text, message):
    path = course / "lessons" / f"{name}.md"
    path.write_text(path.read_text() + f"\nA line.\n\n{text}\n")
    with pytest.raises(BuildError) as error:
        prose(course, name)
    line = line_of(path.read_text(), text)
    assert str(error.value) == f"lessons/{name}.md:{line}: {message}"
