"""What the course's reports say: nothing that the reader of the task has not learnt."""

import re
from pathlib import Path

import pytest
import torch

import whygrad
from helpers import diagnose
from helpers.checks.advice import SENTENCES, advice, advice_on, message, tasks_of
from helpers.checks.tasks import load, numbers
from tests import ours
from tests.whygrad.test_mistakes import DOING
from whygrad.diagnosis import Diagnosis
from whygrad.mistakes import MISTAKES, ROWS, Mistake
from whygrad.report import as_text
from whygrad.verdict import Finding, Property, Raised, Verdict

ROOT = Path(__file__).parents[3]
TASKS = [task for task in ours.TASKS if task.kind != "prediction"]
LESSON = re.compile(r"lesson (\d+), “([^”]+)”")
# An idea, and the lesson that teaches it. One that the task itself explains is not named here.
IDEAS = {
    r"\bctx\b": 1,
    r"saved_tensors|save_for_backward": 1,
    r"\.apply\b": 1,
    r"`backward`|`forward`|[Bb]ackward returns|[Ff]orward returns": 1,
    r"gradcheck": 1,
    r"needs_input_grad": 1,
    r"[Bb]roadcast": 3,
    r"\bmask": 2,
    r"\bkink": 2,
    r"nn\.Parameter|nn\.Module|Module\b": 3,
    r"\bdevice": 3,
    r"\bbuffer": 3,
    r"Jacobian|\bvjp": 4,
    r"finite differences|gradcheck.*both matrices": 4,
    r"linear in the incoming": 4,
    r"contiguous\(\)`? first": 4,
    r"create_graph|double backward|second derivative": 5,
    r"data_ptr": 5,
    r"once_differentiable": 7,
    r"[Ii]ntermediate of forward": 7,
    r"NumPy|SciPy|\.numpy\(\)": 8,
    r"second Function|two Functions": 8,
    r"mark_dirty|set_materialize_grads|reference cycle": 9,
    r"vmap|\bjvp|setup_context|tangent": 11,
}
# A plain function has no graph of its own and nothing around it.
OF_FUNCTIONS = {
    "unused-function",
    "returns-input",
    "not-linear-in-grad-output",
    "wrong-mask",
    "modifies-grad-output",
    "needs-contiguous",
    "needs-bias",
    "outside-the-function",
}
OF_LAYERS = {"unused-function", "wrong-layer"}
ONLY_IN = {
    "needs-bias": ("1.1", "1.2", "3.3"),
    "kept-tensors": ("6.1", "12.1", "12.2"),
    "not-in-numpy": ("8.1",),
}
ONLY_IN["evaluated-again"] = ("7.1",)
ONLY_IN |= {"wrong-jvp": ("11.2",), "wrong-vmap": ("11.1", "11.2")}


class Halved(torch.autograd.Function):
    """x², with half of its gradient."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return -2 * x * grad_y


def can_be_meant(name, task):
    """Tell whether a mistake can be found in a task."""
    if name in ONLY_IN:
        return task.id in ONLY_IN[name]
    if name.startswith(("second-order", "extra-gradients")):
        return getattr(task, "order", 1) == 2
    if name in OF_LAYERS:
        return task.kind == "module"
    if name == "wrong-mask":
        return task.id in ("2.1", "2.2", "2.4", "3.2", "4.2")
    return task.kind != "values" or name not in OF_FUNCTIONS


def whole(mistake):
    """Return all that is said of a mistake."""
    return f"{mistake.sentence} {mistake.cause} {mistake.look} {mistake.read_on}"


SAID = [
    (task, name, mistake)
    for task in TASKS
    for name, mistake in advice(task.id).items()
    if can_be_meant(name, task)
]

PARTS = ("sentence", "cause", "look")
EACH = [
    (name, part, {"says": one} if isinstance(one, str) else one)
    for name, row in SENTENCES.items()
    for part, said in row.items()
    for one in (said if isinstance(said, list) else [said])
]


def report_on(*findings, task="5.1", properties=(), raised=None, title=""):
    verdict = Verdict(tuple(properties), findings, raised)
    return as_text(Diagnosis(verdict, title=title, mistakes=advice(task)))


def test_every_section_that_is_named_is_in_its_lesson():
    read_on = [one for _, part, one in EACH if part == "read_on"]
    places = {(one.get("from", 0), *LESSON.search(one["says"]).groups()) for one in read_on}
    assert len(places) >= 20
    for since, number, title in places:
        assert since == int(number), title
        (lesson,) = [
            path
            for path in (ROOT / "lessons").glob(f"{since:02}_*.md")
            if ".exercise" not in path.suffixes
        ]
        headings = re.findall(r"^#+ (.+)$", lesson.read_text(encoding="utf-8"), re.MULTILINE)
        assert title in headings, f"lesson {number} has no section {title!r}"


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_no_report_cites_a_lesson_that_comes_later(task):
    for name, mistake in advice(task.id).items():
        said = whole(mistake)
        cited = [int(number) for number, _ in LESSON.findall(said)]
        assert said.count("lesson") == len(cited) <= 1, name
        assert all(number <= int(task.id.partition(".")[0]) for number in cited), (name, cited)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_no_report_speaks_of_what_is_taught_later(task):
    too_early = [
        (name, idea, mistake)
        for one, name, mistake in SAID
        if one is task
        for idea, lesson in IDEAS.items()
        if lesson > int(task.id.partition(".")[0]) and re.search(idea, whole(mistake))
    ]
    assert too_early == []


def test_a_plain_function_s_report_speaks_of_no_method_of_a_function():
    for task, name, mistake in SAID:
        if task.kind == "values" and name in SENTENCES and name != "raises":
            assert not re.search(r"ctx|`backward` returns|\.apply", mistake.cause), (task.id, name)


def test_nothing_says_grad_output():
    for task, name, mistake in SAID:
        said = whole(mistake)
        assert "grad_output" not in said, (task.id, name)


def test_what_is_said_belongs_to_a_part_of_a_mistake_and_needs_what_is_known():
    assert set(SENTENCES) <= set(MISTAKES)
    assert {part for _, part, _ in EACH} == {*PARTS, "read_on"}
    needs = {"from", "kinds", "tasks", "seen", "otherwise"}
    assert {key for _, _, one in EACH for key in one} == {"says", *needs}


def test_every_task_and_group_that_is_named_is_one():
    known = {task.id for number in numbers() for task in load(number)}
    assert {task for _, _, one in EACH for task in tasks_of(one)} <= known


def test_a_mistake_that_is_not_named_is_said_in_whygrad_s_words(monkeypatch):
    new = ("The {about} is upside down.", "A hand.", "Turn it round, and run it again.")
    monkeypatch.setitem(MISTAKES, "upside-down", Mistake(*new))
    monkeypatch.setitem(ROWS, "upside-down", dict(zip(PARTS, new, strict=True)))
    advice.cache_clear()
    assert advice("5.1")["upside-down"] == Mistake(*new)
    monkeypatch.undo()
    advice.cache_clear()


def test_a_part_that_is_not_named_is_said_in_whygrad_s_words():
    assert "sentence" not in SENTENCES["wrong-factor"]
    assert advice("5.1")["wrong-factor"].sentence == MISTAKES["wrong-factor"].sentence


def test_an_elementwise_task_is_not_told_to_sum():
    assert "nothing is to be summed" in advice("5.1")["not-summed"].cause
    assert "many times" in advice("5.2")["not-summed"].cause
    assert "bias" not in advice("5.1")["not-summed"].cause


def test_the_training_loop_hears_of_old_gradients_and_no_buffer():
    said = advice("0.3")["keeps-state"]
    assert "adds to what `.grad` already holds" in said.cause
    assert "lesson 0, “No `zero_grad`”" in said.read_on
    assert "buffer" not in said.cause + said.look


def test_a_section_is_named_where_a_finding_says_what_to_do():
    text = report_on(Finding("wrong-sign", "x", look="Turn it round."))
    assert f"What to do: Turn it round. {advice('5.1')['wrong-sign'].read_on}" in text
    assert "See lesson 4" in text


def test_a_section_is_the_one_that_the_reader_has_read():
    assert "lesson 8, “A second Function”" in advice("8.1")["second-order-lost"].read_on
    assert "lesson 5, “A branch that is cut”" in advice("5.2")["second-order-lost"].read_on


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_the_advice_can_be_read_at_a_glance_and_followed(task):
    for one, name, mistake in SAID:
        if one is not task:
            continue
        assert 40 <= len(mistake.look) <= 230, name
        assert len(mistake.read_on) <= 100, name
        assert len(mistake.cause) <= 330, name
        assert mistake.look.endswith("."), name
        assert mistake.look.split()[0].lower() in DOING, name
        assert mistake.look.count("`") % 2 == mistake.cause.count("`") % 2 == 0, name


def test_a_prediction_is_neither_praised_nor_blamed():
    said = advice("5.3")["wrong-sign"]
    for part in (said.sentence, said.cause, said.look):
        assert "!" not in part
        assert not re.search(r"(?i)\b(sorry|great|well done|oops|simply|just do|obviously)\b", part)


@pytest.mark.parametrize("name", list(MISTAKES))
def test_every_mistake_has_a_whole_report(name):
    raised = Raised("NameError", "no", "backward", "z", 7) if name == "raises" else None
    text = report_on(Finding(name, "x"), raised=raised)
    # What raises is quoted with its line, and needs no usual cause.
    assert (f"Usual cause: {advice('5.1')[name].cause}" in text) is (name != "raises")
    said = advice("5.1")[name]
    assert f"What to do: {said.look} {said.read_on}".rstrip() in text


def test_a_notebook_s_diagnosis_is_whygrad_s():
    x = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64)
    assert repr(diagnose(Halved, x)) == repr(whygrad.diagnose(Halved, x))
    assert "lesson" not in repr(diagnose(Halved, x))


def test_a_prediction_is_explained_without_talk_of_code():
    why = "The detached factor is a constant."
    line = Property("prediction", False, note="Item [1] is wrong.")
    verdict = Verdict((line,), (Finding("second-order-lost", "", why),))
    text = report_on(*verdict.findings, task="5.3", properties=[line], title="5.3 Prediction")
    assert message(verdict, "5.3") == f"The prediction is not right. {why}"
    assert "Usual cause" not in text
    assert "Item [1] is wrong." in text


def test_a_prediction_that_is_missing_is_not_called_wrong():
    line = Property("prediction", None)
    assert message(Verdict((line,), (Finding("not-started"),)), "5.3") == "not started"


@pytest.mark.parametrize(
    ("detail", "section"),
    [
        ("Kept: 1 tensor as an attribute of `ctx`.", "A tensor on ctx, which nobody counts"),
        ("saved [1]: 96 bytes, a view, whose", "A small view holds a large tensor"),
        ("Held: 144 bytes.", "Save the input, compute the rest again"),
    ],
)
def test_the_section_to_read_is_that_of_what_was_seen(detail, section):
    verdict = Verdict((), (Finding("kept-tensors", "", detail),))
    assert section in advice_on(verdict, "12.1")["kept-tensors"].read_on
    assert "Save the input" in advice("12.1")["kept-tensors"].read_on
