"""A wrong prediction is explained by what is known of it, and by nothing that it contradicts."""

import pytest

from helpers.checks.answer_check import examine
from helpers.checks.references import reference, slips
from helpers.checks.task import PredictionTask
from helpers.checks.tasks import find, load, numbers

TASKS = [task for n in numbers() for task in load(n) if isinstance(task, PredictionTask)]


def why(task_id, prediction):
    """Return why a wrong prediction is wrong, and what to do."""
    diagnosis = examine(find(task_id), (prediction,))
    assert diagnosis.name == "wrong-prediction"
    return diagnosis.verdict.findings[0].why, diagnosis.verdict.findings[0].look


def with_value(task, item, value):
    """Return the right prediction with one of its values, or a part of all its lists, replaced."""
    name, _, part = item.partition(" (")
    right = [list(one) if task.entries else one for one in reference(task.id)]
    for place in range(len(right)) if name == "…" else [task.items.index(name)]:
        if part:
            right[place][task.entries.index(part.rstrip(")"))] = value
        else:
            right[place] = value
    return right


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_each_known_value_gets_its_reason(task):
    known = [(slip.item, str(slip.value)) for slip in slips(task.id)]
    assert len({*known}) == len(known)
    for slip in slips(task.id):
        assert len(slip.why) <= 140
        if slip.value is not None:
            wrong = with_value(task, slip.item, slip.value) if slip.item else slip.value
            assert slip.why in why(task.id, wrong)[0]


@pytest.mark.parametrize("task", [task for task in TASKS if task.words], ids=lambda task: task.id)
def test_there_is_a_hint_where_a_wrong_word_has_no_reason_of_its_own(task):
    parts = [f" ({part})" for part in task.entries] or [""]
    hinted = {slip.item for slip in slips(task.id) if slip.value is None}
    assert hinted == {item + part for item in task.items for part in parts}


SAID = [
    # A reason that others of the student's numbers contradict is not told.
    ("5.3", {1: [6, 36, 72]}, "No mistake", "Right so far: third_power (for w)"),
    ("6.3", {0: [8, 3], 1: [8, 3], 2: [8, 3]}, "This is the loss", "each brings a term."),
    ("10.4", {1: 15}, "The size is right, and the sign is not.", ""),
    ("15.4", {2: 1.7}, "three steps: This is close", ""),
    ("3.4", {4: [18, -4, 9]}, "Right at the places [0, 1].", ""),
    ("5.3", {0: [6, 144, 72]}, "wrong order", "slope, for x, for w."),
    ("6.3", {1: "raises"}, "root_copy: Nothing is raised here: numbers", ""),
    ("8.3", {1: None, 2: "nan"}, "for g: This is None", "This is nan, and a number comes out."),
    ("8.3", {0: "480", 1: [80, 0]}, "without quotes.", "A comma makes two values"),
    ("11.3", {1: 15}, "Write a shape: a list of whole numbers", ""),
    (
        "14.3",
        {0: len, 1: "one", 2: "a break"},
        "one of these words, in quotes",
        'Did you mean "break"?',
    ),
]


@pytest.mark.parametrize(("task_id", "wrong", "start", "end"), SAID)
def test_a_wrong_prediction_is_answered(task_id, wrong, start, end):
    right = dict(enumerate(reference(task_id)))
    told, _ = why(task_id, [*(right | wrong).values()])
    assert start in told
    assert end in told


def test_a_list_of_another_length_is_answered_as_a_whole():
    assert "a list of 3. Write a list of four whole numbers" in why("1.3", [4, 3, 3])[0]


@pytest.mark.parametrize("written", ["no break", "it raises, or a break", ""])
def test_a_text_that_denies_an_answer_or_fits_several_is_not_taken_for_one(written):
    told, look = why("14.3", [written, *reference("14.3")[1:]])
    assert told.startswith("masks: Write one of these words")
    assert look.startswith("Write it")
