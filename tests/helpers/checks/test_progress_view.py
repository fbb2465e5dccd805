"""What `progress()` shows: a table per exercise, as text and as HTML."""

import re
import xml.etree.ElementTree as ET

import pytest

from helpers.checks import progress as store
from helpers.checks import progress_view
from helpers.checks.progress_view import OFF, progress
from helpers.checks.task import PredictionTask
from helpers.checks.tasks import numbers
from whygrad.look import EITHER


def task(task_id, title, points):
    hints = ("vague", "closer", "almost")
    shares = {"prediction": points}
    return PredictionTask(
        id=task_id, title=title, shares=shares, minutes=5, hints=hints, form="a number"
    )


TASKS = {
    5: (task("5.1", "Square", 3), task("5.2", "Repair <x & y>", 2), task("5.3", "Predict", 1)),
    6: (task("6.1", "Exp", 3),),
}


@pytest.fixture(autouse=True)
def _two_exercises(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    store._store.cache_clear()
    monkeypatch.setattr(progress_view, "numbers", lambda: list(TASKS))
    monkeypatch.setattr(progress_view, "load", TASKS.__getitem__)


def some_progress():
    store.record("5.1", False, "wrong-sign")
    store.record("5.1", True, "ok")
    store.hint_taken("5.1")
    store.record("5.2", False, "wrong-sign")
    store.record("5.2", False, "second-order-lost")


TEXT = """\
Exercise 5. Square: 1 of 3 tasks solved, 3 of 6 points
  Task  Title           Points  State                                   Hints taken
  5.1   Square          3       ✓ solved                                1 of 3
  5.2   Repair <x & y>  2       tried 2 times, last: second-order-lost  none
  5.3   Predict         1       not started                             none"""


def test_the_text_has_a_line_for_each_task():
    some_progress()
    assert repr(progress(5)) == TEXT


def test_all_exercises_are_shown_unless_one_is_named():
    assert [table.number for table in progress().tables] == [5, 6]
    assert repr(progress()).count("\n\nExercise 6. Exp: 0 of 1 tasks solved") == 1


def test_the_last_line_counts_all_exercises_unless_one_is_named():
    some_progress()
    store.record("6.1", True, "ok")
    assert repr(progress()).splitlines()[-2:] == ["", "In all: 2 of 4 tasks solved, 6 of 9 points"]
    assert progress()._repr_html_().endswith("<p>In all: 2 of 4 tasks solved, 6 of 9 points</p>")
    assert "In all" not in repr(progress(5))


def test_an_exercise_that_the_map_does_not_list_goes_without_a_title(monkeypatch):
    monkeypatch.setattr(progress_view, "headings", dict)
    assert progress(6).tables[0].caption == "Exercise 6: 0 of 1 tasks solved, 0 of 3 points"


@pytest.mark.parametrize("name", [5, "5", "05", "05_square", "5.1", 5.1])
def test_an_exercise_is_named_in_any_usual_way(name):
    assert [table.number for table in progress(name).tables] == [5]


def test_one_try_is_said_in_words():
    store.record("5.3", False, "raises")
    assert progress(5).tables[0].rows[2].state == "tried once, last: raises"


def test_the_html_is_a_table_with_header_cells_a_caption_and_the_texts_of_the_text_form():
    some_progress()
    table = ET.fromstring(progress(5)._repr_html_())
    assert table.findtext("caption") == TEXT.splitlines()[0]
    heads = table.findall("thead/tr/th")
    assert [head.text for head in heads] == ["Task", "Title", "Points", "State", "Hints taken"]
    assert {head.get("scope") for head in heads} == {"col"}
    rows = table.findall("tbody/tr")
    assert [[cell.text for cell in row] for row in rows] == [
        ["5.1", "Square", "3", "✓ solved", "1 of 3"],
        ["5.2", "Repair <x & y>", "2", "tried 2 times, last: second-order-lost", "none"],
        ["5.3", "Predict", "1", "not started", "none"],
    ]
    assert {row.find("th").get("scope") for row in rows} == {"row"}


def test_the_html_has_the_colour_of_the_page_and_lines_that_show_on_any():
    html = progress()._repr_html_()
    assert set(re.findall(r"[; \"]color: ([^;\"]+)", html)) == {"inherit"}
    assert f"border-bottom: 1px solid {EITHER['rule']}" in html
    assert html.count("<table") == html.count("</table>") == 2


def test_an_unknown_exercise_shows_a_sentence(monkeypatch):
    shown = progress("<99>")
    assert repr(shown).startswith("There is no exercise <99>: there are ")
    assert shown._repr_html_().startswith("<p>There is no exercise &lt;99&gt;: there are ")


def test_switched_off_it_says_so_whatever_the_tasks_are(monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", "off")
    assert repr(progress()) == OFF == "Progress is not kept: COURSE_PROGRESS is off."


def test_the_exercises_are_those_that_have_tasks():
    assert numbers() == sorted(numbers())
    assert 5 in numbers()


@pytest.mark.parametrize("how", ["the notebook's name", "the last check"])
def test_in_a_notebook_its_exercise_comes_first_and_the_others_take_a_line(monkeypatch, how):
    some_progress()
    store.record("6.1", True, "ok")
    monkeypatch.setattr("IPython.get_ipython", lambda: "a notebook")
    if how == "the notebook's name":
        monkeypatch.setenv("JPY_SESSION_NAME", "exercises/05_square.ipynb")
    else:
        monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
        store.record("5.2", False, "second-order-lost")
    assert repr(progress()).startswith("Exercise 5. Square: 1 of 3 tasks solved")
    lines = [
        "Exercise 6. Exp: 1 of 1 tasks solved, 3 of 3 points",
        "In all: 2 of 4 tasks solved, 6 of 9 points",
    ]
    assert repr(progress()).endswith("\n\n" + "\n".join(lines))
    assert progress()._repr_html_().endswith(f"</table><p>{'<br>'.join(lines)}</p>")


def test_an_exercise_that_nobody_has_tried_takes_no_line(monkeypatch):
    some_progress()
    monkeypatch.setattr("IPython.get_ipython", lambda: "a notebook")
    monkeypatch.setenv("JPY_SESSION_NAME", "exercises/05_square.ipynb")
    assert repr(progress()) == f"{TEXT}\n\nIn all: 1 of 4 tasks solved, 3 of 9 points"
