"""The command `whygrad`: the report in a terminal, and an exit status."""

import json
import os
import subprocess
import sys

import pytest

from whygrad.__main__ import main

CODE = """
import torch
from torch.autograd import Function

LARGE = torch.tensor([10.0, 20.0], dtype=torch.float64)


class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x * grad_y


class Halved(Square):
    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return x * grad_y


class Cut(Square):
    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return 2 * x.detach() * grad_y


class Reversed(Function):
    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad_y):
        return -grad_y


class Weighted(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(w)
        return x * w

    @staticmethod
    def backward(ctx, grad_y):
        (w,) = ctx.saved_tensors
        return grad_y * w, None


def square(x):
    return x * x


def reversed_gradient(x):
    return 2 * x.detach() - x
"""
X = "torch.randn(3, 4, dtype=torch.float64)"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A folder to work in with a module that is imported anew."""
    (tmp_path / "made_for_this.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "ends_here.py").write_text("import sys\n\nsys.exit(0)\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    yield tmp_path
    sys.modules.pop("made_for_this", None)


def refused(capsys, *arguments):
    """Give the sentence that a refusal prints."""
    with pytest.raises(SystemExit) as raised:
        main(arguments)
    assert raised.value.code == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Traceback" not in shown.err
    return shown.err


def test_a_right_function_prints_a_report_and_ends_with_0(capsys):
    assert main(["made_for_this:Square", "--inputs", X]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("✓ Square")
    assert "Nothing wrong was found." in shown


def test_a_wrong_function_prints_its_mistake_and_ends_with_1(capsys):
    assert main(["made_for_this:Halved", "--inputs", X]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("✗ Halved: wrong-factor")
    assert "What to do:" in shown


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])  # the second of Western Windows
def test_it_runs_as_a_command(home, encoding):
    command = [sys.executable, "-m", "whygrad", "made_for_this:Halved", "--inputs", X]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(
        command, cwd=home, env=environment, capture_output=True, encoding=encoding
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "wrong-factor" in done.stdout


def test_a_file_will_do_and_may_import_its_neighbours(home, capsys):
    folder = home / "elsewhere"
    folder.mkdir()
    (folder / "beside_it.py").write_text(CODE, encoding="utf-8")
    (folder / "in_a_file.py").write_text("from beside_it import Square, Halved\n")
    assert main([str(folder / "in_a_file.py:Square"), "--inputs", X]) == 0
    assert main(["elsewhere/in_a_file.py:Halved", "--inputs", X]) == 1


@pytest.mark.parametrize(
    "inputs",
    [
        ["--inputs", "LARGE", "--inputs", "LARGE + 1"],
        ["--inputs", "LARGE, LARGE + 1"],
    ],
)
def test_inputs_are_expressions_of_the_modules_own_names(inputs, capsys):
    assert main(["made_for_this:Weighted", *inputs]) == 1
    assert "the gradient of w" in capsys.readouterr().out.lower()
    assert main(["made_for_this:Weighted", *inputs, "--constant", "w"]) == 0
    assert main(["made_for_this:Weighted", *inputs, "--constant", "1"]) == 0


@pytest.mark.parametrize("reference", ["torch.square", "made_for_this:square", "lambda x: x**2"])
def test_a_reference_is_a_name_or_an_expression(reference):
    assert main(["made_for_this:Square", "--inputs", X, "--reference", reference]) == 0


def test_a_wrong_forward_is_found_by_its_reference(capsys):
    assert main(["made_for_this:Square", "--inputs", X, "--reference", "torch.exp"]) == 1
    assert "wrong-forward" in capsys.readouterr().out


@pytest.mark.parametrize(
    "intended", ["made_for_this:reversed_gradient", "lambda x: 2 * x.detach() - x"]
)
def test_what_backward_is_meant_to_be_can_be_said(intended):
    arguments = ["made_for_this:Reversed", "--inputs", X]
    assert main(arguments) == 1
    assert main([*arguments, "--intended", intended]) == 0


def test_the_second_order_is_looked_at_where_it_is_asked_for(capsys):
    assert main(["made_for_this:Cut", "--inputs", X]) == 0
    assert main(["made_for_this:Cut", "--inputs", X, "--order", "2"]) == 1
    assert "second-order-lost" in capsys.readouterr().out


def test_where_nothing_could_be_examined_it_ends_with_2(capsys):
    arguments = ["made_for_this:Square", "--inputs", "torch.full((3,), torch.nan).double()"]
    assert main(arguments) == 2
    assert capsys.readouterr().out.startswith("– Square: could not be examined")


def test_the_evidence_is_printed_as_json(capsys):
    assert main(["made_for_this:Halved", "--inputs", X, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["ok"] is False


def test_random_inputs_are_the_same_each_time(capsys):
    shown = []
    for _ in range(2):
        main(["made_for_this:Halved", "--inputs", X])
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["Square", "--inputs", X], "write module:Function"),
        (["not_there:Square", "--inputs", X], "No module named 'not_there'"),
        (["not/there.py:Square", "--inputs", X], "there is no file not/there.py"),
        (["made_for_this:Cube", "--inputs", X], "its Functions are Square, Halved, Cut"),
        (["json:Cube", "--inputs", X], "no Function at all"),
        (["made_for_this:Square", "--inputs", "torch.randn("], "cannot be used: SyntaxError"),
        (["made_for_this:Square", "--inputs", "nothing"], "name 'nothing' is not defined"),
        (["made_for_this:Square", "--inputs", "3"], "pass at least one"),
        (["made_for_this:LARGE", "--inputs", X], "pass a Function subclass"),
        (["made_for_this:Square", "--inputs", X, "--constant", "w"], "constant names 'w'"),
        (["made_for_this:Square", "--inputs", f"{X}, {X}"], "Square takes 1 input (x) and got 2"),
        (["ends_here:Square", "--inputs", X], "ends_here cannot be imported: it ends the program"),
        (["made_for_this:Square"], "--inputs"),
        (["made_for_this:Square", "--inputs", X, "--order", "3"], "--order"),
    ],
)
def test_what_cannot_be_used_is_said_in_a_sentence(arguments, words, capsys):
    assert words in refused(capsys, *arguments)


def test_the_help_shows_an_example(capsys):
    with pytest.raises(SystemExit) as raised:
        main(["--help"])
    assert raised.value.code == 0
    shown = capsys.readouterr().out
    assert '  whygrad layers:Swish --inputs "torch.randn(3, 4' in shown
    assert "exit status is 0" in shown


def test_a_terminal_gets_lines_that_fit_and_a_file_whole_ones(capsys, monkeypatch):
    arguments = ["made_for_this:Halved", "--inputs", X]
    main(arguments)
    whole = capsys.readouterr().out
    assert max(map(len, whole.splitlines())) > 80
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    main(arguments)
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.split() == whole.split()
