"""What a task asks for is read from what students get, and nothing solved is in it."""

import json
from pathlib import Path

import pytest

from course.checkout import find_root
from course.grading.reading.sheet import read_sheet
from course.grading.reading.task_texts import task_texts
from tests.ours import ours

ROOT = find_root()
# Somebody else's task need not have a heading.
EXERCISES = [path.stem for path in ours(sorted((ROOT / "exercises").glob("*.ipynb")))]


def written(folder: Path, *cells: tuple[str, str, str]) -> dict[str, str]:
    """Return the texts of an exercise of these cells: type, id, source."""
    (folder / "exercises").mkdir(exist_ok=True)
    all_cells = [{"cell_type": kind, "id": name, "source": text} for kind, name, text in cells]
    (folder / "exercises" / "09_own.ipynb").write_text(json.dumps({"cells": all_cells}))
    return task_texts(folder, "09_own")


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_task_of_the_course_has_a_text_without_its_solution(exercise):
    texts = task_texts(ROOT, exercise)
    sheet = read_sheet(ROOT, exercise)
    assert tuple(texts) == sheet.tasks
    for task, text in texts.items():
        assert f'check("{task}"' not in text
        for cell in sheet.cells:
            if cell.kind == "answer" and cell.task == task:
                assert cell.source in text  # the stub, on which the text speaks
    solved = json.loads((ROOT / "solutions" / f"{exercise}.ipynb").read_bytes())["cells"]
    everything = "\n".join(texts.values())
    answers = ["".join(cell["source"]) for cell in solved if cell["id"].startswith("answer-")]
    assert answers
    assert not any(answer in everything for answer in answers)


def test_a_text_goes_from_its_heading_to_the_next_and_holds_the_code_that_is_given(tmp_path):
    texts = written(
        tmp_path,
        ("markdown", "a", "# Own\n\nIntro.\n\n## Set-up"),
        ("code", "set-up", "import torch"),
        ("markdown", "b", "## 9.1 First\n\nDo *this*.\n\n### Hint\n\nSmall."),
        ("code", "given", 'x = "```"'),
        ("markdown", "c", "And then:"),
        ("code", "answer-9-1", "# Repair this."),
        ("code", "check-9-1", 'check("9.1", x)'),
        (
            "markdown",
            "d",
            "## 9.2 Second\n\n```\n## 9.3 is no heading\n```\n\n## Your progress\n\nEnd.",
        ),
        ("code", "progress", "progress()"),
    )
    assert texts == {
        "9.1": "Do *this*.\n\n### Hint\n\nSmall.\n\n"
        '````python\nx = "```"\n````\n\n'
        "And then:\n\n*To be changed:*\n\n```python\n# Repair this.\n```",
        "9.2": "```\n## 9.3 is no heading\n```",
    }


def test_a_source_may_be_a_list_of_lines_and_underlined_headings_are_headings(tmp_path):
    texts = written(tmp_path, ("markdown", "a", ["9.1 First\n", "---\n", "Words."]))
    assert texts == {"9.1": "Words."}


@pytest.mark.parametrize("content", [None, b"", b"{", b'{"cells": 3}'])
def test_an_exercise_that_is_gone_or_damaged_has_no_texts(tmp_path, content):
    (tmp_path / "exercises").mkdir()
    if content is not None:
        (tmp_path / "exercises" / "09_own.ipynb").write_bytes(content)
    assert task_texts(tmp_path, "09_own") == {}
