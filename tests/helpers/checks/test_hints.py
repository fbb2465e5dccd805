"""`check.hint`: one more hint each time, none unasked."""

import pytest

from helpers.checks import progress
from helpers.checks.hints import show_hint, with_offer
from helpers.checks.tasks import find, load

TASK = load(5)[0]


@pytest.fixture(autouse=True)
def _fresh(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    progress._store.cache_clear()


def shown(capsys, task_id=TASK.id):
    assert show_hint(task_id) is None
    return capsys.readouterr().out


def test_each_call_shows_the_next_hint_and_none_of_the_others(capsys):
    one, two, three = TASK.hints
    assert shown(capsys) == f"Hint 1 of 3: {one}\n"
    assert shown(capsys) == f"Hint 2 of 3: {two}\n"
    assert shown(capsys) == f"Hint 3 of 3: {three}\nThat was the last hint for {TASK.id}.\n"


def test_after_the_third_all_are_shown_again_and_no_more_counted(capsys):
    for _ in range(3):
        shown(capsys)
    one, two, three = TASK.hints
    for _ in range(2):
        assert shown(capsys) == (
            f"You have had all 3 hints for {TASK.id}:\n1. {one}\n2. {two}\n3. {three}\n"
        )
    assert progress.read()[TASK.id]["hints"] == 3


def test_the_count_is_remembered_by_another_notebook(capsys):
    shown(capsys)
    progress._store.cache_clear()
    assert shown(capsys).startswith("Hint 2 of 3: ")


def test_hints_go_on_where_progress_is_switched_off(capsys, monkeypatch):
    monkeypatch.setenv("COURSE_PROGRESS", "off")
    assert [shown(capsys)[:11] for _ in range(3)] == ["Hint 1 of 3", "Hint 2 of 3", "Hint 3 of 3"]


def test_a_report_ends_with_the_offer_of_the_next_hint_until_all_are_taken(capsys):
    report = {"text/plain": "✗", "text/html": "<p>✗</p>"}
    for place in (1, 2, 3):
        offered = with_offer(report, TASK)
        assert offered["text/plain"].splitlines()[-1].startswith(f"Hint {place} of 3: run `check.h")
        assert f"<code>check.hint(&quot;{TASK.id}&quot;)</code>" in offered["text/html"]
        show_hint(TASK.id)
    assert with_offer(report, TASK) == report


def test_an_id_without_quotes_is_understood(capsys):
    assert shown(capsys, 5.1) == f"Hint 1 of 3: {TASK.hints[0]}\n"


def test_an_unknown_task_names_those_of_its_exercise(capsys):
    known = [task.id for task in load(5)]
    listed = f"{', '.join(known[:-1])} and {known[-1]}"
    assert shown(capsys, "5.9") == f"There is no task 5.9: exercise 5 has {listed}.\n"
    assert progress.read() == {}


@pytest.mark.parametrize("task_id", ["99.1", "", "square", "²", "-5.1"])
def test_an_unknown_exercise_names_the_exercises(capsys, task_id):
    text = shown(capsys, task_id)
    assert text.startswith(f"There is no exercise {task_id}: there are ")
    assert "5" in text.removeprefix(f"There is no exercise {task_id}")
    assert "hub" not in text


def test_on_a_hub_an_exercise_that_is_not_there_may_be_newer_than_the_checks(monkeypatch):
    monkeypatch.setenv("JUPYTERHUB_USER", "ada")
    with pytest.raises(LookupError, match="newer than the hub's checks, its admin has to renew"):
        find("99.1")
