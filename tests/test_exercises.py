"""Stubs and solutions do their part, and our own exercises keep the form that students rely on."""

import ast
import asyncio
import re
from dataclasses import dataclass, fields
from pathlib import Path

import nbformat
import pytest

from course.build import find_exercises, find_lessons
from course.building.chapters import Chapter, find_chapters, in_order
from course.building.execute import execute
from course.building.exercise import ExerciseSource, read_exercise
from course.building.source import Source, read_lesson
from course.notebooks.regions import SOLUTION, regions
from course.notebooks.roles import role
from helpers.checks import EVIDENCE
from helpers.checks.tasks import load
from tests import ours as house
from tests.ours import ours
from whygrad.mistakes import MISTAKES

ROOT = Path(__file__).parents[1]
EXERCISES = find_exercises(ROOT)
OUR_LESSONS = ours(find_lessons(ROOT))
REPAIR = "# Repair this."
BEGIN = "### BEGIN SOLUTION"
WAY_TO_WORK = (
    "Write your answers into the cells that say so, and run the `check` below each: it shows what "
    "is right, and names the mistake if there is one. You can check as often as you like. "
    "Whoever grades your work reads these cells only, so put what an answer needs into its cell. "
    "If a check does not end, nor does a loop in your answer: ■ in the toolbar stops it. "
    '`check.hint("{0}")`, in a cell of your own, gives a hint for task {0}, and a further one each '
    "time you run it."
)
BY_HAND = (
    "An answer that is a Function is a subclass of `Function` of your own, with gradients worked "
    "out by hand: inside it, no `.backward()`, `autograd.grad`, `enable_grad` or `torch.func`. "
    "Outside of it, you can try it out with them. All of the work is done inside of it: around the "
    "Function only views, reshapes and copies may stand."
)
FREE = {"0.3", "7.2", "10.5", "13.1", "13.2", "14.1", "14.2"}  # code that may use autograd


@dataclass(frozen=True)
class Page:
    """An exercise, its tasks, its lesson, and its text by section."""

    exercise: ExerciseSource
    tasks: tuple
    lesson: Source | None
    text: str
    sections: dict[str, str]


def has_lesson(path):
    return path.with_name(path.name.replace(".exercise", "")).exists()


def named(path):
    return path.stem


@pytest.fixture(params=EXERCISES, ids=named)
def anyones(request):
    """An exercise, whoever wrote it."""
    return read_page(request.param)


@pytest.fixture(params=ours(EXERCISES), ids=named)
def page(request):
    """An exercise of the course's own: of a lesson, or a review."""
    return read_page(request.param)


@pytest.fixture(params=[path for path in ours(EXERCISES) if has_lesson(path)], ids=named)
def taught(request):
    """The exercise of a lesson."""
    return read_page(request.param)


@pytest.fixture(params=[path for path in ours(EXERCISES) if not has_lesson(path)], ids=named)
def review(request):
    """A review of several lessons."""
    return read_page(request.param)


def read_page(path):
    tasks = load(int(path.name[:2]))
    exercise = read_exercise(path, tasks)
    cells = exercise.notebook.cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    of_lesson = path.with_name(f"{path.stem.removesuffix('.exercise')}.md")
    lesson = read_lesson(of_lesson) if of_lesson.exists() else None
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    return Page(exercise, tasks, lesson, text, {"": parts[0], **sections})


def code(notebook):
    return {cell.id: cell for cell in notebook.cells if cell.cell_type == "code"}


def answers(page, task_id, notebook=None):
    found = code(notebook or page.exercise.notebook)
    name = f"answer-{task_id.replace('.', '-')}"
    return [found[cell_id] for cell_id in found if re.fullmatch(rf"{name}(-[a-z])?", cell_id)]


def test_every_lesson_has_its_exercise():
    lessons = [path.stem for path in OUR_LESSONS]
    assert lessons
    assert set(lessons) <= {path.stem.removesuffix(".exercise") for path in EXERCISES}


def test_the_title_is_the_lessons_with_its_number(page):
    number = int(page.exercise.name[:2])
    assert page.lesson is None or page.exercise.title == page.lesson.title
    assert page.text.splitlines()[0] == f"# Exercise {number}. {page.exercise.title}"
    assert re.findall(r"^# ", page.text, re.MULTILINE) == ["# "]
    assert not re.search(r"^#{3,} ", page.text, re.MULTILINE)


def test_the_sections_are_the_tasks_between_set_up_and_progress(page):
    found = [title.replace("Prediction: ", "").lower() for title in page.sections if title]
    titles = [f"{task.id} {task.title}" for task in page.tasks]
    assert found == [title.lower() for title in ("Set-up", *titles, "Your progress")]
    announced = [title for title in page.sections if "Prediction: " in title]
    predicted = [task.id for task in page.tasks if task.kind == "prediction"]
    assert {title.split()[0] for title in announced} <= set(predicted)


def test_the_exercise_of_a_lesson_has_two_to_five_tasks_one_to_repair_and_one_to_predict(taught):
    assert 2 <= len(taught.tasks) <= 5
    assert [task.kind for task in taught.tasks].count("prediction") == 1
    repairs = [task for task in taught.tasks if is_repair(taught, task.id)]
    assert len(repairs) == 1


def test_a_review_asks_for_one_word_on_each_of_eight_functions(review):
    (task,) = review.tasks
    assert (task.kind, len(task.items)) == ("prediction", 8)
    assert set(task.shares) == set(task.items)
    table = re.findall(r'^\| `"([\w-]+)"` \|', review.text, re.MULTILINE)
    assert table == list(task.words)
    assert 20 <= task.minutes <= 40


def test_a_statement_tells_the_points_and_the_minutes_of_its_task(page):
    for task in page.tasks:
        (words,) = [
            text for title, text in page.sections.items() if title.startswith(f"{task.id} ")
        ]
        between = "," if len(task.shares) == 1 else "."
        minutes = "1 minute" if task.minutes == 1 else f"{task.minutes} minutes"
        assert words.strip().splitlines()[0] == f"*{task.worth}{between} {minutes}.*", task.id


def test_minutes_are_multiples_of_five_5_or_10_for_a_prediction_10_to_25_for_code(taught):
    for task in taught.tasks:
        fair = (5, 10) if task.kind == "prediction" else (10, 15, 20, 25)
        assert task.minutes in fair, task.id


def test_only_lessons_that_exist_are_named(page):
    hints = [hint for task in page.tasks for hint in task.hints]
    numbers = re.findall(r"[Ll]essons? (\d+)", "\n".join([page.text, *hints]))
    last, *_ = chapter(page).place
    lessons = {int(path.name[:2]) for path in find_lessons(ROOT)}
    assert {int(number) for number in numbers} <= {one for one in lessons if one <= last}


def chapter(page):
    return Chapter(ROOT / "lessons", page.exercise.name.removesuffix(".exercise"))


def test_the_start_links_to_the_lesson_and_says_how_to_work_in_the_same_words(page):
    start = page.sections[""]
    if page.lesson:
        assert f"](../notebooks/{page.lesson.name}.ipynb)" in start
    assert WAY_TO_WORK.format(page.tasks[0].id) in start


def test_every_answer_that_is_code_is_worked_out_by_hand_unless_it_may_use_autograd():
    free = {task.id for task in house.TASKS if not task.by_hand and task.kind != "prediction"}
    assert free == FREE
    assert {task.kind for task in house.TASKS if task.by_hand} == {"function", "module", "values"}


def test_what_an_answer_may_not_use_is_said_in_words(page):
    for task in page.tasks:
        (section,) = [
            text for title, text in page.sections.items() if title.startswith(f"{task.id} ")
        ]
        if task.kind in ("function", "module"):
            assert BY_HAND in page.sections[""], task.id
            assert task.by_hand != ("In this task, `backward` may call autograd." in section)
        elif task.by_hand:
            assert "no `backward` and no `autograd.grad`" in section, task.id


def test_the_end_leads_on(page):
    chapters = in_order(find_chapters(ROOT / "lessons"))
    behind = [one for one in chapters if one.place > chapter(page).place]
    behind = [one for one in behind if one.lesson.exists() or one.is_review]
    # A review, and where it was not handed out, the lesson after it.
    targets = [f"{one.name}.ipynb" for one in behind[:1] if one.is_review]
    lessons = [one for one in behind[: len(targets) + 1] if one.lesson.exists()]
    targets += [f"../notebooks/{one.name}.ipynb" for one in lessons]
    end = page.sections["Your progress"]
    assert re.findall(r"\]\((.+?)\)", end) == (targets or ["../notebooks/index.ipynb"])


def test_links_lead_to_files(page):
    files = [target.split("#")[0] for target in re.findall(r"\]\(<?([^)>\s]+)", page.text)]
    local = [file for file in files if ":" not in file]
    assert local
    assert [file for file in local if file and not (ROOT / "exercises" / file).exists()] == []


def test_the_prose_has_no_exclamation_marks(page):
    prose = re.sub(r"(`+).+?\1|\$\$.*?\$\$|\$[^$\n]+\$", "", page.text, flags=re.DOTALL)
    assert re.findall(r".*!.*", prose) == []
    assert [hint for task in page.tasks for hint in task.hints if "!" in hint] == []


def test_a_task_has_three_different_hints_none_of_which_is_a_line_of_the_solution(page):
    for task in page.tasks:
        assert len(set(task.hints)) == len(task.hints) == 3, task.id
        assert all(len(hint) > 20 and hint.endswith((".", "?", "`")) for hint in task.hints), (
            task.id
        )
        for line in solution_lines(page, task.id):
            assert [hint for hint in task.hints if line in hint] == [], task.id


def solution_lines(page, task_id):
    for cell in answers(page, task_id):
        lines = cell.source.splitlines()
        for region in regions(cell.source, "f.md", 1):
            assert region.kind == SOLUTION
            inside = (line.strip() for line in lines[region.first : region.last - 1])
            given = {line.strip() for line in lines[: region.first - 1]}
            yield from (line for line in inside if len(line) > 12 and line not in given)


def test_the_first_cell_imports_and_no_other_does(page):
    trees = {name: ast.parse(cell.source) for name, cell in code(page.exercise.notebook).items()}
    imports = (ast.Import, ast.ImportFrom)
    assert next(iter(trees)) == "set-up"
    assert all(isinstance(node, imports) for node in trees.pop("set-up").body)
    others = [
        name for name, tree in trees.items() for n in ast.walk(tree) if isinstance(n, imports)
    ]
    assert others == []


def test_cells_are_short(page):
    for cell in code(page.exercise.notebook).values():
        kind = role(cell.id)
        most = 30 if kind and kind.kind == "answer" else 20
        # The code to repair stands above its solution: each is held to the limit.
        parts = cell.source.split(BEGIN) if cell.source.startswith(REPAIR) else [cell.source]
        lengths = [sum(not is_mark(line) for line in part.splitlines()) for part in parts]
        assert max(lengths) <= most, cell.id


def is_mark(line):
    return line.strip().startswith(("### BEGIN", "### END"))


def test_the_last_cell_shows_the_progress(page):
    name, cell = list(code(page.exercise.notebook).items())[-1]
    assert (name, cell.source) == ("progress", "progress()")


def test_every_stub_compiles_and_defines_what_its_check_asks_for(page):
    stub = code(page.exercise.stub)
    for cell in stub.values():
        compile(cell.source, cell.id, "exec")
    for task in page.tasks:
        call = ast.parse(stub[f"check-{task.id.replace('.', '-')}"].source).body[0].value
        asked = {
            node.id
            for value in call.args[1:]
            for node in ast.walk(value)
            if isinstance(node, ast.Name)
        }
        given = "\n".join(cell.source for cell in answers(page, task.id, page.exercise.stub))
        missing = [name for name in asked if not re.search(rf"\b{name}\b", given)]
        assert missing == [], task.id


def test_a_solution_uses_what_its_lessons_or_its_statement_show(page):
    lessons = [path for path in find_lessons(ROOT) if path.name[:2] <= page.exercise.name[:2]]
    shown = [page.exercise.stub, *(read_lesson(path).notebook for path in lessons)]
    known = {
        node.attr for notebook in shown for cell in code(notebook).values() for node in dots(cell)
    }
    for task in page.tasks:
        found = [node for cell in answers(page, task.id) for node in dots(cell)]
        made = {node.attr for node in found if isinstance(node.ctx, ast.Store)}
        unknown = {node.attr for node in found} - made - known
        assert [name for name in unknown if not re.search(rf"\b{name}\b", page.text)] == [], task.id


def dots(cell):
    return [node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Attribute)]


def is_repair(page, task_id):
    return any(cell.source.startswith(REPAIR) for cell in answers(page, task_id))


def test_every_stored_solution_passes_its_visible_and_its_hidden_checks(anyones):
    notebook = nbformat.read(ROOT / anyones.exercise.builds, as_version=4)
    for task in anyones.tasks:
        outputs = code(notebook)[f"check-{task.id.replace('.', '-')}"].outputs
        shown = [output.data[EVIDENCE] for output in outputs]
        assert [(data["task"], data["ok"]) for data in shown] == [(task.id, True)] * 2


@pytest.mark.slow
def test_run_all_of_a_stub_reaches_the_end_and_each_check_says_what_it_must(anyones, tmp_path):
    values = {field.name: getattr(anyones.exercise, field.name) for field in fields(Source)}
    folder = tmp_path / "exercises"
    folder.mkdir()
    # A cell that raises, or prints to stderr, fails the run.
    ran = asyncio.run(execute(Source(**{**values, "notebook": anyones.exercise.stub}), folder))
    assert [cell.execution_count for cell in code(ran).values()] == list(
        range(1, len(anyones.exercise.lines) + 1)
    )
    for task in anyones.tasks:
        output, *more = code(ran)[f"check-{task.id.replace('.', '-')}"].outputs
        first = output.data["text/plain"].splitlines()[0]
        assert output.data[EVIDENCE]["ok"] is False
        if anyones.exercise.name not in house.NAMES:
            continue
        title = f"{task.id} {task.title}: "
        assert [one.text[:11] for one in more] == ["Not started"] * is_repair(anyones, task.id)
        if is_repair(anyones, task.id):
            names = first.removeprefix(f"✗ {title}").split(" or ")
            assert set(names) <= set(MISTAKES) - {"not-started", "raises"}, first
        else:
            assert first == f"– {title}not started"


def test_it_says_how_many_tasks_it_has(page):
    words = ("One task", "Two tasks", "Three tasks", "Four tasks", "Five tasks")
    count = len(load(int(page.exercise.name[:2])))
    assert words[count - 1] in page.exercise.notebook.cells[0].source
