"""`course release`: what students get works without answers, and holds none.

The release is moved out of the checkout and installed into an environment that has its packages,
but nothing of this course.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

import whygrad
from course.checkout import PACKAGE_ROOT as ROOT
from course.notebooks.regions import cut, regions
from course.notebooks.roles import ANSWER, role
from course.release import release
from course.releasing import contents
from course.setup import base_python
from helpers.checks.tasks import load
from tests.answers import source
from tests.whygrad.installed import build

pytestmark = pytest.mark.slow  # right answers are measured

NAMES = sorted(path.stem for path in (ROOT / "solutions").glob("*.ipynb"))
# What these import is not there in a release, and they do without.
MAY_LACK = {
    ("helpers/checks/known.py", "helpers.checks.references"),
    ("helpers/checks/evidence.py", "helpers.checks.hidden"),
    ("course/doctor.py", "course.grading.bwrap_command"),
}
# What a lesson teaches is the lesson's.
TAUGHT = {("notebooks/05_square.ipynb", "5.1"), ("docs/whygrad.md", "5.1")}
DIAGNOSES = """
import json, pathlib, sys
from helpers.checks.answer_check import examine
from helpers.checks.tasks import find
from tests.answers import ROOT, handed_over, read_answers

said = {}
for answer in read_answers(ROOT / "tests" / "wrong_answers")[:: int(sys.argv[1])]:
    if "nobody filled" in answer.title:
        continue  # its numbers are what the memory held before
    diagnosis = examine(find(answer.task), handed_over(answer))
    if "A loop does not end" in str(diagnosis):
        continue  # in which line it was stopped is a matter of the moment
    said[str(answer)] = [diagnosis.name, diagnosis._repr_mimebundle_()]
pathlib.Path(sys.argv[2]).write_text(json.dumps(said))  # answers print, too
"""


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """Make a release of all exercises."""
    folder = tmp_path_factory.mktemp("released") / "out"
    assert release(ROOT, folder, []) == 0
    return folder


@pytest.fixture(scope="module")
def home(out, tmp_path_factory):
    """Copy the release to where a student has it, with an environment of its own."""
    folder = tmp_path_factory.mktemp("student") / "course"
    shutil.copytree(out, folder)
    subprocess.run([base_python(), "-m", "venv", str(folder / ".venv")], check=True)
    packages = Path(
        run(folder, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")[:-1]
    )
    # A path in such a file is searched, but the files of its kind that lie there are not read: so
    # this course, which is installed by one, is not found.
    (packages / "ours.pth").write_text(sysconfig.get_path("purelib"))
    install = ["-m", "pip", "install", "--isolated", "--quiet", "--no-index", "--no-deps"]
    run(folder, *install, "--no-build-isolation", "-e", ".")
    return folder


def run(home, *arguments, status=0, **environment):
    """Run the release's own Python in its folder; return what it printed."""
    left_out = ("PYTHONPATH", "COURSE_PROGRESS", "VIRTUAL_ENV", "PYTEST_CURRENT_TEST")
    inherited = {key: value for key, value in os.environ.items() if key not in left_out}
    done = subprocess.run(
        [home / ".venv" / "bin" / "python", *arguments],
        cwd=home,
        env={**inherited, **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert done.returncode == status, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def course(home, *arguments, status=0):
    return run(home, "-m", "course.cli", *arguments, status=status)


def paths(out):
    return sorted(path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file())


def squeezed(text):
    return "".join(text.split())


def texts(path):
    """Return the texts of a file: of a notebook, what each cell and each output says."""
    if path.suffix != ".ipynb":
        return [path.read_text(encoding="utf-8", errors="replace")]
    found = []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        found += [source(cell), *outputs(cell.get("outputs", []))]
    return found


def outputs(value):
    if isinstance(value, dict):
        return [text for item in value.values() for text in outputs(item)]
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        return [text for item in value for text in outputs(item)]
    return ["".join(value)] if isinstance(value, list | str) else []


def test_it_has_what_students_need_and_nothing_of_the_answers(out):
    found = paths(out)
    for name in NAMES:
        assert f"exercises/{name}.ipynb" in found
        assert (f"notebooks/{name}.ipynb" in found) == (ROOT / "lessons" / f"{name}.md").exists()
    stray = [
        path
        for path in found
        if re.match(r"(solutions|lessons|tests|benchmarks|\.ci|course/(grading|building))/", path)
        or re.search(r"/(references|hidden)/|\.exercise\.md$|course/(new|build|release)\w*/", path)
        or path.endswith(("grading.md", "CONTRIBUTING.md", ".pyc"))
    ]
    assert stray == []


def test_whygrad_can_be_installed_from_it_by_itself(out, tmp_path):
    _, wheel = build(tmp_path, out / "whygrad")
    assert wheel.name == f"whygrad-{whygrad.__version__}-py3-none-any.whl"


def test_exercises_are_as_they_were_built(out):
    for name in NAMES:
        built = (ROOT / "exercises" / f"{name}.ipynb").read_bytes()
        assert (out / "exercises" / f"{name}.ipynb").read_bytes() == built


def test_no_file_holds_the_whole_text_of_a_solution_cell(out):
    answers = {}
    for name in NAMES:
        for cell in json.loads((ROOT / "solutions" / f"{name}.ipynb").read_text())["cells"]:
            found = role(cell["id"])
            if found and found.kind == ANSWER:
                text = source(cell)
                unmarked = [line for line in text.splitlines() if "### " not in line]
                answers[found.task_id, cell["id"]] = squeezed("\n".join(unmarked))
                assert squeezed(cut(text, regions(text, name, 1))[0]) != squeezed(text)
    assert len(answers) > 2 * len(NAMES)
    shown = set()
    for path in paths(out):
        if not path.startswith("helpers/checks/measured/"):
            said = [squeezed(text) for text in texts(out / path)]
            shown |= {
                (path, task)
                for (task, _), answer in answers.items()
                if any(answer in text for text in said)
            }
    assert shown <= TAUGHT


def test_no_file_holds_a_hidden_input(out):
    code = (ROOT / "helpers/checks/hidden/__init__.py").read_text(encoding="utf-8")
    hidden = [
        squeezed(ast.get_source_segment(code, node))
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Lambda | ast.FunctionDef)
    ]
    assert len(hidden) > 10
    said = {path: squeezed("\n".join(texts(out / path))) for path in paths(out)}
    assert [(path, one) for path, text in said.items() for one in hidden if one in text] == []


def test_whatever_a_module_imports_is_in_the_release(out):
    modules = {path[:-3].replace("/", ".").removesuffix(".__init__") for path in paths(out)}
    every, missing = everything(), set()
    for path in out.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = [node.module] if isinstance(node, ast.ImportFrom) else []
            named += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                inner = [f"{node.module}.{one.name}" for one in node.names]
                named = [one for one in inner if one in every] or named
            for name in named:
                if name.split(".")[0] in ("whygrad", "helpers", "course") and name not in modules:
                    missing.add((path.relative_to(out).as_posix(), name))
    assert missing <= MAY_LACK


def everything():
    packages = ("whygrad", "helpers", "course")
    files = [path for name in packages for path in (ROOT / name).rglob("*.py")]
    return {path.relative_to(ROOT).as_posix()[:-3].replace("/", ".") for path in files}


def prose(path):
    """A page, or the text cells of a notebook: in code, `](` is no link."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def test_links_lead_to_files_of_the_release(out):
    for path in [*out.glob("*.md"), *out.glob("docs/*.md"), *out.glob("*/*.ipynb")]:
        for target in re.findall(r"\]\(([^)#\s\\]+)", prose(path)):
            assert "://" in target or (path.parent / target).exists(), (path.name, target)


def test_the_same_course_gives_the_same_bytes_and_a_zip_has_the_same_files(out, tmp_path, capsys):
    assert release(ROOT, tmp_path / "course.zip", []) == 0
    with zipfile.ZipFile(tmp_path / "course.zip") as archive:
        packed = {name.removeprefix("course/"): archive.read(name) for name in archive.namelist()}
    assert packed == {path: (out / path).read_bytes() for path in paths(out)}
    told = capsys.readouterr().out
    assert "Note: notebooks/05_square.ipynb shows what answers 5.1." in told
    assert "no hidden inputs" in told


def test_weeks_add_up_and_only_what_was_released_is_there(tmp_path, capsys):
    folder = tmp_path / "out"
    assert release(ROOT, folder, ["5"]) == 0
    assert sorted(path.name for path in (folder / "exercises").iterdir()) == ["05_square.ipynb"]
    assert not (folder / "helpers/checks/tasks/ex06.py").exists()
    assert "exercises/06_exp.ipynb" not in (folder / "README.md").read_text()
    assert release(ROOT, folder, ["06_exp"]) == 0
    for kept in ("exercises/05_square.ipynb", "exercises/06_exp.ipynb", "course/stubs/06_exp.json"):
        assert (folder / kept).exists()
    assert "[30 minutes](exercises/05_square.ipynb)" in (folder / "README.md").read_text()
    (folder / "exercises/05_square.ipynb").write_text("a student's work")
    capsys.readouterr()
    assert release(ROOT, folder, []) == 2
    assert "exercises/05_square.ipynb differs from what was released" in capsys.readouterr().err
    assert (folder / "exercises/05_square.ipynb").read_text() == "a student's work"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("99", ": there are 00_autograd,"),
        ("squares", "; did you mean 05_square?"),
        ("", ": there are 00_autograd,"),
    ],
)
def test_an_unknown_exercise_is_told_and_nothing_is_written(tmp_path, capsys, given, said):
    assert release(ROOT, tmp_path / "out", [given]) == 2
    assert f"No exercise is called {given}{said}" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_an_answer_in_the_code_of_a_release_is_told_and_nothing_is_written(
    tmp_path, capsys, monkeypatch
):
    solution = (ROOT / "solutions/06_exp.ipynb").read_text(encoding="utf-8")
    cells = {cell["id"]: source(cell) for cell in json.loads(solution)["cells"]}
    made = contents.contents

    def careless(root, names):
        return {**made(root, names), "helpers/notes.py": cells["answer-6-1"].encode()}

    monkeypatch.setattr(contents, "contents", careless)
    assert release(ROOT, tmp_path / "out", ["06"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("helpers/notes.py holds the answer to 6.1.\nNothing was released")
    assert not (tmp_path / "out").exists()


def test_a_course_that_is_not_whole_and_a_folder_in_use_are_told(tmp_path, capsys):
    (tmp_path / "thesis.tex").touch()
    assert release(ROOT, tmp_path, ["05"]) == 2
    assert "it is no release: name a new or an empty folder" in capsys.readouterr().err
    assert release(tmp_path, tmp_path / "out", []) == 2
    assert f"The course is imported from {ROOT}, not from {tmp_path}" in capsys.readouterr().err


def test_its_environment_sees_the_release_alone(home):
    # From elsewhere, as Python searches the current folder first.
    code = "import os; os.chdir('/'); import {0}; print({0}.__file__)"
    for package in ("course", "helpers", "whygrad"):
        place = run(home, "-I", "-c", code.format(package)).strip()
        assert Path(place).parents[1] == home
    for module in ("helpers.checks.references", "helpers.checks.hidden", "course.grading", "tests"):
        run(home, "-c", f"import {module}", status=1)


def test_its_commands_are_those_of_students(home):
    said = course(home, "--help")
    assert re.findall(r"^    (\w+) ", said, re.MULTILINE) == [
        *("lab", "check", "status", "reset", "setup", "doctor", "binder")
    ]
    assert "4." in course(home, "lab", "--version")
    assert {line[2:15].strip() for line in course(home, "doctor").splitlines()} >= {
        *("Python", "torch", "kernel", "packages", "write access")
    }


def test_an_untouched_exercise_is_not_started(home):
    said = course(home, "check", "05", status=1)
    assert said.count(": not started") == 3  # the code to be repaired, too
    assert "0 of 3 checks pass.\n" in said


def solved(home, name):
    """Write the solution's answers into a copy of the exercise, as a student types them."""
    right = json.loads((ROOT / "solutions" / f"{name}.ipynb").read_text(encoding="utf-8"))
    answers = {cell["id"]: source(cell) for cell in right["cells"]}
    notebook = json.loads((home / "exercises" / f"{name}.ipynb").read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        found = role(cell["id"])
        if found and found.kind == ANSWER:
            lines = answers[cell["id"]].splitlines(keepends=True)
            cell["source"] = [line for line in lines if "### " not in line]
    path = home / "exercises" / f"{name}.1.ipynb"
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name[:2] in ("00", "03") else pytest.mark.proof)
        for name in NAMES
    ],
)
def test_a_solved_exercise_passes_every_check(home, name):
    said = course(home, "check", f"exercises/{solved(home, name).name}")
    count = len(load(int(name[:2])))
    assert said.endswith(f"{count} of {count} checks pass.\n")


def test_hints_progress_status_and_reset_work(home):
    hint = run(home, "-c", "from helpers import check; check.hint('5.1')")
    assert hint.startswith("Hint 1 of 3: ")
    exercise = home / "exercises" / "05_square.ipynb"
    given = exercise.read_bytes()
    solved(home, "05_square").replace(exercise)
    assert course(home, "check", "05").endswith("3 of 3 checks pass.\n")
    said = course(home, "status", "05")
    assert "Exercise 5. Square: 3 of 3 tasks solved" in said
    assert "1 of 3" in said
    code = "from helpers import progress; print(progress(5))"
    assert run(home, "-c", code) == said
    assert "is fresh again" in course(home, "reset", "05")
    assert exercise.read_bytes() == given
    assert "0 of 3 tasks solved" in course(home, "status", "05")


def test_a_hidden_check_cannot_be_made_and_gives_no_points(home):
    code = """
from helpers import check
from helpers.checks.evidence import NoHiddenInputsError
from torch.autograd import Function
try:
    check.hidden("5.1", Function)
except NoHiddenInputsError as error:
    print(error)
"""
    assert "its inputs are only where work is graded" in run(home, "-c", code)
    run(home, "-c", "from helpers import check; check.hidden('5.3', [[6, 72, 144]] * 3)", status=1)


@pytest.mark.parametrize("every", [60, pytest.param(6, marks=pytest.mark.proof)])
def test_wrong_answers_are_explained_as_in_the_whole_course(home, tmp_path, every):
    (tmp_path / "tests").mkdir()
    for name in ("__init__.py", "answers.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests")
    shutil.copytree(ROOT / "tests" / "wrong_answers", tmp_path / "tests" / "wrong_answers")
    shutil.copytree(home / "exercises", tmp_path / "exercises")
    ours = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], "COURSE_PROGRESS": "off"}
    due, said = tmp_path / "due.json", tmp_path / "said.json"
    command = [sys.executable, "-c", DIAGNOSES, str(every), str(due)]
    subprocess.run(command, env=ours, cwd=tmp_path, check=True, capture_output=True)
    theirs = {"PYTHONPATH": str(tmp_path), "COURSE_PROGRESS": "off"}
    run(home, "-c", DIAGNOSES, str(every), str(said), **theirs)
    due, said = (json.loads(path.read_text(encoding="utf-8")) for path in (due, said))
    assert len(due) > 25
    assert [name for name in due if said[name] != due[name]] == []
    assert sum("a right one" in json.dumps(bundle) for bundle in said.values()) > 0
