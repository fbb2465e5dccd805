"""What `progress()` and `overview()` show: tables, as text and as HTML."""

import json
import re
import xml.etree.ElementTree as ET

import pytest

from helpers.checks import course_list, progress_view
from helpers.checks import progress as store
from helpers.checks.course_list import LISTED, MAP
from helpers.checks.progress_view import OFF, overview, progress
from helpers.checks.task import PredictionTask
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
def course(tmp_path, monkeypatch):
    """Return a function that writes the map of a course with two exercises."""
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.db"))
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    store._store.cache_clear()
    monkeypatch.setattr(store, "ROOT", tmp_path)
    monkeypatch.setattr(store, "_here", [])
    for module in (progress_view, course_list):
        monkeypatch.setattr(module, "numbers", lambda: list(TASKS))
    monkeypatch.setattr(progress_view, "load", TASKS.__getitem__)

    def listing(*told):
        keys = ("name", "label", "lesson", "exercise")
        listed = [dict(zip(keys, one, strict=True)) for one in told]
        (tmp_path / MAP).parent.mkdir(exist_ok=True)
        (tmp_path / MAP).write_text(json.dumps({"metadata": {LISTED: listed}}))

    listing(
        ("06_exp", "Review <of> all", False, True),
        ("05_square", "5. Square", True, True),
        ("07_sinh", "7. Sinh", True, True),
        ("08_all", "Review", False, True),
    )
    return listing


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
OTHER = "Exercise 6. Review <of> all: 0 of 1 tasks solved, 0 of 3 points"
TOTAL = "In all: 1 of 4 tasks solved, 3 of 9 points"
# Only the lesson of 7 is there, and the review 8 has no tasks.
WHOLE = """\
Solved: 1 of 4 tasks, 3 of 9 points
     Lesson           Exercise    Tasks solved  Not right yet  Points  Hints taken
     Review <of> all  exercise 6  0 of 1                       0 of 3  none
  …  5. Square        exercise 5  1 of 3        ✗ 5.2          3 of 6  1
     7. Sinh"""


@pytest.mark.parametrize("name", [5, "5", "05", "05_square", "5.1", 5.1])
def test_an_exercise_is_named_in_any_usual_way_and_has_a_line_for_each_task(name):
    some_progress()
    assert repr(progress(name)) == TEXT


@pytest.mark.parametrize("how", ["the notebook's name", "the last check"])
def test_in_a_notebook_its_exercise_comes_first_and_others_that_were_tried_take_a_line(
    monkeypatch, how
):
    monkeypatch.setattr("IPython.get_ipython", lambda: "a notebook")
    store.record("6.1", False, "wrong-sign")
    some_progress()
    if how == "the notebook's name":
        store.record("6.1", False, "wrong-sign")
        monkeypatch.setenv("JPY_SESSION_NAME", "exercises/05_square.ipynb")
    assert repr(progress()) == f"{TEXT}\n\n{OTHER}\n{TOTAL}"
    below = f"{OTHER}<br>{TOTAL}".replace("<of>", "&lt;of&gt;")
    assert progress()._repr_html_().endswith(f"</table><p>{below}</p>")
    store.forget(["6.1"])
    assert repr(progress()) == f"{TEXT}\n\n{TOTAL}"


def test_the_map_shows_what_is_solved_in_its_order():
    some_progress()
    assert repr(overview()) == WHOLE


def test_the_line_of_an_exercise_follows_its_last_checks(course):
    course(("06_exp", "Exp", True, True))

    def line():
        mark, *_, wrong, _, _ = overview().tables[0].rows[0]
        return mark, wrong

    assert line() == ("", "")
    store.hint_taken("6.1")
    assert line() == ("…", "")
    store.record("6.1", False, "raises")
    assert line() == ("…", "✗ 6.1")
    assert "tried once, last: raises" in repr(progress(6))
    store.record("6.1", True, "ok")
    assert line() == ("✓", "")
    store.record("6.1", False, "not-started")
    assert line() == ("…", "")
    assert "tried 2 times, empty now" in repr(progress(6))


@pytest.mark.parametrize(
    ("show", "text", "named_by"), [(lambda: progress(5), TEXT, 0), (overview, WHOLE, 1)]
)
def test_the_html_is_a_table_that_says_the_same(show, text, named_by):
    some_progress()
    table = ET.fromstring(show()._repr_html_())
    assert table.findtext("caption") == text.splitlines()[0]
    heads = table.findall("thead/tr/th")
    rows = [heads, *table.findall("tbody/tr")]
    texts = [" ".join("".join(cell.itertext()) for cell in row).split() for row in rows]
    assert texts == [line.split() for line in text.splitlines()[1:]]
    assert {head.get("scope") for head in heads} == {"col"}
    assert {row[named_by].get("scope") for row in rows[1:]} == {"row"}


def test_the_map_links_lessons_and_exercises():
    html = overview()._repr_html_()
    assert re.findall(r'<a href="(.*?)">(.*?)</a>', html) == [
        ("../exercises/06_exp.ipynb", "exercise 6"),
        ("05_square.ipynb", "5. Square"),
        ("../exercises/05_square.ipynb", "exercise 5"),
        ("07_sinh.ipynb", "7. Sinh"),
    ]


def test_the_html_has_the_colour_of_the_page_and_lines_that_show_on_any():
    html = progress()._repr_html_()
    assert set(re.findall(r"[; \"]color: ([^;\"]+)", html)) == {"inherit"}
    assert f"border-bottom: 1px solid {EITHER['rule']}" in html


@pytest.mark.parametrize("content", [None, "{", "[]", '{"metadata": {}}'])
def test_without_a_map_the_exercises_go_without_titles(tmp_path, content):
    (tmp_path / MAP).unlink()
    if content is not None:
        (tmp_path / MAP).write_text(content)
    assert repr(overview()) == repr(progress())
    assert repr(progress(6)).startswith("Exercise 6: 0 of 1 tasks solved, 0 of 3 points\n")


def test_an_unknown_exercise_shows_a_sentence():
    assert repr(progress("<99>")).startswith("There is no exercise <99>: there are ")
    assert progress("<99>")._repr_html_().startswith("<p>There is no exercise &lt;99&gt;: there")


def test_if_progress_is_not_kept_it_says_so(monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", "off")
    assert repr(progress(99)) == repr(overview()) == OFF
    assert overview()._repr_html_() == f"<p>{OFF}</p>"
