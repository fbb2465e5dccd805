"""The command `course`."""

import subprocess
import sys
import types

import pytest

import whygrad
from course import cli


@pytest.fixture
def lab(monkeypatch):
    """Stand in for the module of `course lab`; keep what it is given."""
    given = []
    module = types.SimpleNamespace(
        add_arguments=lambda parser: None, run=lambda args: given.append(args.rest) or 7
    )
    monkeypatch.setattr(cli, "import_module", {"course.lab": module}.__getitem__)
    return given


def test_help_has_one_line_for_every_command(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as stop:
        cli.main(["--help"])
    assert stop.value.code == 0
    lines = capsys.readouterr().out.splitlines()
    for name, text in cli.COMMANDS.items():
        assert [line.split() for line in lines].count([name, *text.split()]) == 1


def test_a_release_offers_the_commands_whose_modules_it_has(capsys, monkeypatch):
    monkeypatch.setattr(cli, "find_spec", lambda name: name == "course.status")
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    said = capsys.readouterr().out
    assert cli.COMMANDS["status"] in said
    assert cli.COMMANDS["check"] not in said
    with pytest.raises(SystemExit) as stop:
        cli.main(["grade", "submissions"])
    assert stop.value.code == 2


def test_arguments_of_lab_are_passed_on_in_their_order(lab):
    assert cli.main(["lab", "--no-browser", "--port", "8899", "a.ipynb"]) == 7
    assert lab == [["--no-browser", "--port", "8899", "a.ipynb"]]


def test_only_the_command_asked_for_is_imported():
    code = (
        "import sys; from course import cli; cli.main(['binder']); "
        "print(sorted(n for n in sys.modules if n.startswith(('course.', 'torch'))))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout.splitlines()[-1] == str(["course.binder", "course.checkout", "course.cli"])


def test_it_tells_the_one_version(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"course {whygrad.__version__}\n"


@pytest.mark.parametrize("argv", [[], ["dance"], ["doctor", "--loud"]])
def test_a_call_it_does_not_know_ends_with_status_2(argv, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(argv)
    assert stop.value.code == 2
    assert "usage: course" in capsys.readouterr().err
