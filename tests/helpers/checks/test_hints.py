"""`check.hint`: one more hint each time, none unasked."""

import pytest

from helpers import check
from helpers.checks import progress
from helpers.checks.hints import with_offer
from helpers.checks.tasks import find

TASK = find("5.1")
ONE, TWO, THREE = TASK.hints
ALL = f"You have had all 3 hints for 5.1:\n1. {ONE}\n2. {TWO}\n3. {THREE}\n"


@pytest.fixture(autouse=True)
def _fresh(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.db"))
    progress._store.cache_clear()


def test_each_call_shows_the_next_hint_and_after_the_last_all_of_them(capsys):
    shown = []
    for _ in range(5):
        progress._store.cache_clear()  # as in another notebook
        check.hint("5.1")
        shown.append(capsys.readouterr().out)
    last = f"Hint 3 of 3: {THREE}\nThat was the last hint for 5.1.\n"
    assert shown == [f"Hint 1 of 3: {ONE}\n", f"Hint 2 of 3: {TWO}\n", last, ALL, ALL]
    assert progress.read()["5.1"].hints == 3


def test_a_report_ends_with_the_offer_of_the_next_hint_until_all_are_taken():
    report = {"text/plain": "✗", "text/html": "<p>✗</p>"}
    for place in (1, 2, 3):
        offered = with_offer(report, TASK)
        assert offered["text/plain"].startswith(f"✗\n\nHint {place} of 3: run `check.hint(")
        assert "<code>check.hint(&quot;5.1&quot;)</code>" in offered["text/html"]
        check.hint("5.1")
    assert with_offer(report, TASK) == report


@pytest.mark.parametrize("task_id", ["99.1", "", "square", "²", "-5.1"])
def test_an_unknown_exercise_names_the_exercises(monkeypatch, task_id):
    monkeypatch.delenv("JUPYTERHUB_USER", raising=False)
    with pytest.raises(LookupError, match=f"^There is no exercise {task_id}: there are .*5.*\\d.$"):
        find(task_id)
    monkeypatch.setenv("JUPYTERHUB_USER", "ada")
    with pytest.raises(LookupError, match="newer than the hub's checks, its admin has to renew"):
        find(task_id)
