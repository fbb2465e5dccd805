"""What the course's reports say: nothing that the reader of the task has not learnt."""

import re
from pathlib import Path

import pytest

from helpers.checks.advice import SENTENCES, advice, advice_on, message, tasks_of
from helpers.checks.tasks import load, numbers
from tests import ours
from tests.whygrad.test_mistakes import DOING
from whygrad.diagnosis import Diagnosis
from whygrad.mistakes import MISTAKES
from whygrad.report import as_text
from whygrad.verdict import Finding, Property, Verdict

ROOT = Path(__file__).parents[3]
TASKS = [task for task in ours.TASKS if task.kind != "prediction"]
LESSON = re.compile(r"lesson (\d+), “([^”]+)”")
# By the lesson that teaches them: ideas. One that the task itself explains is not named here.
IDEAS = {
    1: r"\bctx\b|saved_tensors|save_for_backward|\.apply\b|`backward`|`forward`|gradcheck"
    r"|[Bb]ackward returns|[Ff]orward returns|needs_input_grad",
    2: r"\bmask|\bkink",
    3: r"[Bb]roadcast|nn\.Parameter|nn\.Module|Module\b|\bdevice|\bbuffer",
    4: r"Jacobian|\bvjp|finite differences|gradcheck.*both matrices|linear in the incoming"
    r"|contiguous\(\)`? first",
    5: r"create_graph|double backward|second derivative|data_ptr",
    7: r"once_differentiable|[Ii]ntermediate of forward",
    8: r"NumPy|SciPy|\.numpy\(\)|second Function|two Functions",
    9: r"mark_dirty|set_materialize_grads|reference cycle",
    11: r"vmap|\bjvp|setup_context|tangent",
}
# The first exercise in which a mistake can be found, if not all have it.
SINCE = {
    "needs-bias": 1,
    "outside-the-function": 1,
    "returns-input": 1,
    "wrong-mask": 2,
    "unused-function": 3,
    "wrong-layer": 3,
    "kept-tensors": 6,
    "evaluated-again": 7,
    "not-in-numpy": 8,
    "wrong-jvp": 11,
    "wrong-vmap": 11,
}


def whole(mistake):
    """Return everything that is said of a mistake."""
    return f"{mistake.sentence} {mistake.cause} {mistake.look} {mistake.read_on}"


EACH = [
    (part, {"says": one} if isinstance(one, str) else one)
    for row in SENTENCES.values()
    for part, said in row.items()
    for one in (said if isinstance(said, list) else [said])
]


def test_every_section_that_is_named_is_in_its_lesson():
    read_on = [one for part, one in EACH if part == "read_on"]
    places = {(one.get("from", 0), *LESSON.search(one["says"]).groups()) for one in read_on}
    assert len(places) >= 20
    for since, number, title in places:
        assert since == int(number), title
        lessons = (ROOT / "lessons").glob(f"{since:02}_*.md")
        (lesson,) = [path for path in lessons if ".exercise" not in path.suffixes]
        headings = re.findall(r"^#+ (.+)$", lesson.read_text(encoding="utf-8"), re.MULTILINE)
        assert title in headings, f"lesson {number} has no section {title!r}"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_report_speaks_of_nothing_that_is_taught_later_and_can_be_read_at_a_glance(task):
    exercise = int(task.id.partition(".")[0])
    later = [lesson for lesson in IDEAS if lesson > exercise]
    for name, mistake in advice(task.id).items():
        said = whole(mistake)
        cited = [int(number) for number, _ in LESSON.findall(said)]
        assert said.count("lesson") == len(cited) <= 1, name
        assert all(number <= exercise for number in cited), name
        if exercise < SINCE.get(name, 5 * name.startswith("second-order")):
            continue
        assert [lesson for lesson in later if re.search(IDEAS[lesson], said)] == [], name
        assert "grad_output" not in said, name
        if task.kind == "values" and name in {*SENTENCES} - {"raises", "kept-tensors"}:
            assert not re.search(r"ctx|`backward` returns|\.apply", mistake.cause), name
        assert 40 <= len(mistake.look) <= 230, name
        assert len(mistake.cause) <= 330, name
        assert len(mistake.read_on) <= 100, name
        assert mistake.look.endswith("."), name
        assert mistake.look.split()[0].lower() in DOING, name
        assert mistake.look.count("`") % 2 == mistake.cause.count("`") % 2 == 0, name


def test_every_sentence_belongs_to_a_part_of_a_mistake_and_needs_what_is_known():
    assert set(SENTENCES) <= set(MISTAKES)
    assert {part for part, _ in EACH} == {"sentence", "cause", "look", "read_on"}
    needs = {"from", "kinds", "tasks", "seen", "otherwise"}
    assert {key for _, one in EACH for key in one} == {"says", *needs}
    known = {task.id for number in numbers() for task in load(number)}
    assert {task for _, one in EACH for task in tasks_of(one)} <= known


@pytest.mark.parametrize(
    ("task", "name", "seen", "read_on"),
    [
        ("5.2", "second-order-lost", "", "lesson 5"),
        ("8.1", "second-order-lost", "", "lesson 8"),
        ("12.1", "kept-tensors", "Kept: 1 tensor as an attribute of `ctx`.", "on ctx"),
        ("12.1", "kept-tensors", "saved [1]: 96 bytes, a view, whose", "A small view"),
        ("12.1", "kept-tensors", "Held: 144 bytes.", "Save the input"),
    ],
)
def test_the_section_is_one_that_the_reader_has_read_and_about_what_was_seen(
    task, name, seen, read_on
):
    verdict = Verdict((), (Finding(name, "", seen),))
    assert read_on in advice_on(verdict, task)[name].read_on


def test_a_section_is_named_unless_a_finding_names_the_line_of_a_wrong_gradient():
    for name, why, is_named in (
        ("wrong-gradient", "", True),
        ("wrong-gradient", "W.", False),
        ("wrong-sign", "W.", True),
    ):
        verdict = Verdict((), (Finding(name, "x", "", why, "Turn it round."),))
        report = as_text(Diagnosis(verdict, mistakes=advice_on(verdict, "5.1")))
        assert ("What to do: Turn it round. See lesson" in report) == is_named


def test_a_prediction_is_explained_without_talk_of_code():
    why = "The detached factor is a constant."
    line = Property("prediction", False, note="Item [1] is wrong.")
    verdict = Verdict((line,), (Finding("second-order-lost", "", why),))
    text = as_text(Diagnosis(verdict, mistakes=advice("5.3")))
    assert message(verdict, "5.3") == f"The prediction is not right. {why}"
    assert "Usual cause" not in text
    assert "Item [1] is wrong." in text


def test_a_prediction_that_is_missing_is_not_called_wrong():
    line = Property("prediction", None)
    assert message(Verdict((line,), (Finding("not-started"),)), "5.3") == "not started"
