"""The command `course`."""

import errno
import os
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
    own = ["binder", "checkout", "cli", "notebooks", "notebooks.nearest"]
    assert result.stdout.splitlines()[-1] == str([f"course.{name}" for name in own])


def test_it_tells_the_one_version(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"course {whygrad.__version__}\n"


def test_alone_it_shows_its_help(capsys):
    assert cli.main([]) == 0
    assert cli.COMMANDS["check"] in capsys.readouterr().out


def test_only_what_is_missing_is_asked_for(capsys):
    with pytest.raises(SystemExit):
        cli.main(["release"])
    assert capsys.readouterr().err.endswith("the following arguments are required: OUT\n")


def test_a_command_that_is_misspelt_is_answered_by_the_nearest(capsys):
    with pytest.raises(SystemExit):
        cli.main(["chek", "05"])
    assert capsys.readouterr().err.endswith("no command is called chek; did you mean check?\n")
    with pytest.raises(SystemExit):
        cli.main(["dance"])
    assert capsys.readouterr().err.endswith(
        f"is called dance: there are {', '.join(cli.COMMANDS)}.\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="Windows has other pipes")
def test_a_reader_that_leaves_early_ends_it_without_a_word():
    code = "import sys; from course.cli import main; sys.exit(main(['status']))"
    command = [sys.executable, "-c", code]
    reads, writes = os.pipe()
    os.close(reads)  # before anything is written, as `head` that has what it wants
    done = subprocess.run(command, stdout=writes, stderr=subprocess.PIPE, text=True)
    os.close(writes)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize(
    ("number", "advice"), [(errno.ENOSPC, "Free some space"), (errno.EROFS, "Work in a copy")]
)
def test_what_the_machine_refuses_is_told_in_words(capsys, number, advice):
    def refused():
        raise OSError(number, os.strerror(number), "/course/exercises")

    assert cli.quietly(refused) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"/course/exercises: {os.strerror(number)}. {advice}")
    assert said.count("\n") == 1


def test_any_other_error_keeps_its_traceback():
    def wrong():
        raise FileNotFoundError(errno.ENOENT, "no such file")

    with pytest.raises(FileNotFoundError):
        cli.quietly(wrong)


@pytest.mark.parametrize("argv", [["dance"], ["doctor", "--loud"], ["--bogus"], ["--bogus", "lab"]])
def test_a_call_it_does_not_know_ends_with_status_2(argv, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(argv)
    assert stop.value.code == 2
    assert "usage: course" in capsys.readouterr().err
