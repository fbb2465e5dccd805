"""`python3 -m course`: with any Python, before anything is installed."""

import ast
import os
import subprocess
import sys
import tomllib
from importlib import metadata
from types import SimpleNamespace

import pytest

import course.__main__ as main
from course import setup
from course.checkout import PACKAGE_ROOT as ROOT
from course.cli import COMMANDS

OLD = (3, 8)
READ_BY_ANY = ["__init__", "__main__", "hand_over", "setup", "pip_packages", "debian_packages"]


def bare(*arguments, **environment):
    """Run `python -m course` with an interpreter that has no packages."""
    command = [sys.executable, "-S", "-m", "course", *arguments]
    environ = {**os.environ, **environment}
    return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True)


def test_help_needs_no_package():
    result = bare("--help")
    assert result.returncode == 0
    assert all(f" {name} " in result.stdout for name in COMMANDS)


@pytest.mark.parametrize("command", ["setup", "lab", "status"])
def test_a_command_sets_the_course_up_first_and_refuses_in_one_line(command):
    result = bare(command, TORCH="nonsense")
    assert result.returncode == 1
    assert result.stderr == "TORCH=nonsense is not known: use one of auto, cpu, default.\n"


def test_the_address_at_binder_needs_no_environment():
    result = bare("binder", TORCH="nonsense", PATH="")  # without git there is no origin
    assert result.returncode == 1
    assert "no git remote called origin" in result.stderr


@pytest.mark.parametrize("there", [True, False])
def test_the_doctor_sets_nothing_up(monkeypatch, capsys, tmp_path, there):
    python = tmp_path / "python"
    if there:
        python.touch()
    monkeypatch.setattr(main, "_is_installed", lambda: False)
    monkeypatch.setattr(main, "set_up", None)
    monkeypatch.setattr(main, "venv_python", lambda folder: python)
    monkeypatch.setattr(main, "hand_over", lambda command, environ: print("handed over"))
    main.main(["doctor"])
    said = capsys.readouterr().out
    assert (said == "handed over\n") == there
    assert there or "torch" in said


@pytest.mark.parametrize("command", ["status", "lab", "doctor", "setup"])
def test_on_a_hub_nothing_is_installed_in_a_students_home(monkeypatch, capsys, tmp_path, command):
    monkeypatch.setenv("JUPYTERHUB_USER", "ada")
    monkeypatch.setattr(main, "_is_installed", lambda: False)
    monkeypatch.setattr(main, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    assert main.main([command]) == 1
    said = capsys.readouterr().err
    assert "nothing is set up here. Type `course status`" in said
    assert [*tmp_path.iterdir()] == []


def test_then_it_goes_on_in_the_environment_with_all_its_arguments(monkeypatch):
    steps = []
    monkeypatch.setattr(main, "_is_installed", lambda: False)
    monkeypatch.setattr(main, "set_up", lambda root, torch: steps.append(root))
    monkeypatch.setattr(main, "hand_over", lambda command, environ: steps.append(command) or 7)
    assert main.main(["lab", "--port", "8899"]) == 7
    python = str(setup.venv_python(ROOT / ".venv"))
    assert steps == [ROOT, [python, "-m", "course", "lab", "--port", "8899"]]


def test_a_python_that_has_the_course_runs_the_command_itself(monkeypatch, capsys):
    monkeypatch.setattr(main, "hand_over", None)
    assert main.main(["status"]) == 0
    assert "Progress" in capsys.readouterr().out


def test_an_environment_is_known_by_the_name_of_the_course():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == main.DISTRIBUTION
    assert metadata.metadata(main.DISTRIBUTION)["Name"] == main.DISTRIBUTION


def test_an_old_python_is_told_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(main.sys, "version_info", (*OLD, 0))
    assert main.main(["lab"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("This is Python 3.8, the course needs 3.11 or newer: install one (")
    for command in ("sudo apt-get install", "brew install", "winget install"):
        assert command in said


@pytest.mark.parametrize(
    "path", [*(f"course/{name}.py" for name in READ_BY_ANY), "whygrad/dot_program.py"]
)
def test_an_old_python_can_read_what_tells_it_so(path):
    text = (ROOT / path).read_text(encoding="utf-8")
    tree = ast.parse(text, feature_version=OLD)
    names = [node.module for node in tree.body if isinstance(node, ast.ImportFrom)]
    annotated = any(isinstance(node, ast.FunctionDef) for node in ast.walk(tree))
    assert not annotated or "__future__" in names  # `list[str]` is not evaluated


def test_windows_keeps_programs_of_an_environment_elsewhere(monkeypatch, tmp_path):
    monkeypatch.setattr(setup, "os", SimpleNamespace(name="nt"))
    assert setup.venv_python(tmp_path) == tmp_path / "Scripts" / "python.exe"
