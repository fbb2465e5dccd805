"""What the map runs: a line for each exercise, in the map's order, as text and as HTML."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from helpers.checks import course_list
from helpers.checks import overview as module
from helpers.checks import progress as store
from helpers.checks.course_list import LISTED, MAP
from helpers.checks.overview import overview
from helpers.checks.progress_view import OFF
from tests.helpers.checks.test_progress_view import TASKS

ROOT = Path(__file__).parents[3]
TEXT = """\
Solved: 2 of 4 tasks, 4 of 9 points
     Lesson           Exercise    Tasks solved  Not right yet  Points  Hints taken
  ✓  Review <of> all  exercise 6  1 of 1                       3 of 3  1
  …  5. Square        exercise 5  1 of 3        ✗ 5.2          1 of 6  none"""


@pytest.fixture(autouse=True)
def _a_course(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.db"))
    store._store.cache_clear()
    monkeypatch.setattr(store, "ROOT", tmp_path)
    monkeypatch.setattr(course_list, "numbers", lambda: list(TASKS))
    monkeypatch.setattr(module, "load", TASKS.__getitem__)


def list_exercises(folder, *told):
    path = folder / MAP
    path.parent.mkdir(exist_ok=True)
    listed = [
        {"name": name, "label": label, "lesson": "Review" not in label, "exercise": True}
        for name, label in told
    ]
    path.write_text(json.dumps({"metadata": {LISTED: listed}}))


def some_progress():
    store.record("6.1", True, "ok")
    store.hint_taken("6.1")
    store.record("5.3", True, "ok")
    store.record("5.2", False, "wrong-sign")


def test_it_shows_what_is_solved_in_the_order_of_the_map(tmp_path):
    list_exercises(tmp_path, ("06_exp", "Review <of> all"), ("05_square", "5. Square"))
    some_progress()
    assert repr(overview()) == TEXT


def test_an_exercise_of_which_only_a_hint_was_taken_is_begun(tmp_path):
    list_exercises(tmp_path, ("06_exp", "Exp"))
    assert [row.line.mark for row in overview().rows] == [""]
    store.hint_taken("6.1")
    assert [row.line.mark for row in overview().rows] == ["…"]


def test_the_mark_goes_when_an_answer_is_empty_again(tmp_path):
    list_exercises(tmp_path, ("06_exp", "Exp"))
    store.record("6.1", True, "ok")
    assert [row.line.mark for row in overview().rows] == ["✓"]
    store.record("6.1", False, "not-started")
    assert [row.line.mark for row in overview().rows] == ["…"]


def test_the_html_is_a_table_with_links_and_says_the_same(tmp_path):
    list_exercises(tmp_path, ("06_exp", "Review <of> all"), ("05_square", "5. Square"))
    some_progress()
    table = ET.fromstring(overview()._repr_html_())
    assert table.findtext("caption") == TEXT.splitlines()[0]
    links = [(link.get("href"), link.text) for link in table.iter("a")]
    assert links == [
        ("../exercises/06_exp.ipynb", "exercise 6"),
        ("05_square.ipynb", "5. Square"),
        ("../exercises/05_square.ipynb", "exercise 5"),
    ]
    first = table.findall("tbody/tr")[0]
    assert ["".join(cell.itertext()) for cell in first] == [
        "✓",
        "Review <of> all",
        "exercise 6",
        "1 of 1",
        "",
        "3 of 3",
        "1",
    ]
    assert [head.get("scope") for head in table.iter("th")] == ["col"] * 7 + ["row"] * 2


def test_a_task_whose_last_check_failed_is_named_until_it_is_right_or_empty(tmp_path):
    list_exercises(tmp_path, ("05_square", "5. Square"))
    for task in ("5.3", "5.2"):
        store.record(task, False, "wrong-sign")
    assert [row.line.wrong for row in overview().rows] == ["✗ 5.2, 5.3"]
    store.record("5.2", True, "ok")
    assert [row.line.wrong for row in overview().rows] == ["✗ 5.3"]
    store.record("5.3", False, "not-started")
    assert [row.line.wrong for row in overview().rows] == [""]


def test_where_an_exercise_is_not_there_its_lesson_stands_alone_and_a_review_is_left_out(tmp_path):
    listed = ("05_square", "5. Square"), ("07_sinh", "7. Sinh"), ("08_all", "Review")
    list_exercises(tmp_path, *listed)
    assert [(row.lesson, row.line.exercise) for row in overview().rows] == [
        ("05_square.ipynb", "exercise 5"),
        ("07_sinh.ipynb", ""),
    ]


@pytest.mark.parametrize("content", [None, "{", "[]", '{"metadata": {}}'])
def test_a_map_that_was_changed_or_removed_leaves_the_exercises_by_their_files(tmp_path, content):
    (tmp_path / "exercises").mkdir()
    for name in ("05_square", "05_square.1", "06_exp", "notes"):
        (tmp_path / "exercises" / f"{name}.ipynb").touch()
    if content is not None:
        list_exercises(tmp_path)
        (tmp_path / MAP).write_text(content)
    assert [row.line.lesson for row in overview().rows] == ["05_square", "06_exp"]


def test_where_progress_is_not_kept_it_says_so(monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", "off")
    assert repr(overview()) == OFF
    assert overview()._repr_html_() == f"<p>{OFF}</p>"


def test_the_cell_of_the_map_runs_from_any_folder(tmp_path):
    notebook = json.loads((ROOT / MAP).read_text(encoding="utf-8"))
    (cell,) = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    code = "".join(cell["source"]).replace("\noverview()", "\nprint(overview())")
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "COURSE_PROGRESS": str(tmp_path / "p.db")},
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Solved: 0 of ")
    assert len(lines) - 2 == len(notebook["metadata"][LISTED])
