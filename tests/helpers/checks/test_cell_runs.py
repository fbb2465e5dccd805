"""An answer whose cell failed is not judged, and a name that is not there gets one sentence."""

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
RIGHT, WRONG = ANSWER.format("2"), ANSWER.format("3")
OPEN = ANSWER.format("2 * (x")
CHECK = 'check("5.1", Square)'


@pytest.fixture
def cell(monkeypatch, capsys):
    """Run a cell in a shell where `check` watches; return what was shown."""
    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr(answer_check, "_RUNS", cell_runs.install())
    monkeypatch.setattr(answer_check, "_display", lambda data: print(data["text/plain"]))
    monkeypatch.setattr(answer_check.progress, "record", lambda *about: print("noted"))

    def run(code, name=None):
        shell.run_cell(code, cell_id=name)
        return capsys.readouterr().out

    run("from torch.autograd import Function\nfrom helpers import check")
    return run


def test_a_right_answer_is_judged_as_ever(cell):
    cell(RIGHT)
    assert cell(CHECK).startswith("noted\n✓ 5.1")


def test_a_cell_that_cannot_be_read_is_said_before_the_older_answer(cell):
    cell(RIGHT)
    cell(OPEN)
    said = cell(CHECK)
    assert "✓" not in said
    assert "noted" not in said
    assert "the answer cell: it did not run to its end: `Square` is still what an earlier" in said
    assert "SyntaxError: incomplete input" in said
    assert "Why: A bracket is opened and not closed" in said
    assert "The line: `return 2 * (x * x * grad_y`" in said
    assert "Then run the answer cell again, and this one after it." in said


def test_a_cell_that_raises_before_its_class_is_said(cell):
    cell(RIGHT)
    cell("import maths\n" + WRONG)
    said = cell(CHECK)
    assert "ModuleNotFoundError: No module named 'maths'" in said
    assert "✓" not in said


def test_a_mended_cell_is_judged_again(cell):
    cell(RIGHT)
    cell(OPEN)
    cell(WRONG)
    assert "wrong-factor" in cell(CHECK)
    cell(OPEN)
    assert "wrong-factor" in cell(WRONG + "\n\n" + CHECK)
    cell(OPEN)
    cell(RIGHT)
    assert cell(CHECK).startswith("noted\n✓ 5.1")


def test_a_cell_that_raises_after_its_class_is_judged_by_the_new_class(cell):
    cell(RIGHT)
    cell(WRONG + "\n\nSquare.apply(1, 2, 3)")
    assert "wrong-factor" in cell(CHECK)


def test_another_cell_that_fails_says_nothing_of_the_answer(cell):
    cell(RIGHT)
    cell("y = Square.apply(\nz = Square == 1")
    assert cell(CHECK).startswith("noted\n✓ 5.1")


def test_a_prediction_whose_cell_failed_is_not_judged(cell):
    cell("counted = [1, 1, 1, 1]")
    cell("counted = [1, 2")
    assert "did not run to its end: `counted`" in cell('check("1.3", counted)')


def test_a_check_before_its_answer_gets_one_sentence(cell):
    assert cell(CHECK).strip() == (
        "`Square` is not there yet. Run the answer cell above first, then this one."
    )
    cell(OPEN)
    assert cell(CHECK).strip() == (
        "`Square` is not there: its cell did not run to its end (SyntaxError: incomplete input). "
        "Mend that cell and run it again."
    )


@pytest.mark.parametrize("ids", [("answer-21-1", "check-21-1"), (None, None)])
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('triple = "right"', "It made `triple`: is the name misspelt?"),
        ('other = "right"', "It made `other`: is the name misspelt?"),
        ("one = two = 1\nthree = 3", "Write it there and run that cell again, then this one."),
    ],
)
def test_a_name_that_the_answer_cell_does_not_make_is_said_with_the_one_it_made(
    cell, more, said, ids
):
    cell(f'rows = "right"\n{more}', ids[0])
    shown = cell('check("21.1", rows, tripled)', ids[1]).strip()
    assert shown == f"The answer cell ran, but made no `tripled`. {said}"


def test_a_misspelt_function_is_known_by_the_id_of_its_cell(cell):
    cell(RIGHT.replace("Square", "Sqare"), "answer-5-1")
    assert "It made `Sqare`: is the name misspelt?" in cell(CHECK, "check-5-1")
    assert "Run the answer cell above first" in cell('check("5.2", Scale)', "check-5-2")


@pytest.mark.parametrize("word", ["right", "wrong-mask", "sum-or-mean", "not-summed"])
def test_a_word_without_quotes_is_named_with_its_line(cell, word):
    answer, said = f'columns = "right"\nrows = {word}', f'needs quotes: rows = "{word}".'
    shown = cell(answer)
    assert said in shown or "SyntaxError" in shown
    assert f"{said} Then run that cell again." in cell('check("21.1", rows)')
    cell('rows = "right"')
    cell(answer)
    assert "Then run the answer cell again" in (shown := cell('check("21.1", rows)'))
    assert f"The word in the line `rows = {word}` {said}" in shown


def test_any_other_unknown_name_keeps_its_traceback(cell):
    assert "Traceback" in cell("1 + unknown")
    assert "Traceback" in cell("check(5.1, 2) + unknown")


def test_outside_of_ipython_nothing_is_watched(monkeypatch):
    monkeypatch.setattr("IPython.get_ipython", lambda: None)
    assert cell_runs.install() is None


@pytest.mark.parametrize("name", ["mine", "set-up", "answer-5-2", "answer-5-10", "check-5-1"])
def test_an_answer_that_another_cell_made_is_told_not_to_be_graded(cell, name):
    cell(WRONG, "answer-5-1")
    cell(RIGHT, name)
    said = cell(CHECK, "check-5-1")
    assert said.startswith("noted\n✓ 5.1")
    assert "✓, but `Square` was made outside of the answer cell: only answer cells" in said


@pytest.mark.parametrize(
    ("place", "check"),
    [
        ("answer-5-1", "check-5-1"),
        ("answer-5-1-b", "check-5-1"),
        ("mine", "cell-17"),
        ("mine", None),
        (None, "check-5-1"),
    ],
)
def test_where_an_answer_is_in_its_cell_or_no_ids_are_known_nothing_is_said(cell, place, check):
    cell(RIGHT, place)
    assert "outside" not in cell(CHECK, check)


def test_an_answer_that_was_moved_into_its_cell_is_graded(cell):
    cell(RIGHT, "mine")
    cell(RIGHT, "answer-5-1")
    assert "outside" not in cell(CHECK, "check-5-1")


def test_a_name_that_its_cell_does_not_make_any_more_is_said(cell):
    cell(WRONG, "answer-5-1")
    cell(RIGHT.replace("Square", "Sqare"), "answer-5-1")
    assert cell(CHECK, "check-5-1") == (
        "`Square` is still what an earlier run made of it. The answer cell ran, but made no "
        "`Square`. It made `Sqare`: is the name misspelt?\n"
    )
    cell(RIGHT, "answer-5-1")
    assert cell(CHECK, "check-5-1").startswith("noted\n✓ 5.1")


@pytest.mark.parametrize("first", [RIGHT, "", "x = 1"])
def test_a_cell_that_failed_and_then_made_another_name_did_run_to_its_end(cell, first):
    cell(first, "answer-5-1")
    cell(OPEN, "answer-5-1")
    cell(RIGHT.replace("Square", "Sqare"), "answer-5-1")
    said = cell(CHECK, "check-5-1")
    assert "It made `Sqare`: is the name misspelt?" in said
    assert "did not run to its end" not in said
    assert "SyntaxError" not in said


def test_a_name_that_is_made_anew_in_another_way_is_not_left_over(cell):
    cell(WRONG, "answer-5-1")
    cell(f"if True:\n{textwrap.indent(RIGHT, '    ')}", "answer-5-1")
    assert cell(CHECK, "check-5-1").startswith("noted\n✓ 5.1")


def test_a_check_that_is_stopped_says_in_which_line(cell):
    cell("def gradients(x, target, w, b):\n    raise KeyboardInterrupt", "answer-0-2")
    said = cell('check("0.2", gradients)', "check-0-2")
    assert "The check was stopped in line 2 of your code, `raise KeyboardInterrupt`." in said
    assert "evidence.py" not in said
