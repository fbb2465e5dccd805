"""Our own lessons keep the form that the course promises its readers."""

import ast
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from course.build import find_lessons
from course.building.source import read_lesson
from helpers.checks.tasks import load
from tests.ours import ours

ROOT = Path(__file__).parents[1]
LESSONS = ours(find_lessons(ROOT))
COLOURS = r"\b(?:blue|green|gr[ea]y|orange|pink|purple|red|violet|yellow)\b"
SECTIONS = ("What goes wrong", "Check yourself", "Summary")


@dataclass(frozen=True)
class Page:
    """A lesson's cells, how many words and formulas it has, and its prose without them and code."""

    lesson: object
    cells: list
    code: list
    headings: list[tuple[int, str]]
    words: int
    formulas: int
    prose: str


@pytest.fixture(params=LESSONS, ids=lambda path: path.stem)
def page(request):
    lesson = read_lesson(request.param)
    cells = lesson.notebook.cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    text = re.sub(r"^(`{3,}|~{3,}).*?^\1`*$", "", text, flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^(#+) +(.*?) *$", text, re.MULTILINE)
    words, formulas = len(text.split()), text.count("$$") // 2
    for left_out in (r"<!--.*?-->", r"(`+).+?\1", r"\$\$.*?\$\$", r"\$[^$\n]+\$"):
        text = re.sub(left_out, "", text, flags=re.DOTALL)
    return Page(
        lesson=lesson,
        cells=cells,
        code=[cell for cell in cells if cell.cell_type == "code"],
        headings=[(len(marks), title) for marks, title in headings],
        words=words,
        formulas=formulas,
        prose=text,
    )


def trees(page):
    for cell in page.code:
        python = "\n".join("" if line[:1] in "%!" else line for line in cell.source.splitlines())
        yield cell, ast.parse(python)


def imports(tree):
    return [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]


def _is_call_by_name(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def test_there_are_lessons_and_the_builder_takes_every_file():
    files = ours(sorted((ROOT / "lessons").glob("*.md")))
    assert LESSONS
    assert [path for path in files if ".exercise" not in path.suffixes] == LESSONS


def test_the_front_matter_asks_one_question_and_tells_the_minutes(page):
    assert page.lesson.question.endswith("?")
    assert page.lesson.title == page.lesson.title.strip() != ""
    assert 5 <= page.lesson.minutes <= 60


def test_the_minutes_are_what_its_words_code_and_predictions_take(page):
    lines = sum(bool(line.strip()) for cell in page.code for line in cell.source.splitlines())
    predictions = sum(cell.source.count("**Predict") for cell in page.cells)
    # A few formulas are in the measure of the words.
    formulas = max(0, page.formulas - 4)
    needed = page.words / 100 + lines / 6 + 2 * predictions + formulas
    assert needed <= 60
    assert page.lesson.minutes % 5 == 0
    assert abs(page.lesson.minutes - needed) <= 3, f"{needed:.1f} minutes are needed"


def test_the_only_h1_is_the_number_and_the_title(page):
    number = int(page.lesson.name[:2])
    first = page.cells[0].source.splitlines()[0]
    assert first == f"# {number}. {page.lesson.title}"
    assert [words for level, words in page.headings if level == 1] == [first.removeprefix("# ")]


def test_no_heading_level_is_skipped(page):
    levels = [level for level, _ in page.headings]
    assert all(lower <= upper + 1 for upper, lower in pairwise(levels))


@pytest.mark.parametrize("section", SECTIONS)
def test_the_lesson_has_the_section(page, section):
    assert [words for _, words in page.headings if words.startswith(section)]


def test_two_answers_are_folded_away_after_a_predict_prompt(page):
    text = "\n".join(cell.source for cell in page.cells if cell.cell_type == "markdown")
    before = text.split("<details>")[:-1]
    assert text.count("<details>") == text.count("</details>")
    assert sum("Predict" in part.rpartition("</details>")[2] for part in before) >= 2


def test_the_first_cell_imports_and_no_other_does(page):
    found = list(trees(page))
    first = found[0][1]
    assert len(imports(first)) == len(first.body) > 0
    assert [cell.id for cell, tree in found[1:] if imports(tree)] == []


def test_a_cell_has_at_most_20_lines(page):
    assert [cell.id for cell in page.code if len(cell.source.splitlines()) > 20] == []


def test_no_cell_changes_the_path_installs_hides_from_nbval_or_imports_a_star(page):
    for cell, tree in trees(page):
        assert not re.search(r"sys\.path|[!%]pip|NBVAL_", cell.source), cell.id
        assert "*" not in [name.name for node in imports(tree) for name in node.names], cell.id


def test_prose_has_no_exclamation_marks(page):
    prose = page.prose.replace("![", "[")
    assert re.findall(r".*!.*", prose) == []


def test_no_colour_is_named(page):
    # One that is named would carry meaning alone, and whygrad/look.toml may change it.
    assert re.findall(COLOURS, page.prose, re.IGNORECASE) == []


def test_only_lessons_that_exist_are_named(page):
    names = [cell.source for cell in page.cells if cell.cell_type == "markdown"]
    numbers = re.findall(r"[Ll]essons? (\d+)", "\n".join(names))
    there = {int(path.name[:2]) for path in LESSONS}
    assert {int(number) for number in numbers} <= there
    assert not re.search(r"\blater lessons?\b", page.prose)


def test_a_lesson_leads_to_its_exercise_and_tells_its_minutes(page):
    exercise = f"{page.lesson.name}.exercise.md"
    if (ROOT / "lessons" / exercise).exists():
        minutes = sum(task.minutes for task in load(int(page.lesson.name[:2])))
        assert page.prose.count(f"(../exercises/{page.lesson.name}.ipynb): {minutes} minutes.") == 1


def test_it_shows_an_autograd_graph(page):
    names = (node for _, tree in trees(page) for node in ast.walk(tree))
    called = {node.func.id for node in names if _is_call_by_name(node)}
    assert called & {"draw", "compare", "step"}


def test_every_picture_is_followed_by_prose(page):
    for cell, after in pairwise([*page.cells, page.code[0]]):
        if cell.cell_type == "code" and re.search(r"\b(draw|compare)\(|\bplots\.", cell.source):
            assert after.cell_type == "markdown", cell.id
