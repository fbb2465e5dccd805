"""An answer that its cell would not make any more is not judged, and each case gets a reason."""

import textwrap

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from helpers.checks import answer_check, cell_runs

ANSWER = """\
class Square(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, grad_y):
        (x,) = ctx.saved_tensors
        return {} * x * grad_y
"""
RIGHT, WRONG, OPEN = (ANSWER.format(factor) for factor in ("2", "3", "2 * (x"))
MISSPELT = RIGHT.replace("Square", "Sqare")
CHECK = 'check("5.1", Square)'
IDS, NO_IDS = ("answer-5-1", "check-5-1"), (None, None)


@pytest.fixture
def cell(monkeypatch, capsys):
    """Run a cell in a shell where `check` watches; return what was shown."""
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr(answer_check, "_RUNS", cell_runs.install())
    monkeypatch.setattr(answer_check, "show", lambda data: print(data["text/plain"]))
    monkeypatch.setattr(answer_check.progress, "record", lambda *about: print("noted"))

    def run(code, place=None):
        shell.run_cell(code, cell_id=place)
        return capsys.readouterr().out

    run("from torch.autograd import Function\nfrom helpers import check")
    return run


STALE = "`Square` is still what an earlier run made of it"
JUDGED = "noted\n✓ 5.1"


@pytest.mark.parametrize("ids", [IDS, NO_IDS])
@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([RIGHT], JUDGED),
        (
            [RIGHT, OPEN],
            f"{STALE}: its cell did not run to its end.\nSyntaxError: incomplete input",
        ),
        (
            [RIGHT, f"import maths\n{WRONG}"],
            f"{STALE}: its cell did not run to its end.\nModuleNotFoundError: No module named",
        ),
        ([RIGHT, OPEN, RIGHT], JUDGED),
        ([WRONG, f"{RIGHT}\n\n1 / 0"], JUDGED),  # raises after its class
        ([WRONG, f"if True:\n{textwrap.indent(RIGHT, '    ')}"], JUDGED),
    ],
    ids=["right", "open", "raises before", "mended", "raises after", "made in a way not seen"],
)
def test_an_answer_is_judged_unless_its_cell_failed_since(cell, cells, said, ids):
    for code in cells:
        cell(code, ids[0])
    assert cell(CHECK, ids[1]).startswith(said)


def test_an_answer_cell_that_failed_is_explained(cell):
    cell(RIGHT)
    cell(OPEN)
    assert cell(CHECK).splitlines()[2:] == [
        "The line: `return 2 * (x * x * grad_y`",
        "Why: A bracket is opened and not closed, or closed and not opened.",
        "What to do: Count the brackets of that line and of the lines around it.",
        "Then run the answer cell again, and this one after it.",
    ]


def test_an_answer_that_is_made_and_checked_in_one_cell_is_judged(cell):
    cell(OPEN)
    assert "wrong-factor" in cell(f"{WRONG}\n\n{CHECK}")


def test_a_different_cell_that_fails_says_nothing_about_the_answer(cell):
    cell(RIGHT)
    cell("y = Square.apply(\nz = Square == 1")
    assert cell(CHECK).startswith(JUDGED)


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([], "`Square` is not there yet. Run the answer cell above first"),
        ([OPEN], "`Square` is not there: its cell did not run to its end.\nSyntaxError"),
        ([MISSPELT], "`Square` is not there. The answer cell ran, but made no `Square`. It made"),
        (["a = b = 1\nc = 2"], "`Square` is not there. The answer cell ran, but made no `Square`."),
    ],
)
def test_a_check_whose_answer_is_not_there_says_why_without_a_traceback(cell, cells, said):
    for code in cells:
        cell(code, IDS[0])
    assert cell(CHECK, IDS[1]).startswith(said)


def test_any_other_unknown_name_keeps_its_traceback(cell):
    assert "Traceback" in cell("1 + unknown")
    assert "Traceback" in cell("check(5.1, 2) + unknown")


@pytest.mark.parametrize("first", [[WRONG], [WRONG, OPEN]])
@pytest.mark.parametrize(
    ("code", "hint"),
    [
        (MISSPELT, "It made `Sqare`: is the name misspelt?"),
        ("other = 1", "It made `other`: is the name misspelt?"),
        ("one = two = 1\nthree = 3", "Write it there and run that cell again, then this one."),
    ],
)
def test_a_name_that_its_cell_does_not_make_any_more_is_told(cell, first, code, hint):
    for one in [*first, code]:
        cell(one, IDS[0])
    said = f"{STALE}. The answer cell ran, but made no `Square`. {hint}\n"
    assert cell(CHECK, IDS[1]) == said


@pytest.mark.parametrize(
    ("place", "check", "is_outside"),
    [
        *((place, "check-5-1", True) for place in ("mine", "answer-5-2", "answer-5-10")),
        *((place, "check-5-1", False) for place in ("answer-5-1", "answer-5-1-b", None)),
        *(("mine", check, False) for check in ("cell-17", "check-5-2", None)),
    ],
)
def test_an_answer_that_another_cell_made_is_told_not_to_be_graded(cell, place, check, is_outside):
    cell(WRONG, "answer-5-1")
    cell(RIGHT, place)
    said = cell(CHECK, check)
    assert said.startswith(JUDGED)
    assert ("✓, but `Square` was made outside the answer cell: only answer" in said) == is_outside


def test_a_check_that_is_stopped_says_in_which_line(cell):
    cell("def gradients(x, target, w, b):\n    raise KeyboardInterrupt", "answer-0-2")
    said = cell('check("0.2", gradients)', "check-0-2")
    assert "The check was stopped in line 2 of your code, `raise KeyboardInterrupt`." in said
    assert "evidence.py" not in said
