"""docs/own_exercise.md leads to graded submissions, and whatever is added passes the tests."""

import json
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

from course.checkout import PACKAGE_ROOT
from helpers.checks.task import FunctionTask
from tests.course.copies import copy_course, run
from tests.course.grading.classes import grades, needs_walls

PAGE = (PACKAGE_ROOT / "docs" / "own_exercise.md").read_text(encoding="utf-8")
STRANGE = Path(__file__).with_name("strange_exercise.md").read_text(encoding="utf-8")
NAME = "31_softplus"
HARD = ("hidden/ex31.py", "references/ex31.toml")
OVERFLOWS = """
[["31.1"]]
edit = ["torch.log1p(torch.exp(-x.abs())) + x.clamp(min=0)", "torch.log(1 + torch.exp(x))"]
name = "wrong-forward"
why = "exp(x) is inf for large x."
"""
# A command of the page, or a file that it writes.
_STEP = re.compile(
    r"^`(?P<file>[\w./]+)`:\n\n(?P<fence>`{3,})\w+\n(?P<text>.*?)^(?P=fence)$"
    r"|^```sh\n\.venv/bin/course (?P<command>[^\n]+)\n```$",
    re.MULTILINE | re.DOTALL,
)


def test_the_page_names_the_parts_of_a_function_that_can_have_a_share():
    given = {"id": "31.1", "title": "Softplus", "minutes": 15, "hints": ("", "", "")}
    shares = {"forward": 2, "gradients": 3, "second order": 1}
    task = FunctionTask(**given, shares=shares, names=("x",), inputs=lambda *_: (), order=2)
    assert {*shares} <= {*task.part_names}
    assert json.dumps(shares) in PAGE
    assert all(f"`{name}`" in PAGE for name in task.part_names if not name.startswith("without"))


def follow(root: Path, page: str) -> list[str]:
    """Do what a page says, from top to bottom; return its commands' names."""
    done = []
    for step in _STEP.finditer(page):
        if step["file"]:
            (root / step["file"]).write_text(step["text"], encoding="utf-8")
        else:
            name, *arguments = shlex.split(step["command"])
            if name == "grade":
                hand_in(root, arguments[0])
            run(root, "course.cli", name, *arguments)
            done.append(name)
    return done


def hand_in(root: Path, folder: str) -> None:
    """Hand in three notebooks: a right one, a wrong one, and one that nobody touched."""
    cells = json.loads((root / "solutions" / f"{NAME}.ipynb").read_text(encoding="utf-8"))["cells"]
    (solved,) = ["".join(cell["source"]) for cell in cells if cell["id"] == "answer-31-1"]
    # A student writes no marks, and not the same words.
    right = re.sub(r"\n *### (BEGIN|END) SOLUTION", "", solved)
    right = right.replace("torch.exp(-x.abs())) + x.clamp(min=0)", "torch.exp(x))")
    wrong = right.replace("torch.sigmoid(x) * grad_y", "-torch.sigmoid(x) * grad_y")
    assert wrong != right
    for student, answer in {"ada": right, "bob": wrong, "cleo": None}.items():
        notebook = json.loads((root / "exercises" / f"{NAME}.ipynb").read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            if answer and cell["id"] == "answer-31-1":
                cell["source"] = answer
        path = root / folder / student / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """Follow the page in a copy of the course."""
    root = copy_course(tmp_path_factory.mktemp("own") / "course")
    return SimpleNamespace(root=root, commands=follow(root, PAGE))


@pytest.mark.slow
@needs_walls
def test_the_page_leads_to_graded_submissions(followed):
    assert followed.commands == ["new", "build", "grade"]
    found = grades(followed.root / "report")
    assert found["ada", "31.1"] == ("passed", 6, "ok")
    assert found["cleo", "31.1"] == ("not-started", 0, "not-started")
    assert found["bob", "31.1"] == ("partly", 2, "wrong-sign")


@pytest.mark.slow
@needs_walls
def test_it_names_every_command_and_every_file_that_is_to_be_filled_in(followed):
    named = {step["file"] for step in _STEP.finditer(PAGE)} - {None}
    begun = run(followed.root, "course.cli", "new", "31", "x", "--exercise", status=2)
    assert begun == "31_softplus has this number: choose another.\n"
    written = {path for path in named if (followed.root / path).is_file()}
    assert written == named
    assert PAGE.count(".venv/bin/course ") == len(followed.commands)


@pytest.mark.slow
@needs_walls
def test_a_hard_case_that_some_draws_lack_stops_the_build(followed):
    root = followed.root
    hidden, references = (root / "helpers/checks" / name for name in HARD)
    built = (root / "solutions" / f"{NAME}.ipynb").read_bytes()
    before = {path: path.read_text(encoding="utf-8") for path in (hidden, references)}
    hidden.write_text(before[hidden].replace("scale=3.0", "scale=300.0"), encoding="utf-8")
    references.write_text(before[references] + OVERFLOWS, encoding="utf-8")
    said = run(root, "course.cli", "build", "31", status=1)
    assert "wrong answer 2 (wrong-forward) for 31.1 is not rejected in" in said
    for path, text in before.items():
        path.write_text(text, encoding="utf-8")
    assert (root / "solutions" / f"{NAME}.ipynb").read_bytes() == built


@pytest.mark.proof
@pytest.mark.slow
@needs_walls
def test_no_quick_test_demands_that_what_is_added_looks_like_the_course_s_own(followed):
    root = followed.root
    follow(root, STRANGE)
    run(root, "course.cli", "build", "32")
    quick = "not slow and not browser and not proof"
    chosen = ["-q", "-n", "2", "--dist", "loadfile", "-p", "no:cacheprovider", "-m", quick]
    # These know nothing of what exercises there are, or look at answers to the course's own, or at
    # how much of it there is.
    apart = ("tests/whygrad", "tests/course/grading/walls", "tests/course/grading/books")
    apart += ("tests/helpers/checks/test_answers.py", "tests/helpers/checks/test_source_check.py")
    apart += ("tests/helpers/plots", "tests/test_budgets.py")
    run(root, "pytest", *chosen, *(f"--ignore={folder}" for folder in apart))
    # And what runs notebooks, of these two.
    run(root, "pytest", *chosen[:-2], "-k", "31_softplus or 32_strange", "tests/test_exercises.py")
