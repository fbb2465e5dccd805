"""What a task asks for is read from what students get, and nothing solved is in it."""

import json

import pytest

from course.grading.reading.sheet import read_sheet
from course.grading.reading.task_texts import task_texts
from tests.course.grading.reading.layouts import ROOT, put
from tests.ours import ours

# Somebody else's task need not have a heading.
EXERCISES = [path.stem for path in ours(sorted((ROOT / "exercises").glob("*.ipynb")))]


def texts(folder, *cells):
    """Return the texts of an exercise of these cells: id, source; code, unless the id is ""."""
    made = [
        {"cell_type": "code" if name else "markdown", "id": name, "source": text}
        for name, text in cells
    ]
    put(folder / "exercises" / "09_own.ipynb", json.dumps({"cells": made}))
    return task_texts(folder, "09_own")


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_task_of_the_course_has_a_text_without_its_solution(exercise):
    found, known = task_texts(ROOT, exercise), read_sheet(ROOT, exercise)
    assert tuple(found) == known.tasks
    everything = "\n".join(found.values())
    assert 'check("' not in everything
    for cell in known.cells:
        if cell.kind == "answer":
            assert cell.source in found[cell.task]  # the stub, on which the text speaks
            assert known.solved[cell.id] not in everything


def test_a_text_goes_from_its_heading_to_the_next_and_holds_the_code_that_is_given(tmp_path):
    assert texts(
        tmp_path,
        ("", "# Own\n\nIntro.\n\n## Set-up"),
        ("set-up", "import torch"),
        ("", "## 9.1 First\n\nDo *this*.\n\n### Hint\n\nSmall."),
        ("given", 'x = "```"'),
        ("", "And then:"),
        ("answer-9-1", "# Repair this."),
        ("check-9-1", 'check("9.1", x)'),
        ("", "## 9.2 Second\n\n```\n## 9.3 is no heading\n```\n\n## Your progress\n\nEnd."),
        ("progress", "progress()"),
        ("", ["9.4 Lines\n", "---\n", "Words."]),
    ) == {
        "9.1": "Do *this*.\n\n### Hint\n\nSmall.\n\n"
        '~~~~python\nx = "```"\n~~~~\n\n'
        "And then:\n\n*To be changed:*\n\n~~~~python\n# Repair this.\n~~~~",
        "9.2": "```\n## 9.3 is no heading\n```",
        "9.4": "Words.",
    }
