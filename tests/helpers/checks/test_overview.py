"""What the map runs: a line for each exercise, in the map's order, as text and as HTML."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from helpers.checks import overview as module
from helpers.checks import progress as store
from helpers.checks.overview import LISTED, MAP, overview
from helpers.checks.progress_view import OFF
from tests.helpers.checks.test_progress_view import TASKS

ROOT = Path(__file__).parents[3]
TEXT = """\
Solved: 2 of 4 tasks, 4 of 9 points
     Exercise         Tasks solved  Points  Hints taken
  ✓  Review <of> all  1 of 1        3 of 3  1
  …  5. Square        1 of 3        1 of 6  none"""


@pytest.fixture(autouse=True)
def _a_course(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.db"))
    store._store.cache_clear()
    monkeypatch.setattr(store, "ROOT", tmp_path)
    monkeypatch.setattr(module, "numbers", lambda: list(TASKS))
    monkeypatch.setattr(module, "load", TASKS.__getitem__)
    monkeypatch.setattr(module, "number_of", lambda name: int(name[:2]))


def list_exercises(folder, *told):
    path = folder / MAP
    path.parent.mkdir(exist_ok=True)
    listed = [{"name": name, "label": label} for name, label in told]
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
    assert [line.mark for _, line in overview().lines] == [""]
    store.hint_taken("6.1")
    assert [line.mark for _, line in overview().lines] == ["…"]


def test_the_mark_goes_when_an_answer_is_empty_again(tmp_path):
    list_exercises(tmp_path, ("06_exp", "Exp"))
    store.record("6.1", True, "ok")
    assert [line.mark for _, line in overview().lines] == ["✓"]
    store.record("6.1", False, "not-started")
    assert [line.mark for _, line in overview().lines] == ["…"]


def test_the_html_is_a_table_with_links_and_says_the_same(tmp_path):
    list_exercises(tmp_path, ("06_exp", "Review <of> all"), ("05_square", "5. Square"))
    some_progress()
    table = ET.fromstring(overview()._repr_html_())
    assert table.findtext("caption") == TEXT.splitlines()[0]
    links = [(link.get("href"), link.text) for link in table.iter("a")]
    assert links == [
        ("../exercises/06_exp.ipynb", "Review <of> all"),
        ("../exercises/05_square.ipynb", "5. Square"),
    ]
    first = table.findall("tbody/tr")[0]
    assert ["".join(cell.itertext()) for cell in first] == [
        "✓",
        "Review <of> all",
        "1 of 1",
        "3 of 3",
        "1",
    ]
    assert [head.get("scope") for head in table.iter("th")] == ["col"] * 5 + ["row"] * 2


def test_an_exercise_that_is_not_there_is_left_out(tmp_path):
    list_exercises(tmp_path, ("05_square", "5. Square"), ("07_sinh", "7. Sinh"))
    assert [line.exercise for _, line in overview().lines] == ["5. Square"]


@pytest.mark.parametrize("content", [None, "{", "[]", '{"metadata": {}}'])
def test_a_map_that_was_changed_or_removed_leaves_the_exercises_by_their_files(tmp_path, content):
    (tmp_path / "exercises").mkdir()
    for name in ("05_square", "05_square.1", "06_exp", "notes"):
        (tmp_path / "exercises" / f"{name}.ipynb").touch()
    if content is not None:
        list_exercises(tmp_path)
        (tmp_path / MAP).write_text(content)
    assert [line.exercise for _, line in overview().lines] == ["05_square", "06_exp"]


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
